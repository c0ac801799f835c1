"""Chat models of an Ollama server, through its own API."""

from collections.abc import Mapping, Sequence
from typing import Any

from ...domain.endpoints import Endpoint
from ...domain.errors import ModelError
from ...ports.chat_model import ChatMessage, ChatReply

DEFAULT_URL = "http://localhost:11434"


class OllamaChat:
    """One model of an Ollama server. A call is one request; who calls decides about another try.

    Ollama cuts prompts to its context length without a word: set `extra: {num_ctx: 16384}` to what the evidence needs.

    Args:
        options: Fields of `Endpoint`; `extra` holds the model's options (num_ctx, temperature).
    """

    def __init__(self, options: Mapping[str, object]) -> None:
        self._endpoint = Endpoint.of(options, "ollama")

    @property
    def name(self) -> str:
        """The model's name."""
        return self._endpoint.model

    def complete(self, messages: Sequence[ChatMessage], *, max_tokens: int = 1024) -> ChatReply:
        """Return the model's answer.

        Raises:
            ModelError: The model is not there, or httpx is not installed.
            TransientModelError: The server is slow, busy, unreachable, or its answer is none.
        """
        endpoint = self._endpoint
        body = {
            "model": endpoint.model,
            "messages": [{"role": m.role, "content": m.content} for m in messages],
            "stream": False,
            "options": {"num_predict": max_tokens, **endpoint.extra},
        }
        answer = self._post("/api/chat", body)
        message = answer.get("message") if isinstance(answer, dict) else None
        text = message.get("content") if isinstance(message, dict) else None
        if not isinstance(text, str) or not text.strip():
            raise endpoint.nonsense("no answer")
        return ChatReply(
            text=text,
            model=endpoint.model,
            prompt_tokens=_count(answer.get("prompt_eval_count")),
            completion_tokens=_count(answer.get("eval_count")),
            truncated=answer.get("done_reason") == "length",
        )

    def _post(self, path: str, body: Mapping[str, object]) -> Any:
        try:
            import httpx
        except ImportError as error:
            raise ModelError(
                "Ollama needs the package httpx.", hint="Install it with: pip install 'kisoku[ollama]'"
            ) from error
        endpoint = self._endpoint
        headers = {"Authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
        try:
            with httpx.Client(timeout=endpoint.timeout_seconds, headers=headers) as client:
                response = client.post((endpoint.base_url or DEFAULT_URL).rstrip("/") + path, json=body)
            if response.is_error:
                raise endpoint.failure(response.status_code, response.text, response.headers)
            return response.json()
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise endpoint.unreachable(error) from error
        except ValueError as error:
            raise endpoint.nonsense("an answer that is no JSON") from error


def _count(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0
