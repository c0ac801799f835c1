"""The report of `kisoku chunks --report`, on the terminal and as JSON."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .chunk_page_words import WORDS
from .messages import error_text, spoken, tr
from .output import cell, console, counted, excerpt, fail, labelled, print_json, printable, table, warn

if TYPE_CHECKING:
    from rich.table import Table

    from ...domain.accounting import OutlineEntry
    from ...domain.blocks import Anchor
    from ...domain.chunks import ChunkDraft
    from ...orchestration.bootstrap import Kisoku
    from ...orchestration.chunk_report import FileReport, LeftOut

_MOST_LISTED = 20


def show_reports(paths: Sequence[Path], app: "Kisoku", *, report: bool, as_json: bool, page: Path | None) -> bool:
    """Print the report of files, write it as a page, or both.

    Returns:
        Whether no text of any file is lost.

    Raises:
        BuildError: A path does not exist.
        ConfigError: The page cannot be written.
    """
    from ...orchestration.chunk_report import report_files

    reports: list[FileReport] = []
    complete = True
    for file in report_files(paths, app.chunking_tools):
        complete = complete and not file.has_gap
        if report and not as_json:
            _print(file)
        elif not report and file.has_gap:
            fail(f"{file.file}: {_gap_line(file)}")
        if as_json or page:
            reports.append(file)
    if as_json:
        print_json({"files": [_as_json(file) for file in reports]})
    if page:
        from ...domain.errors import ConfigError
        from .chunk_page import page_of

        try:
            page.write_bytes(page_of(reports, app.language).encode("utf-8", "replace"))
        except OSError as error:
            raise ConfigError(f"{page} cannot be written: {error.strerror or error}.") from error
        if not as_json:
            console().print(printable(tr("page written: {path}", path=page)), soft_wrap=True)
    return complete


def chunk_table(title: str, drafts: "Sequence[ChunkDraft]") -> "Table":
    """Return a table of chunks, a line each."""
    rows = table(title, "#", "kind", "tokens#", "headings", "text")
    for number, draft in enumerate(drafts, start=1):
        rows.add_row(
            str(number),
            cell(WORDS[spoken()].kinds.get(draft.kind, draft.kind)),
            str(draft.token_count),
            cell(" > ".join(draft.headings)),
            cell(excerpt(draft.content, 120)),
        )
    return rows


def reason_name(reason: str) -> str:
    """Return a reason for leaving text out, in the user's language; a plugin's own stays as it is."""
    known = WORDS[spoken()].reasons.get(reason)
    return known[0] if known else reason


def place_name(anchor: "Anchor", slide: str = "slide") -> str:
    """Return a place as people write it: `画面一覧!B5:H19`, `slide 3`; "" when it is not known."""
    if anchor.sheet is not None:
        return f"{anchor.sheet}!{anchor.cells}" if anchor.cells else anchor.sheet
    return f"{slide} {anchor.slide}" if anchor.slide is not None else ""


def _print(file: "FileReport") -> None:
    out = console()
    if file.error is not None:
        warn(f"{file.file}: {file.error.category}: {error_text(file.error)}")
        return
    out.rule(cell(file.file), align="left")
    if file.has_gap:
        _print_gaps(file)
    if file.outline:
        out.print(tr("outline, with the number of chunks of each section"))
        for entry in file.outline:
            out.print(cell(_outline_line(entry)), soft_wrap=True)
        out.print()
    for label, value in _summary(file):
        out.print(cell(labelled(f"{tr(label)}:", value, 16)), soft_wrap=True)
    out.print()
    out.print(chunk_table(counted(len(file.drafts), "chunk"), file.drafts))
    _print_left_out(file)


def _outline_line(entry: "OutlineEntry") -> str:
    counted = tr("{chunks}, with its neighbours", chunks=entry.chunks) if entry.inside else str(entry.chunks)
    return f"{'  ' * entry.level}{excerpt(entry.text, 100)} ({counted})"


def _print_gaps(file: "FileReport") -> None:
    fail(_gap_line(file))
    rows = table(tr("LOST TEXT"), "place", "text")
    for gap in file.account.gaps if file.account else ():
        rows.add_row(cell(place_name(gap.anchor, tr("slide"))), cell(excerpt(gap.text, 200)))
    console().print(rows)


def _gap_line(file: "FileReport") -> str:
    lost = file.account.missing if file.account else 0
    return tr(
        "text lost: {characters} neither in a chunk nor left out for a reason. "
        "This is a fault of the chunker {chunker} ({provider}), not of the document.",
        characters=counted(lost, "character"),
        chunker=file.chunker,
        provider=file.provider,
    )


def _summary(file: "FileReport") -> list[tuple[str, str]]:
    names = WORDS[spoken()].kinds
    kinds = ", ".join(f"{names.get(kind, kind)} {count}" for kind, count in file.kinds.items())
    result = [("read by", f"{file.chunker} ({file.provider})"), ("chunks by kind", kinds or tr("none"))]
    if file.tokens:
        least, middle, most = file.tokens.least, file.tokens.median, file.tokens.most
        shown = tr("least {least}, median {median}, most {most}", least=least, median=f"{middle:g}", most=most)
        result.append(("tokens", shown))
    account = file.account
    if account is None or file.coverage is None:
        result.append(("coverage", tr("unknown: this chunker does not hand over the text it read")))
        return result
    characters = counted(account.characters, "character")
    result.append(("coverage", tr("{share} % of {characters}", share=percent(file.coverage), characters=characters)))
    share = 100 * account.chunked / account.characters if account.characters else 0.0
    result.append(("in chunks", f"{account.chunked:,} ({percent(share)} %)"))
    result.append(("left out", f"{account.omitted:,}"))
    result.append(("lost", f"{account.missing:,}"))
    return result


def percent(share: float) -> str:
    """Return a percentage with one decimal that says 100.0 only when nothing is missing."""
    return f"{min(share, 99.9) if share < 100 else 100:.1f}"  # noqa: PLR2004  # per cent


def _print_left_out(file: "FileReport") -> None:
    out = console()
    if not file.left_out:
        out.print(tr("nothing was left out"))
        return
    for reason, items in file.by_reason.items():
        known = WORDS[spoken()].reasons.get(reason)
        name = f"{known[0]} ({known[1]})" if known else reason
        size = sum(item.characters for item in items)
        figures = f"{counted(len(items), 'text')}, {counted(size, 'character')}"
        out.print(cell(tr("left out: {reason}, {figures}", reason=name, figures=figures)), soft_wrap=True)
        rows = table("", "place", "text")
        for item in items[:_MOST_LISTED]:
            rows.add_row(cell(place_name(item.anchor, tr("slide")) or "-"), cell(_excerpt(item)))
        out.print(rows)
        if len(items) > _MOST_LISTED:
            out.print(tr("… and {count} more; --html and --json list all of them", count=len(items) - _MOST_LISTED))


def _excerpt(item: "LeftOut") -> str:
    return excerpt(item.text, 120) if item.text else f"({counted(item.characters, 'character')})"


def _as_json(file: "FileReport") -> dict[str, Any]:
    if file.error is not None:
        message = file.error.message
        return {"file": file.file, "error": f"{file.error.category}: {message}", "message": message}
    account, tokens = file.account, file.tokens
    return {
        "file": file.file,
        "doc_type": file.doc_type,
        "title": file.title,
        "chunker": file.chunker,
        "provider": file.provider,
        "summary": {
            "chunks": len(file.drafts),
            "kinds": file.kinds,
            "tokens": {"min": tokens.least, "median": tokens.median, "max": tokens.most} if tokens else None,
            "coverage": file.coverage,
            "characters": account.characters if account else None,
            "in_chunks": account.chunked if account else None,
            "left_out": account.omitted if account else sum(item.characters for item in file.left_out),
            "lost": account.missing if account else None,
        },
        "gaps": [
            {"text": gap.text, "characters": gap.characters, **_anchor_json(gap.anchor)}
            for gap in (account.gaps if account else ())
        ],
        "outline": [
            {
                "text": entry.text,
                "level": entry.level,
                "chunks": entry.chunks,
                "first_chunk": entry.before,
                "inside": entry.inside,
                **_anchor_json(entry.anchor),
            }
            for entry in file.outline
        ],
        "chunks": [
            {
                "content": draft.content,
                "headings": list(draft.headings),
                "source_uri": draft.locator.uri(file.name),
                "kind": draft.kind,
                "token_count": draft.token_count,
                "start": draft.start,
                "end": draft.end,
                "parent": draft.parent,
                "is_parent": draft.is_parent,
            }
            for draft in file.drafts
        ],
        "left_out": [
            {"reason": item.reason, "text": item.text, "characters": item.characters, **_anchor_json(item.anchor)}
            for item in file.left_out
        ],
    }


def _anchor_json(anchor: "Anchor") -> dict[str, Any]:
    return {"sheet": anchor.sheet, "cells": anchor.cells, "slide": anchor.slide}
