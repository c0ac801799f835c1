"""The feedback loop: which expected rules are not found, which are found and broken, which words keep missing."""

import json
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from ..domain.answerability.terms import rarity
from ..domain.chunks import RuleChunk
from ..domain.errors import ConfigError, KisokuError, RetrievalError
from ..domain.feedback import (
    ExpectedRule,
    FeedbackRecord,
    Miss,
    SynonymProposal,
    Verdict,
    propose_synonyms,
)
from ..ports.feedback_store import FeedbackStore
from ..ports.handbook_store import HandbookStore
from .evaluation.labels import Gold, GoldPassage, comparable
from .retrieval.version import OpenVersion, OpenVersions
from .service import RagService

Outcome = Literal["obeyed", "broken", "not_retrieved", "refused", "not_in_handbook"]
"""Found and obeyed; found and broken all the same; not among the results; a gate refused; in no chunk."""
_RESULTS = 20
_SHORTEST_TERM = 2
_LONGEST_RUN = 8
_RUN = re.compile(r"[\u3005\u3400-\u9fff]+|[\u30a1-\u30fa\u30fc]+|[A-Za-z][A-Za-z0-9_]+")
"""A word in one script, as Japanese writes most of its terms."""


class FeedbackEntry(BaseModel):
    """A remark with what a search finds today.

    Attributes:
        record: The remark.
        outcome: What became of the expected rule.
        rank: Where the search has it, None when it does not.
        shown: Results that an agent gets.
    """

    model_config = ConfigDict(frozen=True)

    record: FeedbackRecord
    outcome: Outcome
    rank: int | None
    shown: int


@dataclass(frozen=True, slots=True)
class FeedbackReport:
    """All remarks, counted, and synonyms that would help."""

    entries: tuple[FeedbackEntry, ...]
    proposals: tuple[SynonymProposal, ...]

    def count(self, outcome: Outcome) -> int:
        """Return how many remarks ended so."""
        return sum(entry.outcome == outcome for entry in self.entries)

    def dictionary(self) -> str:
        """Return the proposals as YAML for a file that `query.dictionaries` names; "" when there are none."""
        if not self.proposals:
            return ""
        groups = [[p.asked, p.written] for p in self.proposals]
        return str(yaml.safe_dump({"synonyms": groups}, allow_unicode=True, default_flow_style=None, sort_keys=False))


@dataclass(frozen=True, slots=True)
class FeedbackTools:
    """What feedback needs from outside."""

    store: FeedbackStore
    handbook: HandbookStore
    versions: OpenVersions
    service: RagService
    clock: Callable[[], datetime]
    new_id: Callable[[], str]


