"""Strategy `heading`: sections become chunks, short sub-sections are quoted together."""

from dataclasses import dataclass

from ....domain.blocks import Heading
from .flow import Flow, Span
from .measure import Measure
from .sections import Section, is_container, sections
from .units import Unit, body_units


@dataclass(frozen=True, slots=True)
class _Entry:
    """A unit and what it would be as part of its parent section.

    Attributes:
        unit: The unit as it stands alone.
        home: Path of the section that it may join; None when it must stand alone.
        spans: Its spans as part of that section, its own heading as a line of its own.
    """

    unit: Unit
    home: tuple[int, ...] | None = None
    spans: tuple[Span, ...] = ()


def heading_units(flow: Flow, measure: Measure) -> list[Unit]:
    """Return the units of a document by its headings, in order."""
    entries: list[_Entry] = []
    for section in sections(flow):
        units = body_units(flow, section.body, section.path, measure)
        if not units and section.leaf and section.path and flow.has_text(section.path[-1]):
            # A heading that nothing follows is text of the section above it, so that it is not lost.
            above = section.path[:-1]
            bare = body_units(flow, section.path[-1:], above, measure)
            home = above if len(bare) == 1 and _is_section(flow, above) else None
            entries += [_Entry(unit, home, unit.spans) for unit in bare]
        elif len(units) == 1:
            entries.append(_single(flow, section, units[0], measure))
        else:
            entries += map(_Entry, units)
    return _quote_together(entries, measure)


def _single(flow: Flow, section: Section, unit: Unit, measure: Measure) -> _Entry:
    home = section.path[:-1] if section.leaf else section.path
    spans = (flow.spans[section.path[-1]], *unit.spans) if section.leaf and section.path else unit.spans
    short = unit.tokens < measure.options.min_tokens and unit.kind not in {"table", "boilerplate"}
    if short and _is_section(flow, home) and measure.tokens(spans) < measure.options.min_tokens:
        return _Entry(unit, home, spans)
    return _Entry(unit)


def _is_section(flow: Flow, path: tuple[int, ...]) -> bool:
    """Chapters and sheets are never quoted together: only what stands under one real heading."""
    return any(not is_container(flow, index) for index in path)


def _quote_together(entries: list[_Entry], measure: Measure) -> list[Unit]:
    """Join neighbouring short parts of one section until they reach the lower limit."""
    groups: list[list[_Entry]] = []
    sizes: list[int] = []
    for entry in entries:
        joins = bool(groups) and entry.home is not None and groups[-1][-1].home == entry.home
        if joins and sizes[-1] < measure.options.min_tokens:
            spans = [span for member in (*groups[-1], entry) for span in member.spans]
            tokens = measure.tokens(spans)
            if tokens <= measure.options.max_tokens:
                groups[-1].append(entry)
                sizes[-1] = tokens
                continue
        groups.append([entry])
        sizes.append(measure.tokens(entry.spans) if entry.home is not None else measure.options.max_tokens)
    _join_rest(groups, measure)
    return [_unit(group, measure) for group in groups]


def _join_rest(groups: list[list[_Entry]], measure: Measure) -> None:
    """Let a single short part at the end of a section join the group before it."""
    for index in range(len(groups) - 1, 0, -1):
        before, last = groups[index - 1], groups[index]
        if len(last) == 1 and len(before) > 1 and last[0].home is not None and last[0].home == before[0].home:
            spans = [span for member in (*before, *last) for span in member.spans]
            if measure.tokens(spans) <= measure.options.max_tokens:
                groups[index - 1 : index + 1] = [[*before, *last]]


def _unit(group: list[_Entry], measure: Measure) -> Unit:
    if len(group) == 1 or group[0].home is None:
        return group[0].unit
    spans = tuple(span for member in group for span in member.spans)
    kinds = {member.unit.kind for member in group}
    kind = kinds.pop() if len(kinds) == 1 else "text"
    return Unit(spans, group[0].home, kind, measure.tokens(spans))


def slide_units(flow: Flow, measure: Measure) -> list[Unit]:
    """Return one unit a slide, two neighbouring slides together while both are short."""
    units: list[Unit] = []
    mergeable: list[tuple[Span, ...] | None] = []
    for slide in _slides(flow):
        spans = tuple(flow.spans[index] for index in slide.body)
        tokens = measure.size(spans)
        if tokens <= measure.options.max_tokens:
            tokens = measure.tokens(spans)
        whole = (*slide.title, *spans)
        if tokens > measure.options.max_tokens:
            for unit in body_units(flow, slide.body, slide.path, measure):
                units.append(Unit(unit.spans, slide.path, "slide", unit.tokens, unit.group))
                mergeable.append(None)
            continue
        short = tokens < measure.options.min_tokens and measure.tokens(whole) < measure.options.min_tokens
        if short and mergeable and mergeable[-1]:
            joined = (*units[-1].spans, *whole)
            size = measure.tokens(joined)
            if size <= measure.options.max_tokens:
                units[-1] = Unit(joined, units[-1].path, "slide", size)
                mergeable[-1] = None
                continue
        units.append(Unit(spans, slide.path, "slide", tokens))
        mergeable.append(whole if short else None)
    return units


@dataclass(frozen=True, slots=True)
class _Slide:
    """One slide: heading path, title, text.

    Attributes:
        path: Block indices of the presentation's sections and the slide's title lines.
        title: Spans of the title lines.
        body: Block indices of its text.
    """

    path: tuple[int, ...]
    title: tuple[Span, ...]
    body: tuple[int, ...]


def _slides(flow: Flow) -> list[_Slide]:
    """Return the slides in order.

    Headings of one slide say nothing about the next: only containers (the sections of a presentation) last.
    A slide that is nothing but its title has the title as its text.
    """
    result: list[_Slide] = []
    containers: list[tuple[int, int]] = []
    titles: list[int] = []
    body: list[int] = []
    current: int | None = None

    def flush() -> None:
        if titles or body:
            above = tuple(index for _, index in containers)
            title = tuple(flow.spans[index] for index in titles)
            result.append(_Slide((*above, *titles), title, tuple(body)) if body else _Slide(above, (), tuple(titles)))
        titles.clear()
        body.clear()

    for index, block in enumerate(flow.blocks):
        if isinstance(block, Heading) and block.container:
            flush()
            containers[:] = [(level, at) for level, at in containers if level < block.level]
            containers.append((block.level, index))
            continue
        if not flow.has_text(index):
            continue
        if block.anchor.slide != current:
            flush()
            current = block.anchor.slide
        if isinstance(block, Heading) and not body:
            titles.append(index)
        else:
            body.append(index)
    flush()
    return result
