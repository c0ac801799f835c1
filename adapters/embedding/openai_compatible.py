"""Embedding models behind an OpenAI-compatible endpoint, through the official client."""

from collections.abc import Sequence
from typing import Any

from ...domain.endpoints import Endpoint
from .remote import RemoteEmbedder, Row, indexed, install_hint, rows_of


class OpenAICompatibleEmbedder(RemoteEmbedder):
    """Speaks `/embeddings`: OpenAI, Azure, vLLM, text-embeddings-inference, LM Studio and many others."""

    adapter = "openai-compatible"

    def _request(self, endpoint: Endpoint, texts: Sequence[str]) -> list[Row]:
        try:
            import openai
        except ImportError as error:
            raise install_hint("openai", "openai") from error
        wanted: dict[str, Any] = {
            "model": endpoint.model,
            "input": list(texts),
            "encoding_format": "float",  # the client's own default, base64, is known to few servers
            "extra_body": endpoint.extra or None,
        }
        if self._own.dimension is not None:
            wanted["dimensions"] = self._own.dimension
        try:
            with openai.OpenAI(
                api_key=endpoint.key or "none",  # the client insists on one; local servers have none
                base_url=endpoint.base_url or None,
                timeout=endpoint.timeout_seconds,
                max_retries=0,
            ) as client:
                answer = client.embeddings.create(**wanted)
        except openai.APIStatusError as error:
            raise endpoint.failure(error.status_code, error.response.text, error.response.headers) from error
        except openai.APIConnectionError as error:
            raise endpoint.unreachable(error) from error
        except (openai.OpenAIError, ValueError) as error:
            raise endpoint.nonsense(f"an answer that cannot be read ({type(error).__name__})") from error
        data = rows_of(getattr(answer, "data", None), endpoint)
        return indexed([(getattr(e, "index", None), getattr(e, "embedding", None)) for e in data], endpoint)