class FeedbackLoop:
    """Takes remarks in and reports on them."""

    def __init__(self, tools: FeedbackTools) -> None:
        self._tools = tools

    def add(self, *, query: str, expected: ExpectedRule, verdict: Verdict = "missed", **rest: object) -> FeedbackRecord:
        """Store one remark.

        Args:
            query: What was searched.
            expected: The rule that should have counted.
            verdict: How it went.
            rest: Further fields of `FeedbackRecord`: agent, category, trace_id, note.

        Raises:
            ConfigError: A field does not fit.
            RetrievalError: The chunk does not exist.
        """
        record = self._record({"query": query, "expected": expected, "verdict": verdict, **rest}, "The remark")
        self._tools.store.add_feedback([record])
        return record

    def import_file(self, path: Path) -> tuple[int, int]:
        """Store the remarks of a JSON Lines file and return how many there are and how many were new.

        A line without `feedback_id` gets one that is made of its content, so that a second import adds nothing.

        Raises:
            ConfigError: The file cannot be read or a line does not fit; nothing is stored then.
            RetrievalError: A chunk does not exist.
        """
        try:
            lines = path.read_text(encoding="utf-8-sig").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            cause = getattr(error, "strerror", None) or str(error)
            raise ConfigError(f"{path} cannot be read: {cause}.") from error
        records = []
        for number, line in enumerate(lines, start=1):
            if line.strip():
                records.append(self._record(_object(line, path, number), f"{path}, line {number}"))
        return len(records), self._tools.store.add_feedback(records)

    def _record(self, fields: dict[str, object], place: str) -> FeedbackRecord:
        from hashlib import sha256

        content = json.dumps(fields, sort_keys=True, default=str, ensure_ascii=False)
        given = {
            "feedback_id": sha256(content.encode("utf-8", "replace")).hexdigest()[:32],
            "created_at": self._tools.clock().isoformat(timespec="milliseconds"),
        }
        try:
            record = FeedbackRecord.model_validate(given | fields)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            message = first["msg"].removeprefix("Value error, ")
            raise ConfigError(f"{place}: {f'{where}: ' if where else ''}{message}.") from error
        return record.model_copy(update={"expected": self._identified(record.expected)})

    def _identified(self, expected: ExpectedRule) -> ExpectedRule:
        """Return the rule with document and hash of its chunk, which later versions know it by."""
        if not expected.chunk_id or expected.content_hash:
            return expected
        try:
            chunk = self._tools.handbook.chunk(expected.chunk_id)
        except (KisokuError, KeyError, ValueError) as error:
            raise RetrievalError(
                f"There is no chunk {expected.chunk_id!r}.", hint="kisoku search --json shows chunk ids."
            ) from error
        return expected.model_copy(update={"doc": chunk.doc_id, "content_hash": chunk.content_hash})

    def report(self, *, least: int = 2) -> FeedbackReport:
        """Search for every remark again, in the active version, and say what becomes of its rule.

        Args:
            least: Misses in which two words must meet to be proposed as synonyms.
        """
        pointer = self._tools.handbook.pointer()
        records = self._tools.store.feedback()
        if pointer is None or not records:
            return FeedbackReport((), ())
        version = self._tools.versions.get(pointer.version)
        chunks = [
            c
            for category in version.manifest.categories
            for c in self._tools.handbook.chunks(pointer.version, category)
        ]
        entries, misses = [], []
        for record in records:
            rules = [chunk for chunk in chunks if _is_expected(chunk, record.expected)]
            entry = self._entry(record, rules)
            entries.append(entry)
            if entry.outcome in {"not_retrieved", "refused"}:
                misses.append(_miss(version, record.query, rules))
        weight = _rarity(version)
        return FeedbackReport(tuple(entries), tuple(propose_synonyms(misses, weight, least=least)))

    def _entry(self, record: FeedbackRecord, rules: Sequence[RuleChunk]) -> FeedbackEntry:
        asked = {"session_id": None, "query": record.query, "agent": record.agent, "category": record.category}
        result = self._tools.service.search(**asked, top_k=_RESULTS, record=False)  # type: ignore[arg-type]  # checked above
        shown = len(self._tools.service.search(**asked, record=False).chunks)  # type: ignore[arg-type]  # checked above
        listed = result.withheld if result.refused else result.chunks
        wanted = {rule.chunk_id for rule in rules} | {rule.content_hash for rule in rules}
        rank = next(
            (n for n, c in enumerate(listed, start=1) if c.chunk_id in wanted or c.content_hash in wanted), None
        )
        outcome: Outcome
        if not rules:
            outcome = "not_in_handbook"
        elif result.refused:
            outcome = "refused"
        elif rank is None or rank > shown:
            outcome = "not_retrieved"
        else:
            outcome = "obeyed" if record.verdict == "ok" else "broken"
        return FeedbackEntry(record=record, outcome=outcome, rank=rank, shown=shown)


def _object(line: str, path: Path, number: int) -> dict[str, object]:
    try:
        value = json.loads(line)
    except ValueError as error:
        raise ConfigError(f"{path}, line {number}: no JSON: {error}.") from error
    if not isinstance(value, dict):
        raise ConfigError(f"{path}, line {number}: a remark is a JSON object.")
    return value


def _is_expected(chunk: RuleChunk, expected: ExpectedRule) -> bool:
    if expected.content_hash:
        return chunk.content_hash == expected.content_hash or chunk.chunk_id == expected.chunk_id
    if chunk.is_parent:
        return False
    gold = Gold.of([GoldPassage(doc=expected.doc, all_of=expected.contains)])
    return gold.holds(chunk.doc_id, chunk.headings, chunk.content)


def _miss(version: OpenVersion, query: str, rules: Sequence[RuleChunk]) -> Miss:
    """Return the words of both sides as they are written there; normalised forms alone would match no query."""
    analyzer = version.analyzer()
    written = "\n".join(rule.text for rule in rules)
    return Miss(
        _written(analyzer.analyze_query(query), query),
        _written([term for rule in rules for term in analyzer.analyze(rule.text)], written),
    )


def _written(terms: Sequence[str], text: str) -> frozenset[str]:
    there = comparable(text)
    runs = (run.casefold() for run in _RUN.findall(unicodedata.normalize("NFKC", text)))
    words = {*terms, *(run for run in runs if len(run) <= _LONGEST_RUN)}
    return frozenset(t for t in words if len(t) >= _SHORTEST_TERM and not t.isdigit() and t in there)


def _rarity(version: OpenVersion) -> Callable[[str], float]:
    indexes = [version.keyword_index(category) for category in version.manifest.categories]
    size = sum(index.count() for index in indexes)

    def weight(term: str) -> float:
        return rarity(size, sum(index.document_frequencies([term])[0] for index in indexes))

    return weight
