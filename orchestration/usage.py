"""From recorded searches to figures."""

import heapq
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from ..domain.errors import ConfigError
from ..domain.ranking_metrics import percentile
from ..domain.usage import SlowSearch, StageUsage, Usage, UsageReport
from ..ports.session_store import InvocationRecord

_SPAN: Final = re.compile(r"(\d{1,5})\s*([hdw])")
_UNITS: Final = {"h": "hours", "d": "days", "w": "weeks"}


def moment_of(text: str, now: datetime) -> datetime:
    """Return the moment that a person names: 24h, 7d, 2w ago, or a date or time in ISO 8601 (UTC where it says none).

    Raises:
        ConfigError: It is none of these.
    """
    span = _SPAN.fullmatch(text.strip().lower())
    if span is not None:
        return now - timedelta(**{_UNITS[span[2]]: int(span[1])})
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError as error:
        raise ConfigError(f"{text!r} is no time.", hint="Write 24h, 7d, 2w, or a date such as 2026-11-30.") from error
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def usage_of(records: Iterable[InvocationRecord], *, since: str = "", slowest: int = 5) -> UsageReport:
    """Return the figures of searches; reads them once and keeps none.

    Args:
        records: The searches, oldest first.
        since: What the report says of the time.
        slowest: How many of the slowest are shown.
    """
    tally = _Tally()
    slow: list[tuple[float, int, SlowSearch]] = []
    for number, record in enumerate(records):
        details = _details(record)
        tally.add(record, details)
        if slowest > 0 and (len(slow) < slowest or record.milliseconds > slow[0][0]):
            entry = (record.milliseconds, -number, _slow(record, details))
            (heapq.heappush if len(slow) < slowest else heapq.heapreplace)(slow, entry)
    return tally.report(since, tuple(entry for _, _, entry in sorted(slow, key=lambda e: (-e[0], -e[1]))))


@dataclass
class _Group:
    """Searches of one kind while they are counted."""

    times: list[float] = field(default_factory=list)
    hits: int = 0
    refused: int = 0

    def add(self, record: InvocationRecord) -> None:
        self.times.append(record.milliseconds)
        self.hits += bool(record.chunk_ids) and not record.refused
        self.refused += record.refused

    def usage(self) -> Usage:
        times = sorted(self.times)
        if not times:
            return Usage()
        return Usage(
            searches=len(times),
            hits=self.hits,
            refused=self.refused,
            p50_ms=round(percentile(times, 0.5), 3),
            p95_ms=round(percentile(times, 0.95), 3),
            max_ms=round(times[-1], 3),
        )


@dataclass
class _Tally:
    """What is counted on the way."""

    total: _Group = field(default_factory=_Group)
    days: dict[str, _Group] = field(default_factory=lambda: defaultdict(_Group))
    agents: dict[str, _Group] = field(default_factory=lambda: defaultdict(_Group))
    tools: dict[str, _Group] = field(default_factory=lambda: defaultdict(_Group))
    sessions: set[str] = field(default_factory=set)
    gates: Counter[str] = field(default_factory=Counter)
    notices: Counter[str] = field(default_factory=Counter)
    fallbacks: Counter[str] = field(default_factory=Counter)
    caches: Counter[bool] = field(default_factory=Counter)
    conflicts: int = 0
    tokens: list[int] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)
    stages: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def add(self, record: InvocationRecord, details: Mapping[str, Any]) -> None:
        for group in (
            self.total,
            self.days[record.created_at[:10]],
            self.agents[record.agent],
            self.tools[str(details.get("tool") or "search_rules")],
        ):
            group.add(record)
        if record.session_id is not None:
            self.sessions.add(record.session_id)
        if record.refused:
            self.gates[record.gate or "unknown"] += 1
        self.notices.update(str(n["code"]) for n in details.get("notices", ()))
        reason = details.get("retrieval_trace", {}).get("fallback_reason")
        if reason:
            self.fallbacks[reason] += 1
        self.conflicts += bool(details.get("conflicts"))
        if record.cache_hit is not None:
            self.caches[record.cache_hit] += 1
        if record.embedding_tokens is not None:
            self.tokens.append(record.embedding_tokens)
        if record.cost is not None:
            self.costs.append(record.cost)
        for stage, milliseconds in _stages(details).items():
            self.stages[stage].append(milliseconds)

    def report(self, since: str, slowest: tuple[SlowSearch, ...]) -> UsageReport:
        spent = sum(map(sum, self.stages.values())) or 1.0
        return UsageReport(
            since=since,
            total=self.total.usage(),
            sessions=len(self.sessions),
            by_day={day: self.days[day].usage() for day in sorted(self.days)},
            by_agent={name: self.agents[name].usage() for name in sorted(self.agents)},
            by_tool={name: self.tools[name].usage() for name in sorted(self.tools)},
            gates=dict(self.gates.most_common()),
            notices=dict(self.notices.most_common()),
            fallbacks=dict(self.fallbacks.most_common()),
            conflicts=self.conflicts,
            cache_asked=self.caches.total(),
            cache_hits=self.caches[True],
            embedding_tokens=sum(self.tokens) if self.tokens else None,
            cost=sum(self.costs) if self.costs else None,
            stages=tuple(_stage_usage(name, times, spent) for name, times in self.stages.items()),
            slowest=slowest,
        )


def _stage_usage(name: str, times: list[float], spent: float) -> StageUsage:
    ordered = sorted(times)
    return StageUsage(
        stage=name,
        runs=len(ordered),
        p50_ms=round(percentile(ordered, 0.5), 3),
        p95_ms=round(percentile(ordered, 0.95), 3),
        share=round(sum(ordered) / spent, 4),
    )


def _details(record: InvocationRecord) -> Mapping[str, Any]:
    try:
        details = json.loads(record.retrieval_details)
    except ValueError:
        return {}  # written by somebody else's hand; what stands in the columns counts
    return details if isinstance(details, dict) else {}


def _stages(details: Mapping[str, Any]) -> dict[str, float]:
    """Return the time of each stage in milliseconds; two attempts of one search are added up."""
    found: dict[str, float] = {}
    for stage in details.get("stages", ()):
        found[stage["stage"]] = found.get(stage["stage"], 0.0) + stage["milliseconds"]
    return found


def _slow(record: InvocationRecord, details: Mapping[str, Any]) -> SlowSearch:
    return SlowSearch(
        trace_id=record.trace_id,
        created_at=record.created_at,
        agent=record.agent,
        query=record.query,
        milliseconds=round(record.milliseconds, 3),
        stages={name: round(value, 3) for name, value in _stages(details).items()},
    )
