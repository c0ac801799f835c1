"""Conflicts in the terminal: lists, both sides beside each other, and the question to the person."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .conflict_words import WORDS
from .output import cell, console, printable, table, warn

if TYPE_CHECKING:
    from ...domain.conflicts import ConflictGroup, DecisionRecord
    from ...orchestration.bootstrap import Kisoku
    from ...orchestration.conflict_scan import ScanReport


def show_group(group: "ConflictGroup", kisoku: "Kisoku") -> None:
    """Print all sides of a conflict as a table."""
    words = WORDS[kisoku.language]
    status = words.decided if group.status == "decided" else words.pending
    title = printable(f"{group.conflict_id}  {group.topic}: {group.attribute}  ({status})")
    rows = table(title, "#", "document", "rule", "says", "source")
    for number, member in enumerate(group.members, start=1):
        rows.add_row(str(number), cell(member.document), cell(member.rule), cell(member.value), cell(member.source_uri))
    console().print(rows)


def show_side_by_side(group: "ConflictGroup", kisoku: "Kisoku", record: "DecisionRecord | None" = None) -> None:
    """Print the rules of a conflict beside each other, each with document, heading and source."""
    from rich.columns import Columns
    from rich.panel import Panel
    from rich.text import Text

    words = WORDS[kisoku.language]
    status = words.decided if group.status == "decided" else words.pending
    console().print(cell(f"{group.conflict_id}  {group.topic}  ({status})"))
    console().print(cell(group.explanation))
    width = max(30, console().width // min(len(group.members), 3) - 2)
    panels = []
    for number, member in enumerate(group.members, start=1):
        body = Text()
        body.append(printable(member.heading) + "\n", style="dim")
        body.append(printable(member.rule) + "\n\n")
        body.append(printable(member.value) + "\n", style="bold")
        body.append(printable(member.source_uri), style="dim")
        panels.append(Panel(body, title=Text(f"{number}  {printable(member.document)}"), width=width))
    console().print(Columns(panels))
    if record is not None:
        console().print(cell(decision_text(record, kisoku)))


def decision_text(record: "DecisionRecord", kisoku: "Kisoku") -> str:
    """Return a decision in one sentence."""
    words = WORDS[kisoku.language]
    for member in record.conflicting_chunks:
        if member.chunk_id == record.adopted:
            return words.adopted.format(document=member.document, value=member.rule)
    return words.annotated


def ask_about(groups: "Sequence[ConflictGroup]", kisoku: "Kisoku") -> "list[DecisionRecord]":
    """Show each conflict and ask for a decision; return the decisions taken. `s` leaves one pending, `q` ends."""
    words = WORDS[kisoku.language]
    records: list[DecisionRecord] = []
    for group in groups:
        show_side_by_side(group, kisoku)
        while True:
            answer = console().input(f"{words.prompt}: ").strip().lower()
            if answer == "q":
                return records
            if answer == "s":
                console().print(words.skipped)
                break
            if answer == "a" or (answer.isdecimal() and 1 <= int(answer) <= len(group.members)):
                choice = "annotate" if answer == "a" else answer
                records.append(kisoku.conflicts.resolve_conflict(group.conflict_id, choice))
                console().print(cell(decision_text(records[-1], kisoku)))
                break
            warn(words.again.format(answer=answer))
    return records


def show_scan(report: "ScanReport", kisoku: "Kisoku", limit: int, page: Path | None) -> None:
    """Print what a scan found."""
    words = WORDS[kisoku.language]
    shown = report.conflicts[: limit or None]
    for number, group in enumerate(shown, start=1):
        title = printable(f"{number}. {group.topic}: {group.explanation}  ({words.confidence} {group.confidence:.2f})")
        rows = table(title, "document", "rule", "says", "source")
        for member in group.members:
            rows.add_row(cell(member.document), cell(member.rule), cell(member.value), cell(member.source_uri))
        console().print(rows)
    if len(shown) < len(report.conflicts):
        console().print(f"… {len(report.conflicts) - len(shown)}")
    if report.conflicts:
        console().print(words.summary.format(conflicts=len(report.conflicts), documents=report.documents))
    else:
        console().print(words.none_found)
    console().print(words.chunks.format(chunks=report.chunks, seconds=report.seconds))
    for file in report.unread:
        warn(f"{words.unread}: {file.file}: {file.message}")
    if page is not None:
        console().print(cell(words.page.format(path=page)))
