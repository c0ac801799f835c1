"""Fits the answerability gate to labelled queries, and reads off thresholds for the cascade."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

import yaml

from ...config.settings import GateSettings, Settings
from ...domain.answerability.model import GateProfile, Measurement
from ...domain.chunks import Category, as_category
from ...domain.errors import ConfigError
from ...domain.notices import Language
from ...domain.search import AGENT_CATEGORIES, AGENTS, SearchRequest
from ..retrieval.answerability import Measurements, measure
from ..retrieval.engine import RetrievalEngine, cascade_engine
from ..retrieval.version import OpenVersion
from .labels import LabelledQuery
from .logistic import fit, held_out, roc_area

VARIANTS: tuple[tuple[Measurement, ...], ...] = (
    ("sentence", "related_coverage", "unknown_names", "open_quantity"),
    ("vector", "coverage", "unknown_names", "open_quantity"),
    ("coverage", "unknown_names", "open_quantity"),
)
"""Sets of measurements, the most telling first; the last needs no model."""
_FEWEST = 5
_MOST_FOLDS = 200
_TOP_K = 10


@dataclass(frozen=True, slots=True)
class Operating:
    """A threshold and what it does, on queries that the model was not fitted to.

    Attributes:
        threshold: Probability from which a search is refused.
        precision: Share of refusals that are right, at the share of unanswerable queries assumed.
        recall: Share of unanswerable queries that are refused.
        false_refusals: Share of answerable queries that are refused.
    """

    threshold: float
    precision: float
    recall: float
    false_refusals: float


@dataclass(frozen=True, slots=True)
class VariantReport:
    """One set of measurements: what was fitted and how well it does."""

    measurements: tuple[Measurement, ...]
    roc_area: float
    chosen: Operating
    curve: tuple[Operating, ...]


@dataclass(frozen=True, slots=True)
class Calibration:
    """What a calibration found.

    Attributes:
        profile: To be written out.
        answerable: Queries that the handbook answers.
        unanswerable: Queries that it does not.
        variants: One report for each model of the profile.
        cascade_cosine: Best cosine below which the cascade should refuse, None when it could not be measured.
    """

    profile: GateProfile
    answerable: int
    unanswerable: int
    variants: tuple[VariantReport, ...]
    cascade_cosine: float | None


def calibrate(
    rows: Sequence[tuple[LabelledQuery, Measurements]],
    model: str,
    *,
    share: float,
    most_false: float,
    note: str,
    cosines: Sequence[float] = (),
) -> Calibration:
    """Fit every variant that can be measured.

    Args:
        rows: Labelled queries with their measurements.
        model: Name of the embedding model.
        share: Share of unanswerable queries to expect in use; precision is worked out for it.
        most_false: Greatest share of answerable queries that may be refused.
        note: What the profile says of its origin.
        cosines: Best cosines of answerable queries in the cascade.

    Raises:
        ConfigError: Too few labelled queries of either kind.
    """
    kinds = [not query.gold for query, _ in rows]
    bad, good = sum(kinds), len(kinds) - sum(kinds)
    if min(bad, good) < _FEWEST:
        raise ConfigError(
            f"{good} answerable and {bad} unanswerable queries are too few; {_FEWEST} of each are needed.",
            hint="An unanswerable query has an empty list of gold passages.",
        )
    measured = [values for _, values in rows]
    reports, models = [], []
    for names in VARIANTS:
        if not all(set(names) <= values.keys() for values in measured):
            continue
        found = held_out(measured, kinds, names, folds=min(len(rows), _MOST_FOLDS, max(bad, 2)))
        curve = operating_points(found, kinds, share)
        chosen = choose(curve, most_false)
        reports.append(VariantReport(names, roc_area(found, kinds), chosen, curve))
        models.append(fit(measured, kinds, names, chosen.threshold))
    least = sorted(cosines)[len(cosines) // 50] if cosines else None
    return Calibration(
        GateProfile(model=model, calibrated=note, models=tuple(models)), good, bad, tuple(reports), least
    )


def operating_points(scores: Sequence[float], positive: Sequence[bool], share: float) -> tuple[Operating, ...]:
    """Return what every threshold between two scores does, the strictest first."""
    ordered = sorted(set(scores), reverse=True)
    bad, good = sum(positive), len(positive) - sum(positive)
    points = []
    for score, following in zip(ordered, [*ordered[1:], 0.0], strict=True):
        refused = [p for s, p in zip(scores, positive, strict=True) if s >= score]
        recall, false = sum(refused) / bad, (len(refused) - sum(refused)) / good
        right, wrong = recall * share, false * (1 - share)
        threshold = min(max((score + following) / 2, 0.001), 0.999)
        points.append(Operating(threshold, right / (right + wrong), recall, false))
    return tuple(points)


def choose(curve: Sequence[Operating], most_false: float) -> Operating:
    """Return the point whose precision and recall are both greatest, within the false refusals allowed.

    Where even the strictest threshold refuses more than that, it is taken.
    """
    allowed = [point for point in curve if point.false_refusals <= most_false] or [curve[0]]
    return max(allowed, key=lambda p: (min(p.precision, p.recall), -p.false_refusals))


def measured_queries(
    version: OpenVersion, engine: RetrievalEngine, queries: Sequence[LabelledQuery], tell: Callable[[int], None]
) -> Iterator[tuple[LabelledQuery, Measurements]]:
    """Search each labelled query and measure it; one whose category the version does not have is left out.

    Args:
        version: Built by the model that is calibrated.
        engine: Without a gate that refuses.
        queries: Labelled; others are left out.
        tell: Called with the number done.

    Raises:
        ConfigError: A query names an unknown agent or category.
    """
    for done, query in enumerate(queries, start=1):
        state = engine.run(version, request_of(query))
        if query.gold is not None and state.fused:
            yield query, measure(version, state)
        tell(done)


def cascade_cosines(
    version: OpenVersion, settings: Settings, language: Language, queries: Sequence[LabelledQuery]
) -> list[float]:
    """Return the cosine that the cascade's second gate measures, for each query that the handbook answers."""
    cascade = settings.retrieval.cascade.model_copy(update={"keyword_least": 0, "vector_least": -1.0})
    retrieval = settings.retrieval.model_copy(update={"cascade": cascade})
    quiet = settings.rerank.model_copy(update={"enabled": False})
    engine = cascade_engine(settings.model_copy(update={"retrieval": retrieval, "rerank": quiet}), language)
    found = []
    for query in queries:
        if query.gold:
            ranked = engine.run(version, request_of(query)).channels.get("vector")
            found.extend([ranked[0].score] if ranked else [])
    return found


