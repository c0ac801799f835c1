"""`kisoku mcp`."""

import os
import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from .messages import tr
from .options import Config, Lang, Profile, Root, Set, open_app

if TYPE_CHECKING:
    from ...orchestration.bootstrap import Kisoku

TOKEN_VARIABLE = "KISOKU_MCP_TOKEN"  # noqa: S105  # the name of the variable, no secret


class Transport(StrEnum):
    """How clients reach the server."""

    STDIO = "stdio"
    HTTP = "http"


def mcp(
    transport: Annotated[
        Transport, typer.Option("--transport", help="stdio for a client that starts it; http to listen.")
    ] = Transport.STDIO,
    host: Annotated[str, typer.Option("--host", help="With http: address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="With http: port; 0 takes a free one.")] = 8765,
    allow_decisions: Annotated[
        bool, typer.Option("--allow-decisions", help="Offer resolve_conflict, which records decisions.")
    ] = False,
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
) -> None:
    """Serve the rules to agents over the Model Context Protocol."""
    _require_sdk()
    with open_app(root, config, profile, set_, lang) as app:
        if transport is Transport.HTTP:
            _listen(app, host, port, allow_decisions=allow_decisions)
        else:
            from ..mcp.server import make_server

            # Standard output belongs to the protocol; whatever a library prints goes to standard error.
            make_server(app, allow_decisions=allow_decisions).run("stdio")


def _require_sdk() -> None:
    from importlib.util import find_spec

    from ...domain.errors import ConfigError

    if find_spec("mcp") is None:
        raise ConfigError("The MCP SDK is not installed.", hint="Install it: pip install 'kisoku[mcp]'")


def _listen(app: "Kisoku", host: str, port: int, *, allow_decisions: bool) -> None:
    import asyncio
    import socket

    import uvicorn

    from ...domain.errors import ConfigError
    from ..mcp.http import check_exposure, http_app
    from ..mcp.server import make_server
    from ..mcp.tools import RuleTools

    token = os.environ.get(TOKEN_VARIABLE, "")
    check_exposure(host, token)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
            # From here on clients queue, and the port is taken for others, while the server is still being made.
            listener.listen()
        except OSError as error:
            raise ConfigError(
                f"{host}:{port} cannot be listened on: {error.strerror or error}.", hint="Choose another --port."
            ) from error
        shown = f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{listener.getsockname()[1]}/mcp"
        sys.stderr.write(tr("kisoku MCP server: {address}", address=address) + "\n")
        sys.stderr.flush()
        server = make_server(app, allow_decisions=allow_decisions)
        settings = uvicorn.Config(http_app(server, RuleTools(app), host, token), log_level="warning")
        asyncio.run(uvicorn.Server(settings).serve(sockets=[listener]))
