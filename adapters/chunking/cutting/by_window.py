"""Strategies `sliding`, `token`, `parent_child` and `hybrid`: windows over the text, with deliberate overlap."""

from collections.abc import Iterator, Sequence

from ....domain.blocks import Heading, Paragraph
from ....domain.chunks import ChunkDraft, ChunkKind
from .drafts import draft
from .flow import Flow, Span
from .measure import Measure
from .sections import is_container, sections
from .split import Limit, windows
from .units import Unit

_PARENT_LIMITS = 4
"""A parent of `hybrid` is at most so many times the upper limit: a sheet of ten thousand rows is no quotation."""


class WindowStrategies:
    """Cuts one document by windows.

    A window's heading path is the one in force where it begins; headings inside it stay lines of its text. No
    window crosses from one container (worksheet) into the next.
    """

    def __init__(self, flow: Flow, measure: Measure, *, slides: bool) -> None:
        self._flow = flow
        self._measure = measure
        self._slides = slides
        self._paths = _paths(flow, slides=slides)

    def sliding(self) -> list[ChunkDraft]:
        """Return windows of `size` characters that share `overlap` characters."""
        options = self._measure.options
        limit, overlap = self._characters(options.size), _at_most(options.overlap)
        return [self._window(span) for segment in self._segments() for span in self._cut(segment, limit, overlap)]

    def token(self) -> list[ChunkDraft]:
        """Return windows of `max_tokens` tokens that share `overlap_tokens` tokens."""
        overlap = self._measure.at_most(self._measure.options.overlap_tokens)
        limit = self._measure.limit
        return [self._window(span) for segment in self._segments() for span in self._cut(segment, limit, overlap)]

    def parent_child(self) -> list[ChunkDraft]:
        """Return parents of `parent_chars` characters, each followed by its children of `child_chars`."""
        options = self._measure.options
        parents = _at_most(options.parent_chars)
        children = self._characters(options.child_chars)
        drafts: list[ChunkDraft] = []
        for segment in self._segments():
            for whole in self._cut(segment, parents, _at_most(options.parent_overlap)):
                parts = list(self._cut(whole, children, _at_most(options.child_overlap)))
                self._family(drafts, [whole], [[part] for part in parts], None)
        return drafts

    def hybrid(self, units: Sequence[Unit]) -> list[ChunkDraft]:
        """Return the units of `heading`; those that were too long as windows that point to their parent.

        A table's pieces stay cut between rows with the header repeated.
        """
        drafts: list[ChunkDraft] = []
        for batch in self._batches(units):
            first = batch[0]
            if len(batch) == 1:
                drafts.append(draft(self._flow, first.spans, first.path, first.kind, first.tokens))
                continue
            # The header that each piece repeats is in the parent once.
            whole = list(dict.fromkeys(span for unit in batch for span in unit.spans))
            if all(len(unit.spans) == 1 for unit in batch):
                options = self._measure.options
                span = (whole[0][0], whole[-1][1])
                cut = self._cut(span, self._characters(options.size), _at_most(options.overlap))
                self._family(drafts, whole, [[part] for part in cut], first)
            else:
                self._family(drafts, whole, [unit.spans for unit in batch], first)
        return drafts

    def _batches(self, units: Sequence[Unit]) -> Iterator[list[Unit]]:
        """Yield the pieces of one whole together, as many as a parent may hold."""
        most = _PARENT_LIMITS * self._measure.options.max_tokens
        batch: list[Unit] = []
        for unit in units:
            same = bool(batch) and unit.group is not None and unit.group == batch[0].group
            if batch and not (same and sum(member.tokens for member in batch) + unit.tokens <= most):
                yield batch
                batch = []
            batch.append(unit)
        if batch:
            yield batch

    def _family(
        self, drafts: list[ChunkDraft], whole: Sequence[Span], parts: Sequence[Sequence[Span]], unit: Unit | None
    ) -> None:
        """Append a parent and its children; a single child needs no parent."""
        if len(parts) == 1:
            drafts.append(self._draft(whole, unit))
            return
        parent = len(drafts)
        drafts.append(self._draft(whole, unit, is_parent=True))
        drafts += [self._draft(spans, unit, parent=parent) for spans in parts]

    def _window(self, span: Span) -> ChunkDraft:
        return self._draft([span], None)

    def _draft(
        self, spans: Sequence[Span], unit: Unit | None, *, parent: int | None = None, is_parent: bool = False
    ) -> ChunkDraft:
        path = unit.path if unit else self._path_at(spans[0][0])
        kind = unit.kind if unit else self._kind(spans)
        tokens = self._measure.tokens(spans)
        return draft(self._flow, spans, path, kind, tokens, parent=parent, is_parent=is_parent)

    def _characters(self, most: int) -> Limit:
        limit = self._measure.limit

        def fill(text: str) -> float:
            characters = len(text) / most
            return characters if characters > 1.0 else max(characters, limit.fill(text))

        return Limit(fill, most)

    def _cut(self, span: Span, limit: Limit, overlap: Limit) -> Iterator[Span]:
        return windows(self._flow, span, limit, overlap)

    def _segments(self) -> Iterator[Span]:
        """Yield the text between containers."""
        begin = 0
        last = 0
        for block, (start, end) in zip(self._flow.blocks, self._flow.spans, strict=True):
            if isinstance(block, Heading) and block.container and last > begin:
                yield begin, last
                begin = last
            if start < end:
                last = end
        if last > begin:
            yield begin, last

    def _path_at(self, start: int) -> tuple[int, ...]:
        touched = self._flow.overlapping([(start, start + 1)])
        if not touched:
            return ()
        index = touched[0]
        path = self._paths[index]
        inside = isinstance(self._flow.blocks[index], Heading) and start > self._flow.spans[index][0]
        return (*path, index) if inside else path

    def _kind(self, spans: Sequence[Span]) -> ChunkKind:
        if self._slides:
            return "slide"
        kinds: set[ChunkKind] = set()
        for index in self._flow.overlapping(spans):
            block = self._flow.blocks[index]
            if isinstance(block, Paragraph):
                kinds.add(block.kind)
            else:
                kinds.add("text" if isinstance(block, Heading) else "table")
        return kinds.pop() if len(kinds) == 1 else "text"


def _at_most(characters: int) -> Limit:
    # Half a character for none: an overlap of zero is a limit too.
    most = max(characters, 0.5)
    return Limit(lambda text: len(text) / most, max(characters, 1))


def _paths(flow: Flow, *, slides: bool) -> dict[int, tuple[int, ...]]:
    """Return the heading path above each block: on slides, that of the block's own slide alone."""
    result: dict[int, tuple[int, ...]] = {}
    for section in sections(flow):
        if section.path:
            result[section.path[-1]] = section.path[:-1]
        result.update(dict.fromkeys(section.body, section.path))
    if slides:
        for index, path in result.items():
            own = flow.blocks[index].anchor.slide
            result[index] = tuple(at for at in path if flow.blocks[at].anchor.slide == own or is_container(flow, at))
    return result
