"""The report of `kisoku chunks --html`: one page without scripts or outside resources.

Everything that comes from a document is escaped; ids are made of numbers alone. The page's policy forbids scripts
and connections besides, should an escape ever fail.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from .chunk_page_style import STYLE
from .chunk_page_words import WORDS, Words
from .chunk_report import percent, place_name

if TYPE_CHECKING:
    from ...domain.accounting import Gap
    from ...domain.blocks import Anchor
    from ...domain.chunks import ChunkDraft
    from ...domain.notices import Language
    from ...orchestration.chunk_report import FileReport, LeftOut

_TITLE_FILES = 3
_MOST_OPEN = 8
"""So many texts left out at one place are shown at once, more on a click."""
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_ROW = re.compile(r"[A-Za-z]+(\d+)")
_LAST = 1_000_000_000
_BEFORE, _BEHIND = 0, 1


def page_of(reports: Sequence["FileReport"], language: "Language") -> str:
    """Return the page for the reports of some files."""
    words = WORDS[language]
    sections = [_File(number, report, words) for number, report in enumerate(reports, start=1)]
    names = ", ".join(report.file for report in reports[:_TITLE_FILES]) + ("…" if reports[_TITLE_FILES:] else "")
    return "\n".join(
        (
            "<!DOCTYPE html>",
            f'<html lang="{language}"><head><meta charset="utf-8">',
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>kisoku chunks: {_text(names)}</title>",
            f"<style>{STYLE}</style></head><body>",
            f'<nav aria-label="{words.outline}">',
            *(line for section in sections for line in section.navigation()),
            "</nav><main>",
            *(line for section in sections for line in section.body()),
            "</main></body></html>\n",
        )
    )


class _File:
    """The section of one file."""

    def __init__(self, number: int, report: "FileReport", words: Words) -> None:
        self._id = f"f{number}"
        self._report = report
        self._words = words

    def navigation(self) -> Iterator[str]:
        """Yield the file's part of the sidebar."""
        report, words = self._report, self._words
        alarm = ' class="gap"' if report.has_gap or report.error else ""
        yield f'<details open><summary><a href="#{self._id}"{alarm}>{_text(report.file)}</a></summary><ul>'
        for number, entry in enumerate(report.outline):
            yield (
                f'<li class="l{min(entry.level, 6)}"><a href="#{self._id}h{number}">{_text(entry.text) or "…"}</a> '
                f'<span class="count">{entry.chunks}</span></li>'
            )
        if report.left_out:
            yield f'<li class="l1"><a href="#{self._id}o">{words.left_out}</a></li>'
        yield "</ul></details>"

    def body(self) -> Iterator[str]:
        """Yield the document: headings, chunks, and what was left out."""
        report = self._report
        yield f'<section id="{self._id}"><h1>{_text(report.file)}</h1>'
        if report.error is not None:
            yield f'<p class="alarm">{_text(report.error.category)}: {_text(str(report.error))}</p></section>'
            return
        yield from self._gaps()
        yield from self._summary()
        placed, rest = _placed(report)
        headings = self._headings()
        for number, draft in enumerate(report.drafts):
            yield from headings.get(number, ())
            yield from self._omissions(placed.get((number, _BEFORE), ()))
            yield from self._chunk(number, draft)
            yield from self._omissions(placed.get((number, _BEHIND), ()))
        yield from headings.get(len(report.drafts), ())
        yield from self._left_out(rest)
        yield "</section>"

    def _gaps(self) -> Iterator[str]:
        account, words = self._report.account, self._words
        if account is None or not account.missing:
            return
        yield f'<div class="alarm" role="alert"><p><strong>{words.gap.format(count=account.missing)}</strong> '
        yield f"{words.gap_cause.format(chunker=_text(self._report.chunker))}</p><ul>"
        for gap in account.gaps:
            yield f"<li>{_gap_text(gap, words)}</li>"
        yield "</ul></div>"

    def _summary(self) -> Iterator[str]:
        report, words = self._report, self._words
        rows = [(words.read_by, f"{report.chunker} ({report.provider})")]
        kinds = ", ".join(f"{words.kinds.get(kind, kind)} {count}" for kind, count in report.kinds.items())
        rows.append((words.chunks, f"{len(report.drafts)} ({kinds})" if kinds else "0"))
        if report.tokens:
            least, middle, most = report.tokens.least, report.tokens.median, report.tokens.most
            rows.append((words.tokens, words.spread.format(least=least, median=f"{middle:g}", most=most)))
        account = report.account
        if account is None or report.coverage is None:
            rows.append((words.coverage, words.unknown))
        else:
            share = 100 * account.chunked / account.characters if account.characters else 0.0
            figures = words.figures.format(
                all=account.characters, chunked=account.chunked, share=percent(share), omitted=account.omitted
            )
            rows.append((words.coverage, f"{percent(report.coverage)} % — {figures}"))
        yield '<dl class="summary">'
        for label, value in rows:
            yield f"<div><dt>{label}</dt><dd>{_text(value)}</dd></div>"
        yield "</dl>"

    def _headings(self) -> dict[int, list[str]]:
        """Return the headings before each chunk; one that is part of a chunk's text is only a mark to jump to."""
        found: defaultdict[int, list[str]] = defaultdict(list)
        for number, entry in enumerate(self._report.outline):
            name = f"{self._id}h{number}"
            if entry.inside:
                # The chunk that holds it stands before.
                found[entry.before - 1].append(f'<span id="{name}"></span>')
                continue
            level = min(entry.level + 1, 6)
            kind = ' class="container"' if entry.container else ""
            found[entry.before].append(f'<h{level} id="{name}"{kind}>{_text(entry.text)}</h{level}>')
        return found

    def _chunk(self, number: int, draft: "ChunkDraft") -> Iterator[str]:
        words = self._words
        kind = words.kinds.get(draft.kind, draft.kind)
        family = ""
        if draft.is_parent:
            family = f'<span class="family">{words.kinds["parent"]}</span>'
        elif draft.parent is not None:
            family = f'<a class="family" href="#{self._id}c{draft.parent + 1}">{words.part_of} #{draft.parent + 1}</a>'
        name = f"{self._id}c{number + 1}"
        style = "chunk parent" if draft.is_parent else "chunk"
        yield f'<article id="{name}" class="{style}" data-kind="{_text(draft.kind)}">'
        yield (
            f'<header><a class="number" href="#{name}">#{number + 1}</a><span class="kind">{_text(kind)}</span>'
            f'<span class="tokens">{draft.token_count} {words.length_unit}</span>{family}'
            f'<span class="path">{_text(" › ".join(draft.headings))}</span>'
            f"<code>{_text(draft.locator.uri(self._report.name))}</code></header>"
        )
        yield f'<div class="text">{_text(draft.content)}</div></article>'

    def _omissions(self, items: Sequence["LeftOut"]) -> Iterator[str]:
        if not items:
            return
        if len(items) > _MOST_OPEN:
            yield f"<details><summary>{self._words.left_out}: {len(items)}</summary>"
        for item in items:
            reason, meaning = self._words.reasons.get(item.reason, (item.reason, ""))
            place = place_name(item.anchor, self._words.slide)
            label = f'<b title="{_text(meaning)}">{_text(reason)}</b>{f" {_text(place)}" if place else ""}'
            cut = len("".join(item.text.split())) < item.characters
            more = f" … ({self._words.characters.format(count=item.characters)})" if cut else ""
            yield f'<div class="omitted"><span>{label}</span><div class="text">{_text(item.text)}{more}</div></div>'
        if len(items) > _MOST_OPEN:
            yield "</details>"

    def _left_out(self, rest: Sequence["LeftOut"]) -> Iterator[str]:
        report, words = self._report, self._words
        if not report.left_out:
            return
        yield f'<h2 id="{self._id}o">{words.left_out}</h2><table><thead><tr>'
        yield f"<th>{words.reason}</th><th>{words.meaning}</th><th>{words.texts}</th><th>{words.size}</th></tr></thead>"
        for reason, items in report.by_reason.items():
            name, meaning = words.reasons.get(reason, (reason, ""))
            size = sum(item.characters for item in items)
            yield f"<tr><td>{_text(name)}</td><td>{_text(meaning)}</td><td>{len(items)}</td><td>{size}</td></tr>"
        yield "</table>"
        if rest:
            yield f"<h3>{words.no_place}</h3>"
            by_reason: defaultdict[str, list[LeftOut]] = defaultdict(list)
            for item in rest:
                by_reason[item.reason].append(item)
            for items in by_reason.values():
                yield from self._omissions(items)


