"""What searches did over a time, in numbers."""

from pydantic import BaseModel, ConfigDict


class _Figures(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Usage(_Figures):
    """Searches of some kind.

    Attributes:
        searches: How many.
        hits: Those that returned at least one rule.
        refused: Those that a gate refused.
        p50_ms: Half of them took no longer, in milliseconds; None without searches.
        p95_ms: 95 of a hundred took no longer.
        max_ms: The longest.
    """

    searches: int = 0
    hits: int = 0
    refused: int = 0
    p50_ms: float | None = None
    p95_ms: float | None = None
    max_ms: float | None = None

    @property
    def hit_rate(self) -> float | None:
        """Share of searches that returned a rule, None without searches."""
        return self.hits / self.searches if self.searches else None

    @property
    def refusal_rate(self) -> float | None:
        """Share of searches that were refused, None without searches."""
        return self.refused / self.searches if self.searches else None


class StageUsage(_Figures):
    """Time that one stage took over all searches: how often it ran, median, 95th percentile, share of all time."""

    stage: str
    runs: int
    p50_ms: float
    p95_ms: float
    share: float


class SlowSearch(_Figures):
    """A search that took long, with its stages in milliseconds."""

    trace_id: str
    created_at: str
    agent: str
    query: str
    milliseconds: float
    stages: dict[str, float]


class UsageReport(_Figures):
    """Searches that were recorded.

    Attributes:
        since: Earliest moment, ISO 8601 in UTC; "" for the beginning.
        total: All of them.
        sessions: Different sessions.
        by_day: By day in UTC, oldest first.
        by_agent: By who asked.
        by_tool: By tool: search_rules, lookup_knowledge.
        gates: Refusals by gate.
        notices: Notices by code, degradations among them.
        fallbacks: Second attempts by reason.
        conflicts: Searches with conflicts among their results.
        cache_asked: Queries that were embedded or found in a cache.
        cache_hits: Those found in a cache.
        embedding_tokens: Tokens that the embedding model was given for queries; None when nobody counted.
        cost: What they cost, in the currency of the price set; None without a price.
        stages: Time by stage, in the order in which they run.
        slowest: Slowest first.
    """

    since: str = ""
    total: Usage = Usage()
    sessions: int = 0
    by_day: dict[str, Usage] = {}
    by_agent: dict[str, Usage] = {}
    by_tool: dict[str, Usage] = {}
    gates: dict[str, int] = {}
    notices: dict[str, int] = {}
    fallbacks: dict[str, int] = {}
    conflicts: int = 0
    cache_asked: int = 0
    cache_hits: int = 0
    embedding_tokens: int | None = None
    cost: float | None = None
    stages: tuple[StageUsage, ...] = ()
    slowest: tuple[SlowSearch, ...] = ()

    @property
    def cache_hit_rate(self) -> float | None:
        """Share of queries whose vector a cache held, None when none was embedded."""
        return self.cache_hits / self.cache_asked if self.cache_asked else None
