"""From the rules found to an answer that cites them (spec: retrieval, answering)."""

from collections.abc import Sequence

from ..config.settings import ChatSettings
from ..domain.answers import NO_ANSWER, SYSTEM_PROMPT, Answer, check_citations, pack_evidence
from ..domain.errors import ConfigError, KisokuError
from ..domain.notices import Language, Notice, notice
from ..domain.search import SearchResult
from ..ports.chat_model import ChatMessage, ChatModel, ChatReply
from .chat import HOW_TO, FailoverChat


def require_chat(chat: ChatModel | None) -> ChatModel:
    """Return the chat model.

    Raises:
        ConfigError: None is configured, or none of those has a key.
    """
    if chat is None:
        raise ConfigError("No chat model is configured.", hint=HOW_TO)
    if isinstance(chat, FailoverChat) and not chat.usable:
        variables = ", ".join(dict.fromkeys(variable for _, variable in chat.skipped))
        raise ConfigError("No chat model can be used: keys are missing.", hint=f"Set {variables}.")
    return chat


def answer_from(
    result: SearchResult, chat: ChatModel, settings: ChatSettings, language: Language, question: str = ""
) -> Answer:
    """Return an answer to the query of a search, from its rules alone.

    A refused or empty search calls no model. A model that fails leaves the rules, with a notice.

    Args:
        result: What was found.
        chat: The model that answers.
        settings: Limits of answer and evidence.
        language: Of notices.
        question: As it was asked, where a rewritten query was searched; "" for the query of the result.
    """
    asked = question or result.query
    if result.refused or not result.chunks:
        return _no_rules(asked, result, language)
    notices = [*result.notices, *_skipped(chat, language)]
    pack = pack_evidence(result, settings.evidence_characters, language)
    messages = [ChatMessage("system", SYSTEM_PROMPT), ChatMessage("user", f"{pack.text}\n---\n{asked}")]
    try:
        reply = chat.complete(messages, max_tokens=settings.max_tokens)
    except Exception as error:  # noqa: BLE001  # a model's fault of any kind leaves the rules
        cause = str(error) if isinstance(error, KisokuError) else f"{type(error).__name__}: {error}"
        notices.append(notice("answer_unavailable", language, cause))
        return Answer(question=asked, given=pack.given, notices=tuple(notices), result=result)
    checked = check_citations(reply.text, pack.given)
    if checked.text.strip(" .。") == NO_ANSWER:
        told = notice("low_relevance", language)
        return _spent(
            Answer(question=asked, text=told.text, given=pack.given, notices=(*notices, told), result=result), reply
        )
    if checked.removed:
        notices.append(notice("answer_citation_removed", language, ", ".join(checked.removed)))
    if not checked.citations:
        notices.append(notice("answer_uncited", language))
    if reply.truncated:
        notices.append(notice("answer_truncated", language, f"chat.max_tokens: {settings.max_tokens}"))
    answer = Answer(
        question=asked,
        text=checked.text,
        answered=True,
        citations=checked.citations,
        given=pack.given,
        removed_citations=checked.removed,
        notices=tuple(notices),
        result=result,
    )
    return _spent(answer, reply)


def answer_attributes(answer: Answer) -> dict[str, str | int | float | bool]:
    """Return what a trace says of an answer beside its text."""
    told: dict[str, str | int | float | bool] = {"kisoku.answered": answer.answered}
    if answer.model:
        told |= {
            "llm.model_name": answer.model,
            "gen_ai.request.model": answer.model,
            "llm.token_count.prompt": answer.prompt_tokens,
            "llm.token_count.completion": answer.completion_tokens,
            "kisoku.cost": answer.cost,
        }
    if answer.notices:
        told["kisoku.answer.notices"] = ", ".join(n.code for n in answer.notices)
    return told


def _no_rules(question: str, result: SearchResult, language: Language) -> Answer:
    told = next((n for n in result.notices if n.code == result.gate), None)
    notices: Sequence[Notice] = result.notices
    if told is None:
        told = notice("low_relevance", language)
        notices = (*result.notices, told)
    return Answer(
        question=question,
        text=told.text,
        notices=tuple(notices),
        refused=result.refused,
        gate=result.gate,
        result=result,
    )


def _skipped(chat: ChatModel, language: Language) -> list[Notice]:
    """Say which providers have no key, the first time."""
    news = chat.news() if isinstance(chat, FailoverChat) else ()
    details = ", ".join(f"{label} ({variable})" for label, variable in news)
    return [notice("chat_provider_skipped", language, details)] if details else []


def _spent(answer: Answer, reply: ChatReply) -> Answer:
    return answer.model_copy(
        update={
            "model": reply.model,
            "provider": reply.provider,
            "prompt_tokens": reply.prompt_tokens,
            "completion_tokens": reply.completion_tokens,
            "cost": reply.cost,
        }
    )
