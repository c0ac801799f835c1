"""`kisoku trace`: what one search did, or the newest searches."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import completion
from .options import Config, Json, Lang, Profile, Root, Set, open_app

if TYPE_CHECKING:
    from rich.tree import Tree

    from ...ports.session_store import InvocationRecord, SessionStore

_DETAIL = 160
_BAR = 20


def trace(
    trace_id: Annotated[
        str | None,
        typer.Argument(
            help="Trace of one search, or how it begins; without it, the newest searches.",
            autocompletion=completion.traces,
        ),
    ] = None,
    session: Annotated[
        str | None,
        typer.Option("--session", help="List the searches of a session.", autocompletion=completion.sessions),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many searches are listed.")] = 20,
    root: Root = None,
    config_file: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Show what a search did, stage by stage, or list the newest searches."""
    with open_app(root, config_file, profile, set_, lang) as app:
        if trace_id is None:
            _list(app.sessions.invocations(session, limit=limit), json=json)
            return
        records = _named(app.sessions, trace_id)
        if len(records) > 1:
            # A trace of a host holds several searches; so does a beginning that is too short.
            _list(records, json=json)
            return
        _show(app.sessions, records[0], json=json)


def _named(sessions: "SessionStore", trace_id: str) -> "Sequence[InvocationRecord]":
    from ...domain.errors import RetrievalError

    wanted = trace_id.strip().lower()
    exact = sessions.invocation(wanted) if wanted else None
    found = (exact,) if exact is not None else sessions.invocations_named(wanted) if wanted else ()
    if not found:
        raise RetrievalError(f"There is no trace {trace_id!r}.", hint="List the newest: kisoku trace")
    return found


def _list(records: "Sequence[InvocationRecord]", *, json: bool) -> None:
    from .output import cell, console, excerpt, print_json, table

    if json:
        print_json([r.model_dump(mode="json", exclude={"retrieval_details"}) for r in records])
        return
    rows = table("", "trace", "when", "version", "agent", "query", "found#", "ms#")
    for r in records:
        found = r.gate or "–" if r.refused else str(len(r.chunk_ids))
        rows.add_row(
            r.trace_id,
            r.created_at[:19],
            r.version,
            r.agent,
            cell(excerpt(r.query, 60)),
            found,
            f"{r.milliseconds:.0f}",
        )
    console().print(rows)


def _show(sessions: "SessionStore", record: "InvocationRecord", *, json: bool) -> None:
    import json as jsonlib

    from .messages import tr
    from .output import cell, console, print_json

    details = jsonlib.loads(record.retrieval_details)
    if json:
        print_json(record.model_dump(mode="json", exclude={"retrieval_details"}) | {"retrieval_details": details})
        return
    out = console()
    said = tr("{agent} asked {version}: {query}", agent=record.agent, version=record.version, query=record.query)
    out.print(cell(said), soft_wrap=True)
    facts = [
        record.trace_id,
        record.created_at[:19],
        details.get("tool", "search_rules"),
        f"{record.milliseconds:.1f} ms",
    ]
    if record.session_id is not None:
        facts.insert(2, tr("session {name}", name=record.session_id))
    out.print(cell("  ".join(facts)), soft_wrap=True)
    out.print(_tree(record, details))
    for line in _told(sessions, record, details):
        out.print(cell(line), soft_wrap=True)
    _results(details)


def _tree(record: "InvocationRecord", details: Mapping[str, Any]) -> "Tree":
    """Return the stages below their attempts, each with its share of the time."""
    from rich.tree import Tree

    from .messages import tr
    from .output import cell

    attempts = list(details.get("retrieval_trace", {}).get("attempts", ()))
    made = Tree(cell(tr("{count} stages", count=len(details["stages"]))))
    branch = made
    if len(attempts) > 1:
        branch = made.add(cell(_attempt(attempts[0])))
    longest = max((s["milliseconds"] for s in details["stages"]), default=0.0) or 1.0
    for stage in details["stages"]:
        if stage["stage"] == "fallback" and len(attempts) > 1:
            branch = made.add(cell(f"fallback: {stage['details'].get('reason', '')}; {_attempt(attempts[1])}"))
            continue
        if stage["stage"] == "conflicts":
            branch = made
        bar = "▇" * max(1, round(_BAR * stage["milliseconds"] / longest)) if record.milliseconds else ""
        flow = f"{stage['incoming']} → {stage['outgoing']}"
        node = branch.add(cell(f"{stage['stage']:<14}{stage['milliseconds']:>8.1f} ms  {flow:>10}  {bar}"))
        shown = _details(stage["details"])
        if shown:
            node.add(cell(shown))
    return made


def _attempt(attempt: Mapping[str, Any]) -> str:
    near = attempt.get("similarity")
    told = [f"{attempt['name']}: {attempt['query']}", ", ".join(attempt["categories"]), str(attempt["found"])]
    return "; ".join(told + ([f"{near:.2f}"] if near is not None else []))


def _details(details: Mapping[str, Any]) -> str:
    from .output import excerpt

    return ", ".join(
        f"{key}: {excerpt(_value(value), _DETAIL)}" for key, value in details.items() if value not in ("", [], {})
    )


def _value(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_value(inner)}" for key, inner in value.items())
    if isinstance(value, list):
        return " ".join(map(_value, value))
    return str(value)


def _told(sessions: "SessionStore", record: "InvocationRecord", details: Mapping[str, Any]) -> list[str]:
    """Return lines on fallback, refusal, notices and conflicts."""
    from .messages import tr

    lines = []
    reason = details.get("retrieval_trace", {}).get("fallback_reason")
    if reason:
        lines.append(tr("fallback: {reason}", reason=reason))
    if record.refused:
        lines.append(tr("refused by the gate {gate}", gate=record.gate or "?"))
    for notice in details.get("notices", ()):
        detail = f" ({notice['detail']})" if notice.get("detail") else ""
        lines.append(tr("notice {code}: {said}", code=notice["code"], said=notice["text"] + detail))
    for conflict_id in details.get("conflicts", ()):
        # Outside a session nothing of a conflict is kept but its id.
        group = sessions.find_conflict(conflict_id)
        about = f"{group.topic} ({group.status})" if group is not None else "–"
        lines.append(tr("conflict {id}: {topic}", id=conflict_id, topic=about))
    return lines


def _results(details: Mapping[str, Any]) -> None:
    """Print the evidence of a lookup, else the chunks of a search."""
    from .output import cell, console, excerpt, table

    blocks = details.get("evidence_blocks")
    if blocks is None:
        rows = table("", "#", "score#", "source")
        for rank, chunk in enumerate(details["chunks"], start=1):
            rows.add_row(str(rank), f"{chunk['score']:.3f}", cell(chunk["source_uri"]))
    else:
        rows = table("", "#", "score#", "evidence", "source")
        for block in blocks:
            source = "\n".join(one["source_uri"] for one in block["sources"])
            rows.add_row(str(block["rank"]), f"{block['score']:.3f}", cell(excerpt(block["text"], 160)), cell(source))
    if rows.row_count:
        console().print(rows)
