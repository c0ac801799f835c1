"""A search whose arguments are settled."""

import difflib
from dataclasses import dataclass

from ..domain.errors import RetrievalError
from ..domain.search import AGENTS, Agent, SearchRequest
from ..plugins.lifecycle import HeardQuery


@dataclass(frozen=True, slots=True)
class Asked:
    """A search as asked, as it is searched, what plugins did to it, where it is searched, and what else is done.

    Attributes:
        request: As asked.
        asked: As it is searched, after plugins.
        heard: What plugins did.
        version: Where.
        record: It is stored in the session database.
        detect: Conflicts are looked for.
        began: When it was asked, Unix time in seconds.
    """

    request: SearchRequest
    asked: SearchRequest
    heard: HeardQuery
    version: str
    record: bool
    detect: bool
    began: float


def as_agent(name: str) -> Agent:
    """Return the agent of a name.

    Raises:
        RetrievalError: There is none.
    """
    for agent in AGENTS:
        if agent == name.strip().lower():
            return agent
    near = difflib.get_close_matches(name.lower(), AGENTS, n=1)
    hint = f"Did you mean {near[0]}?" if near else f"Agents: {', '.join(AGENTS)}."
    raise RetrievalError(f"There is no agent {name!r}.", hint=hint)
