"""Ready agents on a chat model. What a model claims is held against the rules and the draft before it counts."""

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ...domain.chunks import RuleChunk
from ...domain.conflicts import rule_hash
from ...domain.constraints.splitting import split_rules
from ...domain.errors import KisokuError, ModelError
from ...domain.notices import Language
from ...plugins.lifecycle import one_line
from ...ports.agents import ChapterTask, Finding, ImpactAgent, QaAgent, RulePack
from ...ports.chat_model import ChatMessage, ChatModel
from ..conflicts import Detector, rule_text
from ..rule_agents import RuleImpact, RuleQa
from .agents import LLM, AgentSet
from .prompts import PROMPTS, Prompts

_MOST_DRAFT: Final = 20_000
"""Characters of a draft that a model reads; a chapter longer than that should be several."""
_MOST_FINDINGS: Final = 50
_LONGEST_PROBLEM: Final = 500
_SHORTEST_QUOTE: Final = 4
"""Normalised characters; anything shorter occurs everywhere and proves nothing."""
_ATTEMPTS: Final = 2
_FENCE: Final = re.compile(r"`{3,}")
_REASONING: Final = re.compile(r"<think>.*?</think>", re.DOTALL)
_LIST: Final = re.compile(r"\[.*\]", re.DOTALL)
_WRAPPED: Final = re.compile(r"\A```(?:markdown|md)?\s*\n(.*)\n```\s*\Z", re.DOTALL)


def llm_agents(model: ChatModel, detector: Detector, language: Language, *, max_tokens: int = 2048) -> AgentSet:
    """Return Writer, Impact and QA on one chat model, speaking the language of the document.

    When the model cannot be heard, Impact and QA compare rules mechanically and say so; the Writer fails its chapter,
    which a resume tries again.
    """
    words = PROMPTS[language]
    return AgentSet(
        LLM,
        ChatWriter(model, words, max_tokens),
        ChatImpact(model, words, RuleImpact(), max_tokens),
        ChatQa(model, words, RuleQa(detector), max_tokens),
    )


@dataclass(frozen=True, slots=True)
class ChatWriter:
    """Writes a chapter with a chat model."""

    model: ChatModel
    words: Prompts
    max_tokens: int = 2048

    def write(self, task: ChapterTask, rules: RulePack, findings: Sequence[Finding] = ()) -> str:
        """Return the chapter's text.

        Raises:
            ModelError: The model failed, or its answer is empty or was cut off.
        """
        words = self.words
        parts = [_about(task, words), rules.text or words.no_rules]
        system = words.write
        if findings:
            system = f"{words.write}\n{words.revise}"
            if task.draft:
                parts.append(f"{words.draft}:\n{_fenced(task.draft[:_MOST_DRAFT])}")
            listed = "\n".join(f"- {' '.join(f.message.split())}" for f in findings[:_MOST_FINDINGS])
            parts.append(f"{words.findings}:\n{_fenced(listed)}")
        messages = [ChatMessage("system", system), ChatMessage("user", "\n\n".join(parts))]
        reply = self.model.complete(messages, max_tokens=self.max_tokens)
        if reply.truncated:
            raise ModelError(
                f"The chat model {self.model.name} did not finish {task.title!r} in {self.max_tokens} tokens.",
                hint="Raise chat.max_tokens, or make several chapters of it.",
            )
        text = _REASONING.sub("", reply.text).strip()
        wrapped = _WRAPPED.match(text)
        text = wrapped[1].strip() if wrapped else text
        if not text:
            raise ModelError(f"The chat model {self.model.name} wrote nothing for {task.title!r}.")
        return text


@dataclass(frozen=True, slots=True)
class ChatImpact:
    """Asks a chat model what design rules mean for related elements; `fallback` speaks when it cannot be heard."""

    model: ChatModel
    words: Prompts
    fallback: ImpactAgent
    max_tokens: int = 2048

    def infer(self, task: ChapterTask, draft: str, rules: RulePack) -> Sequence[Finding]:
        """Return remarks that rest on a rule which was given, about elements that were named."""
        if not rules.chunks:
            return ()
        words = self.words
        said = _asked(self.model, words, words.infer, _prompt(task, draft, rules, words), self.max_tokens)
        if isinstance(said, str):
            return (*self.fallback.infer(task, draft, rules), _unavailable(words, said))
        findings = []
        for entry in said:
            chunk = _ground(entry, rules)
            element = _line(entry, "element")
            if chunk is not None and (not task.elements or element in task.elements):
                problem = _line(entry, "problem")
                message = f"{element}: {problem}" if element else problem
                severity = "error" if entry.get("severity") == "error" else "info"
                findings.append(Finding(message, chunk.chunk_id, severity))  # type: ignore[arg-type]  # one of both
        return tuple(dict.fromkeys(findings))


