"""A model server on loopback that behaves, or misbehaves as it is told.

It speaks what the adapters speak: `/chat/completions` and `/embeddings` of OpenAI (below any prefix), `/api/chat`
and `/api/embed` of Ollama. Nothing leaves the machine.
"""

import contextlib
import hashlib
import json
import math
import random
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How one request is answered.

    Attributes:
        status: HTTP status.
        body: JSON value, or text as it stands; None for the answer a good server gives.
        headers: Further headers.
        seconds: Wait before anything is sent.
        cut: Close the connection in the middle of the body.
    """

    status: int = 200
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked: path, headers in lower case, JSON body."""

    path: str
    headers: Mapping[str, str]
    body: Any


class ModelServer:
    """Answers chats with `reply` and embeds texts as unit vectors that depend on the text alone.

    Example:
        >>> from kisoku.testing.model_server import Behaviour, ModelServer
        >>> with ModelServer() as server:
        ...     server.next(Behaviour(status=503), Behaviour(seconds=2))
        ...     server.url.startswith("http://127.0.0.1:")
        True
    """

    def __init__(self, *, dimension: int = 8, seed: str = "") -> None:
        self.dimension = dimension
        self.seed = seed
        self.reply: str | Callable[[Request], str] = "answer"
        self.requests: list[Request] = []
        self._script: deque[Behaviour] = deque()
        self._always: Callable[[Request], Behaviour | None] = lambda _: None
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        """Root of the server."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def next(self, *behaviours: Behaviour) -> None:
        """Answer the next requests so, one each; afterwards the server behaves."""
        self._script.extend(behaviours)

    def always(self, choose: Callable[[Request], Behaviour | None]) -> None:
        """Answer every request as a function says; None for a good answer."""
        self._always = choose

    def vector(self, text: str) -> list[float]:
        """Return the vector of a text, of length 2: whoever needs unit vectors has to make them."""
        digest = hashlib.sha256(f"{self.seed}{text}".encode()).digest()
        source = random.Random(digest)  # noqa: S311  # the same text, the same vector
        row = [source.uniform(-1, 1) for _ in range(self.dimension)]
        length = math.sqrt(sum(x * x for x in row))
        return [2 * x / length for x in row]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def behaviour(self, request: Request) -> Behaviour:
        """Return how a request is answered, and remember it."""
        self.requests.append(request)
        if self._script:
            return self._script.popleft()
        return self._always(request) or Behaviour()

    def good(self, request: Request) -> Any:
        """Return what a good server answers."""
        model = request.body.get("model", "")
        if request.path.endswith("/chat/completions"):
            return {
                "id": "chat-1",
                "object": "chat.completion",
                "model": model,
                "choices": [{"index": 0, "message": self._message(request), "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100},
            }
        if request.path.endswith("/api/chat"):
            return {
                "model": model,
                "message": self._message(request),
                "done": True,
                "done_reason": "stop",
                "prompt_eval_count": 1000,
                "eval_count": 100,
            }
        texts = request.body["input"]
        rows = [self.vector(text) for text in ([texts] if isinstance(texts, str) else texts)]
        if request.path.endswith("/embeddings"):
            data = [{"object": "embedding", "index": i, "embedding": row} for i, row in enumerate(rows)]
            # Servers may answer in any order; the index counts.
            return {"object": "list", "model": model, "data": data[::-1], "usage": {}}
        return {"model": model, "embeddings": rows}

    def _message(self, request: Request) -> dict[str, str]:
        return {"role": "assistant", "content": self.reply(request) if callable(self.reply) else self.reply}


def _handler(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:  # the library's name
            length = int(self.headers.get("content-length", 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = Request(self.path, headers, json.loads(self.rfile.read(length)))
            behaviour = server.behaviour(request)
            if behaviour.seconds:
                time.sleep(behaviour.seconds)
            body = server.good(request) if behaviour.body is None and behaviour.status < 300 else behaviour.body
            data = (body if isinstance(body, str) else json.dumps(body)).encode()
            with contextlib.suppress(OSError):  # whoever asked may be gone
                self._send(behaviour, data)

        def _send(self, behaviour: Behaviour, data: bytes) -> None:
            self.send_response(behaviour.status)
            for name, value in ({"content-type": "application/json"} | dict(behaviour.headers)).items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data[: len(data) // 2] if behaviour.cut else data)
            if behaviour.cut:
                self.close_connection = True

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the library's name
            """Say nothing."""

    return Handler


@contextlib.contextmanager
def model_servers(count: int, **options: Any) -> Iterator[Sequence[ModelServer]]:
    """Run several servers, closed together."""
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(ModelServer(**options)) for _ in range(count)]
