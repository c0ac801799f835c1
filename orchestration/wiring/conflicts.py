"""Finding and settling conflicts."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ...domain.conflicts import ConflictGroup, RuleText
from ...domain.errors import ConfigError
from ..conflict_judge import ConflictJudge
from ..conflict_similarity import EmbeddingSimilarity
from ..conflicts import ConflictHandler, Detector
from ..models import choose_embedding

if TYPE_CHECKING:
    from ...domain.constraints.lexicon import Lexicon
    from ..carry_over import DecisionCarrier
    from ..conflict_scan import ConflictScan, OnProgress

from .building import BuildingParts
from .parts import weights_of_model


class ConflictParts(BuildingParts):
    """Conflicts and decisions."""

    @cached_property
    def conflicts(self) -> ConflictHandler:
        """Conflicts and decisions."""
        detector = self._detector or self._rule_detector()
        return ConflictHandler(
            self.sessions,
            detector,
            self.clock,
            judge=self._conflict_judge(),
            similarity=self._clause_similarity,
            lifecycle=self.plugins.lifecycle,
        )

    @cached_property
    def decisions(self) -> "DecisionCarrier":
        """Decisions carried from one session to another."""
        from ..carry_over import DecisionCarrier

        return DecisionCarrier(self.handbook_store, self.sessions, self.locks)

    @cached_property
    def conflict_scan(self) -> "ConflictScan":
        """All rules against each other."""
        from ..conflict_scan import ConflictScan

        return ConflictScan(self.handbook_store, self.chunking_tools, self._scan)

    def _scan(self, texts: Sequence[RuleText], *, on_progress: "OnProgress") -> Sequence[ConflictGroup]:
        from ...domain.constraints.scan import scan_conflicts

        settings = self.settings.conflicts
        return scan_conflicts(
            texts,
            self._lexicon,
            min_confidence=settings.min_confidence,
            similarity=self._clause_similarity,
            language=self.settings.language,
            on_progress=on_progress,
        )

    @cached_property
    def _clause_similarity(self) -> EmbeddingSimilarity | None:
        if self.settings.conflicts.similarity == "none":
            return None
        choice = self.models.named(choose_embedding(self.settings, weights_of_model))
        return EmbeddingSimilarity(self.models.embedder(choice.adapter, choice.model))

    def _conflict_judge(self) -> ConflictJudge | None:
        """Return the second opinion, when one is asked for.

        Raises:
            ConfigError: `conflicts.judge` is `llm` and no chat model is configured.
        """
        if self.settings.conflicts.judge == "none":
            return None
        if self.chat_model is None:
            raise ConfigError(
                "conflicts.judge is llm, and no chat model is configured.",
                hint="Name one in chat.providers, or set conflicts.judge to none.",
            )
        return ConflictJudge(self.chat_model)

    def _rule_detector(self) -> Detector:
        settings = self.settings.conflicts

        def detect(texts: Sequence[RuleText]) -> Sequence[ConflictGroup]:
            # Reading the lexicon costs a while; a search without candidates never needs it.
            from ...domain.constraints.detect import detect_conflicts

            return detect_conflicts(
                texts,
                self._lexicon,
                min_confidence=settings.min_confidence,
                similarity=self._clause_similarity,
                language=self.settings.language,
            )

        return detect

    @cached_property
    def _lexicon(self) -> "Lexicon":
        """Words of the bundled lexicon, of plugins and of the deployment."""
        from ...config.lexicon import load_lexicon

        return load_lexicon(
            self.settings.conflicts.lexicon, self.plugins.lexicons(), on_error=self.plugins.reject_lexicon
        )
