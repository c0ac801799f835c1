"""Streamable HTTP: a token in front of the SDK's application, and a health page."""

import hmac
import ipaddress
from collections.abc import Awaitable, Callable, MutableMapping
from typing import TYPE_CHECKING, Any

import anyio.to_thread
from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from ...domain.errors import ConfigError
from .tools import RuleTools

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer
    from starlette.applications import Starlette

_Scope = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
_Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
_UNAVAILABLE = 503


def is_loopback(host: str) -> bool:
    """Return whether a host names this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def check_exposure(host: str, token: str) -> None:
    """Refuse to listen beyond this machine without a token.

    Raises:
        ConfigError: There is none.
    """
    if not token and not is_loopback(host):
        raise ConfigError(
            f"Listening on {host} needs a token, since others can reach it.",
            hint="Set KISOKU_MCP_TOKEN, or listen on 127.0.0.1.",
        )


class TokenGate:
    """Lets requests through that carry `Authorization: Bearer <token>`; compared in constant time."""

    def __init__(self, app: "Starlette", token: str) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: _Scope, receive: _Receive, send: _Send) -> None:
        """Serve a request, or answer 401."""
        if scope["type"] == "http":
            given = dict(scope["headers"]).get(b"authorization", b"")
            if not hmac.compare_digest(given, self._expected):
                headers = {"WWW-Authenticate": "Bearer"}
                refusal = JSONResponse({"error": "A valid token is needed."}, status_code=401, headers=headers)
                await refusal(scope, receive, send)
                return
        await self._app(scope, receive, send)


def http_app(server: "MCPServer", tools: RuleTools, host: str, token: str) -> "Starlette | TokenGate":
    """Return the application: `/mcp` for the protocol, `/health` for monitors."""

    async def health(_request: Request) -> JSONResponse:
        answer = await anyio.to_thread.run_sync(tools.health)
        code = _UNAVAILABLE if answer.status == "unavailable" else 200
        return JSONResponse(answer.model_dump(mode="json"), status_code=code)

    # Beyond this machine the token is the protection: which names lead here, only its operator knows.
    security = None if is_loopback(host) else TransportSecuritySettings(enable_dns_rebinding_protection=False)
    app = server.streamable_http_app(host=host, transport_security=security)
    app.router.routes.append(Route("/health", health))
    return TokenGate(app, token) if token else app
