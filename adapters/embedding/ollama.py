"""Embedding models of an Ollama server, through its own API."""

from collections.abc import Sequence

from ...domain.endpoints import Endpoint
from .remote import RemoteEmbedder, Row, install_hint, rows_of


class OllamaEmbedder(RemoteEmbedder):
    """Speaks `/api/embed`; the server is asked to refuse what is too long rather than to cut it without a word."""

    adapter = "ollama"
    default_url = "http://localhost:11434"

    def _request(self, endpoint: Endpoint, texts: Sequence[str]) -> list[Row]:
        try:
            import httpx
        except ImportError as error:
            raise install_hint("httpx", "ollama") from error
        headers = {"Authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
        body = {"model": endpoint.model, "input": list(texts), "truncate": False, "options": endpoint.extra}
        try:
            with httpx.Client(timeout=endpoint.timeout_seconds, headers=headers) as client:
                response = client.post(endpoint.base_url.rstrip("/") + "/api/embed", json=body)
            if response.is_error:
                raise endpoint.failure(response.status_code, response.text, response.headers)
            answer = response.json()
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise endpoint.unreachable(error) from error
        except ValueError as error:
            raise endpoint.nonsense("an answer that is no JSON") from error
        return rows_of(answer.get("embeddings") if isinstance(answer, dict) else None, endpoint)