@dataclass(frozen=True, slots=True)
class ChatQa:
    """Asks a chat model which rules a draft breaks; `fallback` speaks when it cannot be heard."""

    model: ChatModel
    words: Prompts
    fallback: QaAgent
    max_tokens: int = 2048

    def check(self, task: ChapterTask, draft: str, rules: RulePack) -> Sequence[Finding]:
        """Return findings that quote the draft and a rule which was given and holds."""
        if not rules.chunks:
            return ()
        words = self.words
        said = _asked(self.model, words, words.check, _prompt(task, draft, rules, words), self.max_tokens)
        if isinstance(said, str):
            return (*self.fallback.check(task, draft, rules), _unavailable(words, said))
        text = _normal(draft)
        findings = []
        for entry in said:
            chunk = _ground(entry, rules)
            passage = _normal(_line(entry, "text"))
            if chunk is not None and len(passage) >= _SHORTEST_QUOTE and passage in text:
                rule = f"「{_line(entry, 'rule')}」 {chunk.source_uri}"
                findings.append(
                    Finding(f"「{_line(entry, 'text')}」: {_line(entry, 'problem')} ({rule})", chunk.chunk_id)
                )
        return tuple(dict.fromkeys(findings))


Entry = Mapping[str, object]


def _asked(model: ChatModel, words: Prompts, system: str, prompt: str, max_tokens: int) -> Sequence[Entry] | str:
    """Return the entries of the model's JSON list, or why there are none."""
    messages = [ChatMessage("system", system), ChatMessage("user", prompt)]
    problem = ""
    for _ in range(_ATTEMPTS):
        try:
            answer = model.complete(messages, max_tokens=max_tokens).text
            return _entries(answer)
        except ValueError as error:
            problem = str(error)
            messages = [*messages, ChatMessage("assistant", answer[:_MOST_DRAFT]), ChatMessage("user", words.again)]
        except Exception as error:  # noqa: BLE001  # a model of somebody else's may raise anything
            return error.message if isinstance(error, KisokuError) else one_line(error)
    return problem


def _entries(answer: str) -> Sequence[Entry]:
    """Return the entries of a JSON list inside an answer.

    Raises:
        ValueError: There is none.
    """
    found = _LIST.search(_REASONING.sub("", answer))
    if found is None:
        msg = "the model's answer holds no JSON list"
        raise ValueError(msg)
    try:
        entries = json.loads(found.group())
    except (ValueError, RecursionError) as error:
        msg = "the model's answer holds no valid JSON list"
        raise ValueError(msg) from error
    if not isinstance(entries, list):
        msg = "the model's answer is no JSON list"
        raise ValueError(msg)  # noqa: TRY004  # wrong text of a model, no wrong type of a caller
    return [entry for entry in entries[:_MOST_FINDINGS] if isinstance(entry, dict)]


def _ground(entry: Entry, rules: RulePack) -> RuleChunk | None:
    """Return the chunk that holds the rule an entry quotes; None when none does, or the rule lost a decision."""
    quote = _normal(_line(entry, "rule"))
    if len(quote) < _SHORTEST_QUOTE or not _line(entry, "problem"):
        return None
    for chunk in rules.chunks:
        if quote in _normal(chunk.content):
            return None if _is_overruled(quote, chunk, rules) else chunk
    return None


def _is_overruled(quote: str, chunk: RuleChunk, rules: RulePack) -> bool:
    for rule in split_rules(rule_text(chunk)):
        if rule_hash(chunk.doc_id, rule.quote) in rules.overruled:
            lost = _normal(rule.quote)
            if quote in lost or lost in quote:
                return True
    return False


def _prompt(task: ChapterTask, draft: str, rules: RulePack, words: Prompts) -> str:
    return f"{_about(task, words)}\n\n{rules.text}\n\n{words.draft}:\n{_fenced(draft[:_MOST_DRAFT])}"


def _about(task: ChapterTask, words: Prompts) -> str:
    lines = [f"{words.chapter}: {task.title}"]
    for label, value in (
        (words.topics, "、".join(task.topics)),
        (words.elements, ", ".join(task.elements)),
        (words.relation, task.relation),
    ):
        if value:
            lines.append(f"{label}: {value}")
    return "\n".join(lines)


def _fenced(text: str) -> str:
    fence = "`" * max([3, *(len(run) + 1 for run in _FENCE.findall(text))])
    return f"{fence}\n{text}\n{fence}"


def _line(entry: Entry, key: str) -> str:
    value = entry.get(key)
    return " ".join(str(value).split())[:_LONGEST_PROBLEM] if isinstance(value, str | int) else ""


def _normal(text: str) -> str:
    """Return text as it is compared: compatible forms alike, white space and Markdown's marks away."""
    return re.sub(r"[\s*_`|#>-]+", "", unicodedata.normalize("NFKC", text)).casefold()


def _unavailable(words: Prompts, cause: str) -> Finding:
    return Finding(words.unavailable.format(cause=" ".join(cause.split())[:_LONGEST_PROBLEM]), "", "info")
