"""The engine: runs stages over a state and writes the trace."""

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from ...config.settings import Settings
from ...domain.notices import Language
from ...domain.search import SearchRequest, StageTrace
from ...domain.terms import TermFinder
from ...ports.numeric_threads import one_numeric_thread
from ...ports.query_transformer import QueryTransformer
from .stages.answerability import AnswerabilityStage
from .stages.candidates import CandidateStage
from .stages.cascade_evidence import CascadeEvidenceStage
from .stages.cascade_recall import CascadeRecallStage
from .stages.cascade_vector import CascadeVectorStage
from .stages.cascade_windows import CascadeRerankStage, CascadeWindowStage
from .stages.channels import ChannelStage
from .stages.cut import CutStage
from .stages.fusion import FusionStage
from .stages.query import QueryStage
from .stages.rerank import RerankStage
from .stages.scope import ScopeStage
from .stages.stage import Stage
from .stages.topics import TopicStage
from .stages.understanding import UnderstandingStage
from .state import RetrievalState, Step
from .version import OpenVersion

_CHANNEL_THREADS = 6


class RetrievalEngine:
    """A pipeline of stages: `hybrid` of requirements, rag-layer §6, or `cascade` of two-stage-cascade."""

    def __init__(self, stages: Sequence[Stage], before: Sequence[Stage] = ()) -> None:
        self._stages = tuple(stages)
        self._before = tuple(before)

    def prepare(self, version: OpenVersion, request: SearchRequest) -> RetrievalState:
        """Understand a query without searching; `run` takes the state up."""
        return self._passed(self._before, version, RetrievalState(request))

    def run(
        self, version: OpenVersion, request: SearchRequest, prepared: RetrievalState | None = None
    ) -> RetrievalState:
        """Search a version; stops at the first stage that refuses."""
        with one_numeric_thread():
            return self._passed(self._stages, version, prepared or self.prepare(version, request))

    @staticmethod
    def _passed(stages: Sequence[Stage], version: OpenVersion, state: RetrievalState) -> RetrievalState:
        for stage in stages:
            started, began = time.time(), time.perf_counter()
            result = stage.run(version, state)
            trace = StageTrace(
                stage=stage.name,
                milliseconds=(time.perf_counter() - began) * 1000,
                incoming=result.incoming,
                outgoing=result.outgoing,
                details=result.details,
                started=started,
            )
            after = result.state
            steps = (*after.steps, Step(trace, state, after))
            state = replace(after, trace=(*after.trace, trace), steps=steps)
            if state.refused:
                break
        return state


@dataclass(frozen=True, slots=True)
class Understanding:
    """What understands queries: the configured way, the one that needs no model, what finds each domain's terms."""

    transformer: QueryTransformer
    fallback: QueryTransformer
    domains: Mapping[str, TermFinder] = field(default_factory=dict)
    deadline_ms: int = 5000

    def stages(self, language: Language) -> list[Stage]:
        """Return what runs before the pipeline."""
        return [UnderstandingStage(self.transformer, self.fallback, language, self.deadline_ms)]


def engine_of(settings: Settings, language: Language, understanding: Understanding | None = None) -> RetrievalEngine:
    """Return the pipeline that `retrieval.pipeline` names; without `understanding` queries are searched as they are."""
    return (cascade_engine if settings.retrieval.pipeline == "cascade" else hybrid_engine)(
        settings, language, understanding
    )


def cascade_engine(
    settings: Settings, language: Language, understanding: Understanding | None = None
) -> RetrievalEngine:
    """Return the pipeline that narrows down: words, meaning, windows, parents; each step has a gate."""
    cascade = settings.retrieval.cascade
    return RetrievalEngine(
        [
            ScopeStage(language, settings.partitions.match_query, needs_category=True),
            CascadeRecallStage(settings.retrieval, language),
            CascadeVectorStage(cascade, language),
            CascadeWindowStage(cascade),
            CascadeRerankStage(cascade, settings.rerank, language),
            CascadeEvidenceStage(),
            CutStage(),
        ],
        understanding.stages(language) if understanding else (),
    )


def hybrid_engine(
    settings: Settings, language: Language, understanding: Understanding | None = None
) -> RetrievalEngine:
    """Return the default pipeline for the settings."""
    retrieval, rerank = settings.retrieval, settings.rerank
    executor = ThreadPoolExecutor(_CHANNEL_THREADS, thread_name_prefix="kisoku-channel")
    return RetrievalEngine(
        [
            ScopeStage(language, settings.partitions.match_query),
            QueryStage(retrieval, language),
            ChannelStage(retrieval, language, executor),
            FusionStage(retrieval),
            CandidateStage(rerank.candidates if rerank.enabled else 0),
            TopicStage(understanding.domains if understanding else {}),
            RerankStage(rerank, language),
            CutStage(),
            AnswerabilityStage(settings.gates, language),
        ],
        understanding.stages(language) if understanding else (),
    )
