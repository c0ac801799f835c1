"""`kisoku feedback`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from . import completion
from .messages import tr
from .options import Config, Json, Lang, Profile, Root, Set, open_app

if TYPE_CHECKING:
    from ...orchestration.feedback import FeedbackReport

app = typer.Typer(help="Tell how searches went, and learn from it.", no_args_is_help=True)
_TITLES = {
    "not_retrieved": "not retrieved",
    "refused": "refused by a gate",
    "not_in_handbook": "in no chunk of the active version",
    "broken": "retrieved but broken",
    "obeyed": "retrieved and obeyed",
}


@app.command("add")
def add(  # typer's way: one parameter an option
    query: Annotated[str, typer.Argument(help="What was searched.")],
    chunk: Annotated[str, typer.Option("--chunk", help="Id of the chunk that should have counted.")] = "",
    doc: Annotated[str, typer.Option("--doc", help="Or: its document…")] = "",
    contains: Annotated[
        list[str] | None, typer.Option("--contains", help="…and text that the rule holds. Repeatable.")
    ] = None,
    verdict: Annotated[
        str, typer.Option("--verdict", help="ok, missed, or broken (at hand, and the text breaks it).")
    ] = "missed",
    agent: Annotated[
        str, typer.Option("--agent", help="writer, impact or qa.", autocompletion=completion.agents)
    ] = "qa",
    category: Annotated[
        str | None, typer.Option("--category", help="write, design or ref.", autocompletion=completion.categories)
    ] = None,
    trace: Annotated[
        str, typer.Option("--trace", help="Trace id of the search.", autocompletion=completion.traces)
    ] = "",
    note: Annotated[str, typer.Option("--note", help="In words.")] = "",
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Store which rule a search should have brought, and how it went."""
    from ...domain.errors import ConfigError
    from ...domain.feedback import VERDICTS, ExpectedRule
    from .output import console, print_json

    if not chunk and not (doc and contains):
        raise ConfigError("The rule is not named.", hint="Give --chunk, or --doc and --contains.")
    known = next((v for v in VERDICTS if v == verdict), None)
    if known is None:
        raise ConfigError(f"There is no verdict {verdict!r}.", hint=f"Verdicts: {', '.join(VERDICTS)}.")
    with open_app(root, config, profile, set_, lang) as kisoku:
        record = kisoku.feedback.add(
            query=query,
            expected=ExpectedRule(chunk_id=chunk, doc=doc, contains=tuple(contains or ())),
            verdict=known,
            agent=agent,
            category=category,
            trace_id=trace,
            note=note,
        )
    if json:
        print_json(record.model_dump(mode="json"))
    else:
        console().print(tr("Stored: {id}", id=record.feedback_id))


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="JSON lines: query, expected, verdict, agent, category, note.")],
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Store the remarks of a file; what is there already is not stored twice."""
    from .output import console, counted, print_json

    with open_app(root, config, profile, set_, lang) as kisoku:
        lines, new = kisoku.feedback.import_file(file)
    if json:
        print_json({"lines": lines, "new": new})
    else:
        console().print(tr("{remarks}, {new} new.", remarks=counted(lines, "remark"), new=new))


@app.command("report")
def report(
    least: Annotated[int, typer.Option("--least", min=1, help="Misses in which two words must meet.")] = 2,
    synonyms_out: Annotated[
        Path | None, typer.Option("--synonyms-out", help="Write proposed synonyms here, for query.dictionaries.")
    ] = None,
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Search for every remark again: which rules are not retrieved, which are retrieved but broken."""
    from .evaluate import require_writable
    from .output import console, print_json

    if synonyms_out is not None:
        require_writable(synonyms_out)
    with open_app(root, config, profile, set_, lang) as kisoku:
        found = kisoku.feedback.report(least=least)
    if synonyms_out is not None:
        synonyms_out.write_text(found.dictionary(), encoding="utf-8")
    if json:
        print_json(_as_json(found))
        return
    if not found.entries:
        console().print(tr("There is no feedback yet, or nothing was built."))
        return
    _print(found)


def _as_json(found: "FeedbackReport") -> dict[str, object]:
    from dataclasses import asdict

    return {
        "counts": {name: sum(e.outcome == name for e in found.entries) for name in _TITLES},
        "entries": [entry.model_dump(mode="json") for entry in found.entries],
        "synonyms": [asdict(proposal) for proposal in found.proposals],
    }


def _print(found: "FeedbackReport") -> None:
    from .output import cell, console, excerpt, table

    for name, title in _TITLES.items():
        entries = [entry for entry in found.entries if entry.outcome == name]
        if not entries:
            continue
        rows = table(f"{tr(title)}: {len(entries)}", "query", "expected", "rank#", "note")
        for entry in entries:
            expected = entry.record.expected
            place = f"{expected.doc or expected.chunk_id} {' '.join(expected.contains)}".strip()
            rows.add_row(
                cell(excerpt(entry.record.query, 50)),
                cell(excerpt(place, 50)),
                str(entry.rank or "-"),
                cell(excerpt(entry.record.note, 40)),
            )
        console().print(rows)
    if found.proposals:
        console().print(tr("Synonyms that may help, for a file that query.dictionaries names:"))
        console().print(found.dictionary())