def _gap_text(gap: "Gap", words: Words) -> str:
    place = place_name(gap.anchor, words.slide)
    more = f" … ({words.characters.format(count=gap.characters)})" if len(gap.text) < gap.characters else ""
    return f"{_text(place)} <q>{_text(gap.text)}</q>{more}"


def _text(text: str) -> str:
    """Return text of a document for a page."""
    return escape(_UNPRINTABLE.sub("\ufffd", text))


def _placed(report: "FileReport") -> tuple[dict[tuple[int, int], list["LeftOut"]], list["LeftOut"]]:
    """Return what was left out by the chunk before or behind which it stands, and what has no place there."""
    slides: list[tuple[int, int]] = []
    rows: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, draft in enumerate(report.drafts):
        if draft.locator.slides is not None:
            slides.append((draft.locator.slides[0], number))
        if draft.locator.sheet is not None:
            rows[draft.locator.sheet].append((_row(draft.locator.cells, 0), number))
    placed: defaultdict[tuple[int, int], list[LeftOut]] = defaultdict(list)
    rest: list[LeftOut] = []
    for item in report.left_out:
        position = _position(item.anchor, slides, rows)
        (rest if position is None else placed[position]).append(item)
    return placed, rest


def _position(
    anchor: "Anchor", slides: Sequence[tuple[int, int]], rows: dict[str, list[tuple[int, int]]]
) -> tuple[int, int] | None:
    if anchor.slide is not None and slides:
        key, known = anchor.slide, slides
    elif anchor.sheet is not None and anchor.sheet in rows:
        key, known = _row(anchor.cells, _LAST), rows[anchor.sheet]
    else:
        return None
    behind = max((number for start, number in known if start <= key), default=None)
    return (known[0][1], _BEFORE) if behind is None else (behind, _BEHIND)


def _row(cells: str | None, otherwise: int) -> int:
    match = _ROW.match(cells or "")
    return int(match[1]) if match else otherwise
