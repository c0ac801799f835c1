"""`kisoku stats`: what searches did over a time."""

from typing import TYPE_CHECKING, Annotated

import typer

from . import completion
from .options import Config, Json, Lang, Profile, Root, Set, open_app

if TYPE_CHECKING:
    from ...domain.usage import Usage, UsageReport


def stats(
    since: Annotated[
        str, typer.Option("--since", help="From when: 24h, 7d, 2w, or a date (UTC). Everything when not given.")
    ] = "",
    session: Annotated[
        str | None,
        typer.Option("--session", help="Searches of one session.", autocompletion=completion.sessions),
    ] = None,
    slowest: Annotated[int, typer.Option("--slowest", min=0, help="How many of the slowest are shown.")] = 5,
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Show how searches went: hits, refusals, trends, latencies by stage, caches, notices, cost, the slowest."""
    from ...orchestration.usage import moment_of, usage_of
    from .output import print_json

    with open_app(root, config, profile, set_, lang) as app:
        begin = moment_of(since, app.clock()).isoformat(timespec="milliseconds") if since.strip() else ""
        report = usage_of(app.sessions.each_invocation(begin, session), since=begin, slowest=slowest)
    if json:
        rates = {
            "hit_rate": report.total.hit_rate,
            "refusal_rate": report.total.refusal_rate,
            "cache_hit_rate": report.cache_hit_rate,
        }
        print_json(report.model_dump(mode="json") | rates)
    else:
        _show(report)


def _show(report: "UsageReport") -> None:
    from .messages import tr
    from .output import cell, console, table

    out = console()
    if not report.total.searches:
        out.print(tr("No search was recorded in this time."))
        return
    days = list(report.by_day)
    span = days[0] if len(days) == 1 else f"{days[0]} – {days[-1]}"
    out.print(
        cell(
            tr(
                "{searches} searches in {sessions} sessions, {span}",
                searches=report.total.searches,
                sessions=report.sessions,
                span=span,
            )
        )
    )
    _summary(report)
    _groups("day", report.by_day)
    _groups("agent", report.by_agent)
    if len(report.by_tool) > 1:
        _groups("tool", report.by_tool)
    stages = table("", "stage", "runs#", "p50 ms#", "p95 ms#", "share#")
    for stage in report.stages:
        stages.add_row(stage.stage, str(stage.runs), f"{stage.p50_ms:.1f}", f"{stage.p95_ms:.1f}", f"{stage.share:.0%}")
    out.print(stages)
    counts = table("", "notice or fallback", "searches#")
    # A gate that refuses is a notice of the same name.
    for name, count in (report.gates | report.fallbacks | report.notices).items():
        counts.add_row(name, str(count))
    if counts.row_count:
        out.print(counts)
    _slowest(report)


def _summary(report: "UsageReport") -> None:
    from .output import console, table

    def share(value: float | None) -> str:
        return "–" if value is None else f"{value:.1%}"

    rows = table("", "hits#", "refused#", "p50 ms#", "p95 ms#", "cache hits#", "conflicts#", "tokens#", "cost#")
    tokens = "–" if report.embedding_tokens is None else f"{report.embedding_tokens:,}"
    rows.add_row(
        share(report.total.hit_rate),
        share(report.total.refusal_rate),
        f"{report.total.p50_ms or 0:.1f}",
        f"{report.total.p95_ms or 0:.1f}",
        share(report.cache_hit_rate),
        str(report.conflicts),
        tokens,
        "–" if report.cost is None else f"{report.cost:.4f}",
    )
    console().print(rows)


def _groups(name: str, groups: "dict[str, Usage]") -> None:
    from .output import console, table

    rows = table("", name, "searches#", "hits#", "refused#", "p50 ms#", "p95 ms#", "max ms#")
    for key, usage in groups.items():
        rows.add_row(
            key,
            str(usage.searches),
            f"{usage.hit_rate or 0:.0%}",
            f"{usage.refusal_rate or 0:.0%}",
            f"{usage.p50_ms or 0:.1f}",
            f"{usage.p95_ms or 0:.1f}",
            f"{usage.max_ms or 0:.1f}",
        )
    console().print(rows)


def _slowest(report: "UsageReport") -> None:
    from .output import cell, console, excerpt, table

    if not report.slowest:
        return
    rows = table("", "slowest", "when", "agent", "query", "ms#", "stages")
    for one in report.slowest:
        stages = sorted(one.stages.items(), key=lambda stage: -stage[1])[:3]
        rows.add_row(
            one.trace_id,
            one.created_at[:19],
            one.agent,
            cell(excerpt(one.query, 40)),
            f"{one.milliseconds:.0f}",
            ", ".join(f"{name} {ms:.0f}" for name, ms in stages),
        )
    console().print(rows)
