"""Chat models behind an OpenAI-compatible endpoint, through the official client."""

from collections.abc import Mapping, Sequence
from typing import Any

from ...domain.endpoints import Endpoint
from ...domain.errors import ModelError
from ...ports.chat_model import ChatMessage, ChatReply


class OpenAICompatibleChat:
    """One endpoint that speaks `/chat/completions`: OpenAI, Azure, vLLM, LM Studio, llama.cpp and many others.

    A call is one request; who calls decides about another try. The key stands in the environment only.

    Args:
        options: Fields of `Endpoint`; without `base_url` the client's own default.
    """

    def __init__(self, options: Mapping[str, object]) -> None:
        self._endpoint = Endpoint.of(options, "openai-compatible")

    @property
    def name(self) -> str:
        """The model's name."""
        return self._endpoint.model

    def complete(self, messages: Sequence[ChatMessage], *, max_tokens: int = 1024) -> ChatReply:
        """Return the model's answer.

        Raises:
            ModelError: The client is not installed, the key is refused, the model is unknown.
            TransientModelError: The endpoint is slow, overloaded, unreachable, or its answer is none.
        """
        endpoint = self._endpoint
        try:
            import openai
        except ImportError as error:
            raise ModelError(
                "OpenAI-compatible models need the package openai.",
                hint="Install it with: pip install 'kisoku[openai]'",
            ) from error
        # OpenAI's newer models know only the new name, other servers often only the old one.
        limit = "max_tokens" if endpoint.base_url else "max_completion_tokens"
        wanted: dict[str, Any] = {
            "model": endpoint.model,
            "messages": [{"role": m.role, "content": m.content} for m in messages],
            limit: max_tokens,
            "extra_body": endpoint.extra or None,
        }
        try:
            # Beside what a model takes to answer, a connection costs nothing, and nothing is left open.
            with openai.OpenAI(
                api_key=endpoint.key or "none",  # the client insists on one; local servers have none
                base_url=endpoint.base_url or None,
                timeout=endpoint.timeout_seconds,
                max_retries=0,
            ) as client:
                answer = client.chat.completions.create(**wanted)
        except openai.APIStatusError as error:
            raise endpoint.failure(error.status_code, error.response.text, error.response.headers) from error
        except openai.APIConnectionError as error:
            raise endpoint.unreachable(error) from error
        except (openai.OpenAIError, ValueError) as error:
            raise endpoint.nonsense(f"an answer that cannot be read ({type(error).__name__})") from error
        return self._reply(answer)

    def _reply(self, answer: Any) -> ChatReply:
        # The client checks nothing: what a server sends may have any shape.
        choices = getattr(answer, "choices", None)
        first = choices[0] if isinstance(choices, list) and choices else None
        text = getattr(getattr(first, "message", None), "content", None)
        if not isinstance(text, str) or not text.strip():
            raise self._endpoint.nonsense("no answer")
        usage = getattr(answer, "usage", None)
        model = getattr(answer, "model", None)
        return ChatReply(
            text=text,
            model=model if isinstance(model, str) and model else self._endpoint.model,
            prompt_tokens=_count(getattr(usage, "prompt_tokens", 0)),
            completion_tokens=_count(getattr(usage, "completion_tokens", 0)),
            truncated=getattr(first, "finish_reason", None) == "length",
        )


def _count(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0
