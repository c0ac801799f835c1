"""Models behind HTTP: what every adapter needs to say of an endpoint, and when another try is worth it."""

import email.utils
import math
import os
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from .errors import ConfigError, ModelError, TransientModelError

R = TypeVar("R")
_TRANSIENT: Final = frozenset({408, 409, 425, 429})
_TOO_MANY: Final = 429
_SERVER_FAULT: Final = 500
_MOST_OF_A_BODY: Final = 200
_HINTS: Final[Mapping[int, str]] = {
    401: "Check the key.",
    403: "Check the key and what it may use.",
    404: "Check the model's name and base_url.",
    413: "Send less at once.",
}


class Endpoint(BaseModel):
    """Where a model answers.

    Attributes:
        model: The model's name there.
        base_url: Root of the API; "" for the adapter's own default.
        api_key_env: Environment variable that holds the key; "" for an endpoint without one.
        timeout_seconds: For connecting and for each pause while reading.
        extra: Further fields of each request (temperature, num_ctx).
    """

    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=())

    model: Annotated[str, Field(min_length=1)]
    base_url: str = ""
    api_key_env: str = ""
    timeout_seconds: Annotated[float, Field(gt=0)] = 60.0
    extra: dict[str, Any] = Field(default_factory=dict)

    @classmethod
    def of(cls, options: Mapping[str, object], who: str) -> "Endpoint":
        """Return an endpoint from the options of an adapter.

        Raises:
            ConfigError: An option is missing, unknown or malformed.
        """
        try:
            return cls.model_validate(dict(options))
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"]))
            raise ConfigError(f"The option {place} of {who} is wrong: {first['msg']}.") from error

    @property
    def label(self) -> str:
        """The model and where it answers, for messages."""
        return f"{self.model} at {self.base_url}" if self.base_url else self.model

    @property
    def key(self) -> str:
        """The key from the environment, "" when there is none; read anew each time and kept nowhere."""
        return os.environ.get(self.api_key_env, "").strip() if self.api_key_env else ""

    def failure(self, status: int, body: str, headers: Mapping[str, str]) -> ModelError:
        """Return the error of an HTTP status: transient when a later try may succeed."""
        shown = " ".join(self.redacted(body).split())[:_MOST_OF_A_BODY]
        message = f"{self.label} answered with status {status}" + (f": {shown}" if shown else ".")
        spent = status == _TOO_MANY and "insufficient_quota" in body
        if (status in _TRANSIENT or status >= _SERVER_FAULT) and not spent:
            return TransientModelError(message, retry_after=retry_after_seconds(headers))
        hint = "The account has no credit left." if spent else _HINTS.get(status, "")
        if self.api_key_env and status in {401, 403}:
            hint = f"Check the key in the variable {self.api_key_env}."
        return ModelError(message, hint=hint)

    def unreachable(self, error: Exception) -> TransientModelError:
        """Return the error of a connection that was refused, cut or too slow."""
        cause = self.redacted(f"{type(error).__name__}: {error}".splitlines()[0])
        return TransientModelError(f"{self.label} cannot be reached: {cause.rstrip(': ')}.")

    def nonsense(self, what: str) -> TransientModelError:
        """Return the error of an answer that is none; servers under load give such, so another try may help."""
        return TransientModelError(f"{self.label} returned {what}.")

    def redacted(self, text: str) -> str:
        """Return text without the key, which some servers repeat."""
        key = self.key
        return text.replace(key, "***") if key else text


def retry_after_seconds(headers: Mapping[str, str], *, now: Callable[[], float] = time.time) -> float | None:
    """Return how long a server asks to wait (RFC 9110 §10.2.3: seconds or a date), None when it does not say."""
    value = next((v for k, v in headers.items() if k.lower() == "retry-after"), "").strip()
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(value).timestamp() - now()
        except (TypeError, ValueError, OverflowError):
            return None
    return max(0.0, seconds) if math.isfinite(seconds) else None


@dataclass(frozen=True, slots=True)
class Retries:
    """How often and after which pauses a call is tried again.

    The pause doubles from `first_seconds` and is shortened by up to a quarter at random, so that many callers do not
    come back at once. A server's own Retry-After is honoured up to `longest_seconds`; more is not waited for.
    """

    most: int = 2
    first_seconds: float = 0.5
    longest_seconds: float = 30.0
    sleep: Callable[[float], None] = time.sleep

    def run(self, call: Callable[[], R]) -> R:
        """Return what a call returns.

        Raises:
            TransientModelError: It failed each time, or the server asks for too long a pause.
            ModelError: It failed for good.
        """
        tries = 0
        while True:
            try:
                return call()
            except TransientModelError as error:
                tries += 1
                if not self.again(error, tries):
                    raise

    def again(self, error: TransientModelError, failures: int) -> bool:
        """Wait before another try and return True, or return False when there shall be none."""
        if failures > self.most:
            return False
        if error.retry_after is not None:
            if error.retry_after > self.longest_seconds:
                return False
            self.sleep(error.retry_after)
            return True
        pause = min(self.longest_seconds, self.first_seconds * 2 ** (failures - 1))
        self.sleep(pause * (1 - random.random() / 4))  # noqa: S311  # spreads callers, guards nothing
        return True
