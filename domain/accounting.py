"""The account of a chunked document: what became of every character, and its outline."""

from dataclasses import dataclass, field

from .blocks import Anchor


@dataclass(frozen=True, slots=True)
class Gap:
    """Text of a document that is neither in a chunk nor left out for a reason: a fault of its chunker.

    Attributes:
        text: The text, white space removed, perhaps only its beginning.
        characters: Its whole length without white space.
        anchor: Where its block stands.
    """

    text: str
    characters: int
    anchor: Anchor = field(default_factory=Anchor)


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A heading and what stands under it.

    Attributes:
        text: As in heading paths.
        level: From 1.
        chunks: Chunks with text of its section, those of the sections below it included; parents do not count.
        before: Index of the first chunk that stands behind it; the number of chunks when none does.
        inside: Whether its line is part of a chunk's content (short sections that are quoted together).
        container: Whether it is only the name of a worksheet or file part.
        anchor: Where it stands.
    """

    text: str
    level: int
    chunks: int
    before: int
    inside: bool = False
    container: bool = False
    anchor: Anchor = field(default_factory=Anchor)


@dataclass(frozen=True, slots=True)
class Account:
    """What became of a document's text; white space does not count.

    Attributes:
        characters: All that was read.
        chunked: Of these, in contents and heading paths.
        omitted: Of these, left out for a reason.
        gaps: Where the rest stands, in document order.
        outline: The headings, in document order.
    """

    characters: int
    chunked: int
    omitted: int
    gaps: tuple[Gap, ...] = ()
    outline: tuple[OutlineEntry, ...] = ()

    @property
    def missing(self) -> int:
        """Characters that are neither in a chunk nor left out for a reason."""
        return self.characters - self.chunked - self.omitted
