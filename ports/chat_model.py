"""Port: a chat model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class ChatReply:
    """What the model said.

    Attributes:
        text: The answer.
        model: The model that gave it.
        prompt_tokens: Tokens read, 0 when unknown.
        completion_tokens: Tokens written, 0 when unknown.
        truncated: The answer ended because it reached the limit.
        provider: The endpoint that gave it, "" when there is only one.
        cost: Price of the call in the currency of the price table, 0 without one.
    """

    text: str
    model: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    truncated: bool = False
    provider: str = ""
    cost: float = 0.0


@runtime_checkable
class ChatModel(Protocol):
    """Answers a conversation. `ModelError` for good, `TransientModelError` when a later try may succeed."""

    @property
    def name(self) -> str:
        """Model name."""
        ...

    def complete(self, messages: Sequence[ChatMessage], *, max_tokens: int = 1024) -> ChatReply:
        """Return the model's answer."""
        ...
