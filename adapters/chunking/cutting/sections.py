"""The sections of a document: its headings as paths, and what stands directly under each."""

from dataclasses import dataclass

from ....domain.blocks import Heading
from .flow import Flow


@dataclass(frozen=True, slots=True)
class Section:
    """One heading and the blocks between it and the next heading.

    Attributes:
        path: Block indices of the headings above and of this one, outermost first; empty before the first heading.
        body: Block indices of paragraphs and tables that have text.
        leaf: True when no other section stands under it.
    """

    path: tuple[int, ...]
    body: tuple[int, ...]
    leaf: bool


def sections(flow: Flow) -> list[Section]:
    """Return the sections in document order, every heading once; the part before the first heading has no path."""
    found: list[tuple[tuple[int, ...], list[int]]] = [((), [])]
    path: list[int] = []
    levels: list[int] = []
    for index, block in enumerate(flow.blocks):
        if isinstance(block, Heading):
            while levels and levels[-1] >= block.level:
                levels.pop()
                path.pop()
            levels.append(block.level)
            path.append(index)
            found.append((tuple(path), []))
        elif flow.has_text(index):
            found[-1][1].append(index)
    return [
        Section(own, tuple(body), leaf=number + 1 == len(found) or found[number + 1][0][: len(own)] != own)
        for number, (own, body) in enumerate(found)
    ]


def heading_texts(flow: Flow, path: tuple[int, ...]) -> tuple[str, ...]:
    """Return the texts of a heading path, white space inside them made single spaces, empty ones left out."""
    texts = (_heading(flow, index).text for index in path)
    return tuple(text for text in (" ".join(text.split()) for text in texts) if text)


def is_container(flow: Flow, index: int) -> bool:
    """Return whether the heading is only the name of a container."""
    return _heading(flow, index).container


def heading_locator(flow: Flow, path: tuple[int, ...]) -> str | None:
    """Return the number of the innermost heading, or its text when it has none."""
    for index in reversed(path):
        heading = _heading(flow, index)
        if heading.container:
            return None
        label = heading.number or " ".join(heading.text.split())
        if label:
            return label
    return None


def _heading(flow: Flow, index: int) -> Heading:
    block = flow.blocks[index]
    if not isinstance(block, Heading):
        msg = f"block {index} is no heading"
        raise TypeError(msg)
    return block