def without_gate(settings: Settings) -> Settings:
    """Return the settings with the answerability gate off."""
    return settings.model_copy(update={"gates": GateSettings(enabled=False)})


def request_of(query: LabelledQuery) -> SearchRequest:
    """Return a labelled query as the engine takes it.

    Raises:
        ConfigError: Agent or category is unknown.
    """
    agent = next((a for a in AGENTS if a == query.agent), None)
    if agent is None:
        raise ConfigError(f"Query {query.id} is asked by {query.agent!r}.", hint=f"Agents: {', '.join(AGENTS)}.")
    categories: tuple[Category, ...] = AGENT_CATEGORIES[agent]
    if query.category is not None:
        categories = (as_category(query.category),)
    return SearchRequest(
        query=query.query,
        agent=agent,
        categories=categories,
        top_k=_TOP_K,
        partitions=query.partitions,
        category_named=query.category is not None,
    )


def note_of(sources: Sequence[str], rows: Sequence[tuple[LabelledQuery, Measurements]], now: datetime) -> str:
    """Return what a profile says of its origin."""
    bad = sum(not query.gold for query, _ in rows)
    return f"{now.date().isoformat()}: {', '.join(sources)} ({len(rows) - bad} answerable, {bad} unanswerable)"


def profile_yaml(profile: GateProfile) -> str:
    """Return a profile as YAML, numbers rounded to what matters."""
    models = [
        {
            "weights": {
                name: {"mean": round(w.mean, 4), "scale": round(w.scale, 4), "weight": round(w.weight, 3)}
                for name, w in model.weights.items()
            },
            "intercept": round(model.intercept, 3),
            "threshold": round(model.threshold, 3),
        }
        for model in profile.models
    ]
    content = {"model": profile.model, "calibrated": profile.calibrated, "models": models}
    return str(yaml.safe_dump(content, allow_unicode=True, sort_keys=False, width=120))
