"""Chat models in order: the next one answers when the one before cannot."""

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ..config.settings import ChatProviderSettings, ChatSettings
from ..domain.endpoints import Retries
from ..domain.errors import KisokuError, ModelError, TransientModelError
from ..plugins.manager import PluginManager
from ..ports.chat_model import ChatMessage, ChatModel, ChatReply

_MILLION = 1_000_000
HOW_TO = (
    "Name one in a configuration file: chat: {providers: [{adapter: openai-compatible, model: MODEL, base_url: URL, "
    "api_key_env: VARIABLE}]}, or adapter: ollama with a model that `ollama list` shows."
)


@dataclass(frozen=True, slots=True)
class ChatProvider:
    """A chat model with its settings."""

    settings: ChatProviderSettings
    model: ChatModel

    @property
    def label(self) -> str:
        """Adapter and model, for messages."""
        return f"{self.settings.adapter}/{self.settings.model}"

    def priced(self, reply: ChatReply) -> ChatReply:
        """Return a reply with its cost by the price table."""
        cost = (
            reply.prompt_tokens * self.settings.price_per_million_prompt
            + reply.completion_tokens * self.settings.price_per_million_completion
        ) / _MILLION
        return replace(reply, provider=self.label, cost=cost)


class FailoverChat:
    """A `ChatModel` over several providers.

    Each is tried with retries as its settings say; what fails for good or too often is passed over, and the next one
    answers. The order is kept for every call.

    Attributes:
        skipped: Providers left out because their key is missing: label and name of the variable.
    """

    def __init__(
        self,
        providers: Sequence[ChatProvider],
        skipped: Sequence[tuple[str, str]] = (),
        *,
        sleep: Callable[[float], None] | None = None,
    ) -> None:
        self._providers = tuple(providers)
        self.skipped = tuple(skipped)
        self._sleep = sleep
        self._lock = threading.Lock()
        self._untold = list(skipped)

    @property
    def name(self) -> str:
        """Names of the models, in order."""
        return ", ".join(p.model.name for p in self._providers)

    @property
    def usable(self) -> bool:
        """Whether there is anybody to ask."""
        return bool(self._providers)

    def news(self) -> tuple[tuple[str, str], ...]:
        """Return the providers left out, the first time it is asked; nothing afterwards."""
        with self._lock:
            told, self._untold = tuple(self._untold), []
        return told

    def complete(self, messages: Sequence[ChatMessage], *, max_tokens: int = 1024) -> ChatReply:
        """Return the answer of the first provider that gives one, with its cost.

        Raises:
            TransientModelError: Every provider failed, at least one of them only for now.
            ModelError: Every provider failed for good, or none has a key.
        """
        if not self._providers:
            names = ", ".join(dict.fromkeys(variable for _, variable in self.skipped))
            raise ModelError("No chat model can be used: keys are missing.", hint=f"Set {names}.")
        failures: list[ModelError] = []
        for provider in self._providers:
            retries = Retries(provider.settings.max_retries)
            if self._sleep is not None:
                retries = replace(retries, sleep=self._sleep)
            try:
                return provider.priced(retries.run(partial(provider.model.complete, messages, max_tokens=max_tokens)))
            except ModelError as error:
                failures.append(error)
            except KisokuError:
                raise
            except Exception as error:  # noqa: BLE001  # a model of somebody else's may raise anything
                failures.append(ModelError(f"{provider.label} failed: {type(error).__name__}."))
        text = " ".join(str(failure) for failure in failures)
        message = text if len(failures) == 1 else f"Every chat model failed. {text}"
        if any(isinstance(failure, TransientModelError) for failure in failures):
            raise TransientModelError(message)
        raise ModelError(message)


def chat_of(
    settings: ChatSettings, plugins: PluginManager, environment: Mapping[str, str] | None = None
) -> FailoverChat | None:
    """Return the chat models of the settings; nothing is loaded or asked yet. None when none is configured.

    Raises:
        ConfigError: An adapter is unknown or an option wrong.
    """
    if not settings.providers:
        return None
    variables = os.environ if environment is None else environment
    providers: list[ChatProvider] = []
    skipped: list[tuple[str, str]] = []
    for wanted in settings.providers:
        if wanted.api_key_env and not variables.get(wanted.api_key_env, "").strip():
            skipped.append((f"{wanted.adapter}/{wanted.model}", wanted.api_key_env))
            continue
        options: dict[str, object] = {
            "model": wanted.model,
            "base_url": wanted.base_url,
            "api_key_env": wanted.api_key_env,
            "timeout_seconds": wanted.timeout_seconds,
            "extra": wanted.options,
        }
        providers.append(ChatProvider(wanted, plugins.chat_model(wanted.adapter, options)))
    return FailoverChat(providers, skipped)
