"""`kisoku config check`: whether everything that the settings name is there and can be used."""

import os
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict

from ..config.gate_profiles import gate_profile
from ..config.lexicon import load_lexicon
from ..domain.errors import KisokuError
from ..ports.analyzer import AnalyzerOptions
from .models import choose_embedding, choose_reranker

if TYPE_CHECKING:
    from .bootstrap import Kisoku

_NEEDS_WEIGHTS = "sentence-transformers"
_PING = "kisoku"


class SettingFault(BaseModel):
    """Something that will not do. A `note` is worth knowing, and kisoku does without it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    part: str
    message: str
    hint: str = ""
    severity: Literal["fault", "note"] = "fault"


def check_settings(app: "Kisoku", weights_present: Callable[[str], bool], *, load: bool = False) -> list[SettingFault]:
    """Return what the settings name and is not there, or cannot be used. Nothing is created or changed.

    Args:
        app: The application with these settings, each part made when it is first asked for.
        weights_present: Whether the weights of a model of sentence-transformers are on this machine.
        load: Load the models too, which may take a while, and embed a word with the embedding model.
    """
    checks: dict[str, Callable[[], Iterator[SettingFault]]] = {
        "root": lambda: _root(app.settings.root),
        "query": lambda: _made(lambda: app.understanding),
        "conflicts": lambda: _conflicts(app),
        "embedding": lambda: _embedding(app, weights_present, load=load),
        "rerank": lambda: _rerank(app, weights_present),
        "gates": lambda: _gates(app, weights_present),
        "keyword": lambda: _keyword(app),
        "vector_store": lambda: _vector_store(app),
        "chat": lambda: _chat(app),
        "cache": lambda: _cache(app),
        "sessions": lambda: _made(app.sessions.sessions),
        "tracing": lambda: _made(lambda: app.watching),
    }
    found: list[SettingFault] = []
    for part, check in checks.items():
        try:
            found.extend(fault.model_copy(update={"part": part}) for fault in check())
        except KisokuError as error:
            found.append(SettingFault(part=part, message=error.message, hint=error.hint))
    return found


def _fault(message: str, hint: str = "", severity: Literal["fault", "note"] = "fault") -> SettingFault:
    return SettingFault(part="", message=message, hint=hint, severity=severity)


def _made(make: Callable[[], object]) -> Iterator[SettingFault]:
    """Make something; an error of kisoku is the fault."""
    make()
    yield from ()


def _root(root: Path) -> Iterator[SettingFault]:
    existing = next((folder for folder in (root, *root.absolute().parents) if folder.exists()), root)
    if not existing.is_dir():
        yield _fault(
            f"The handbook folder {root} cannot be created: {existing} is no folder.", "Choose another --root."
        )
    elif not os.access(existing, os.W_OK | os.X_OK):
        yield _fault(f"The handbook folder {root} cannot be written.", "Check permissions, or choose another --root.")


def _conflicts(app: "Kisoku") -> Iterator[SettingFault]:
    before = len(app.plugins.failures)
    load_lexicon(app.settings.conflicts.lexicon, app.plugins.lexicons(), on_error=app.plugins.reject_lexicon)
    for failure in app.plugins.failures[before:]:
        yield _fault(f"The lexicon of plugin {failure.plugin} is left out: {failure.cause}", severity="note")
    yield from _made(lambda: app.conflicts)


def _embedding(app: "Kisoku", weights_present: Callable[[str], bool], *, load: bool) -> Iterator[SettingFault]:
    choice = app.models.named(choose_embedding(app.settings, weights_present))
    embedder = app.models.embedder(choice.adapter, choice.model)
    if choice.adapter == _NEEDS_WEIGHTS:
        yield from _weights(choice.model, weights_present)
    elif load:
        embedder.warm_up()
        embedder.embed_queries([_PING])


def _rerank(app: "Kisoku", weights_present: Callable[[str], bool]) -> Iterator[SettingFault]:
    if not app.settings.rerank.enabled:
        return
    chosen = choose_reranker(app.settings, choose_embedding(app.settings, weights_present))
    if chosen.adapter == "none":
        return
    app.plugins.provider("kisoku_rerankers", chosen.adapter)
    if chosen.adapter == "cross-encoder":
        yield from _weights(chosen.model, weights_present)


def _weights(model: str, weights_present: Callable[[str], bool]) -> Iterator[SettingFault]:
    if find_spec("sentence_transformers") is None:
        yield _fault(f"{model} needs sentence-transformers and torch.", "Install it with: pip install 'kisoku[bge]'")
    elif not Path(model).is_dir() and not weights_present(model):
        yield _fault(
            f"The weights of {model} are not on this machine.",
            f"Download it with: hf download {model}, or name a folder that holds it.",
        )


def _gates(app: "Kisoku", weights_present: Callable[[str], bool]) -> Iterator[SettingFault]:
    gates = app.settings.gates
    if not gates.enabled or gates.profile is None:
        return
    model = app.models.named(choose_embedding(app.settings, weights_present)).model
    if gate_profile(model, gates.profile).model != model:
        yield _fault(
            f"The gate profile {gates.profile} was made for another model than {model}, and does not count.",
            "kisoku eval calibrate --out writes such a file.",
        )


def _keyword(app: "Kisoku") -> Iterator[SettingFault]:
    keyword = app.settings.keyword
    app.plugins.provider("kisoku_keyword_indexes", keyword.adapter)
    yield from _made(lambda: app.plugins.analyzer(keyword.analyzer, AnalyzerOptions(keyword.options)).fingerprint)


def _vector_store(app: "Kisoku") -> Iterator[SettingFault]:
    yield from _made(lambda: app.plugins.provider("kisoku_vector_stores", app.settings.vector_store.adapter))


def _chat(app: "Kisoku") -> Iterator[SettingFault]:
    chat = app.chat_model
    skipped: tuple[tuple[str, str], ...] = getattr(chat, "skipped", ())
    usable = getattr(chat, "usable", True)
    for label, variable in skipped:
        yield _fault(
            f"The chat model {label} is left out: its key is missing.",
            f"Set {variable}.",
            severity="note" if usable else "fault",
        )


def _cache(app: "Kisoku") -> Iterator[SettingFault]:
    for level in app.query_caches:
        level.get((_PING,), 1)
        reason = getattr(level, "fault", "")
        if reason:
            yield _fault(f"The cache cannot be reached: {reason}", "Check cache.redis_url, or leave it empty.")
