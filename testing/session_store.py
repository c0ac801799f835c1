"""The contract of session stores, as tests: subclass, override `store`, run pytest."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from ..domain.conflicts import ConflictGroup, ConflictMember, DecisionRecord
from ..domain.errors import SessionError
from ..domain.notices import notice
from ..ports.agents import ChapterTask, Finding
from ..ports.document_store import ChapterRecord, DocumentRecord
from ..ports.session_store import GivenEvidence, InvocationRecord, SessionStore

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def _member(chunk_id: str, value: str) -> ConflictMember:
    return ConflictMember(
        chunk_id=chunk_id, content_hash="h", document="記入規則.docx", heading="2 表", rule="太字とする。", value=value
    )


def _conflict(conflict_id: str, session_id: str = "s1") -> ConflictGroup:
    return ConflictGroup(
        conflict_id=conflict_id,
        session_id=session_id,
        chapter="機能一覧",
        topic="表のヘッダー行",
        attribute="下線",
        members=(_member("rules-write_v1_001", "あり"), _member("rules-write_v1_002", "なし")),
        confidence=0.9,
    )


def _decision(conflict_id: str, adopted: str | None, session_id: str = "s1") -> DecisionRecord:
    return DecisionRecord(
        conflict_id=conflict_id,
        session_id=session_id,
        chapter="機能一覧",
        topic="表のヘッダー行",
        conflicting_chunks=_conflict(conflict_id).members,
        user_decision=f"adopt:{adopted}" if adopted else "annotate",
        adopted=adopted,
        decided_at=NOW.isoformat(),
    )


def _invocation(trace_id: str, session_id: str | None = None) -> InvocationRecord:
    return InvocationRecord(
        trace_id=trace_id,
        session_id=session_id,
        created_at=NOW.isoformat(),
        version="v1",
        agent="writer",
        query="表の書き方 😀 'quoted\" \n",
        chunk_ids=("rules-write_v1_001", "rules-write_v1_002"),
        refused=False,
        milliseconds=1.5,
        retrieval_details='{"stages": []}',
        gate="rerank_low_score",
        categories=("write", "design"),
        cache_hit=False,
        embedding_tokens=12,
        cost=0.25,
    )


def _passage(
    content_hash: str, start: int = 0, end: int = 100, *, session_id: str = "s1", trace_id: str = "t1"
) -> GivenEvidence:
    return GivenEvidence(
        session_id=session_id,
        content_hash=content_hash,
        start=start,
        end=end,
        domain="書式",
        trace_id=trace_id,
        given_at=NOW.isoformat(),
    )


def _document(session_id: str) -> DocumentRecord:
    return DocumentRecord(session_id=session_id, title="概要設計書", agents="rules", created_at=NOW.isoformat())


def _chapter(number: int, session_id: str = "s1") -> ChapterRecord:
    return ChapterRecord(
        session_id=session_id,
        number=number,
        task=ChapterTask("機能一覧", ("表の書式",), ("F001",), "影響"),
        draft="# 機能一覧 😀\n",
        findings=(Finding("「太字」は規則に反する。", "rules-write_v1_001"),),
        notices=(notice("keyword_unavailable", "ja", "cause"),),
        blocking=("c-1",),
    )


class SessionStoreContract:
    """Holds an adapter to the contract in the docstring of `SessionStore`.

    A third party proves an adapter so::

        class TestMyStore(SessionStoreContract):
            @pytest.fixture
            def reopen(self, tmp_path) -> Callable[[], SessionStore]:
                return lambda: MyStore(tmp_path)
    """

    @pytest.fixture
    def reopen(self) -> Callable[[], SessionStore]:
        """Opens the store under test, each time over the same, at first empty, database."""
        raise NotImplementedError("override the fixture `reopen`")

    @pytest.fixture
    def store(self, reopen: Callable[[], SessionStore]) -> SessionStore:
        """The store, open."""
        return reopen()

    def test_an_empty_store_knows_nothing_and_raises_nothing(self, store: SessionStore) -> None:
        assert store.session("s1") is None
        assert store.find_conflict("c1") is None
        assert store.invocation("t1") is None
        everything = (store.sessions(), store.conflicts("s1"), store.decisions("s1"), store.invocations())
        assert [len(found) for found in (*everything, store.invocations("s1"))] == [0, 0, 0, 0, 0]
        store.finish("s1", NOW)

    def test_a_lock_is_kept(self, store: SessionStore) -> None:
        record = store.lock("s1", "v3", NOW)
        assert (record.session_id, record.version, record.finished_at) == ("s1", "v3", None)
        assert datetime.fromisoformat(record.created_at) == NOW
        assert store.session("s1") == record

    def test_locking_again_to_the_same_version_changes_nothing(self, store: SessionStore) -> None:
        record = store.lock("s1", "v3", NOW)
        assert store.lock("s1", "v3", NOW + timedelta(days=1)) == record

    def test_locking_to_another_version_is_refused(self, store: SessionStore) -> None:
        store.lock("s1", "v3", NOW)
        with pytest.raises(SessionError, match="v3"):
            store.lock("s1", "v4", NOW)
        found = store.session("s1")
        assert found is not None
        assert found.version == "v3"

    def test_finishing_happens_once(self, store: SessionStore) -> None:
        store.lock("s1", "v1", NOW)
        store.finish("s1", NOW)
        store.finish("s1", NOW + timedelta(hours=1))
        found = store.session("s1")
        assert found is not None
        assert found.finished_at is not None
        assert datetime.fromisoformat(found.finished_at) == NOW

    def test_sessions_come_oldest_first(self, store: SessionStore) -> None:
        for number, name in enumerate(["z", "a", "m"]):
            store.lock(name, "v1", NOW + timedelta(minutes=number))
        assert [s.session_id for s in store.sessions()] == ["z", "a", "m"]

    def test_a_conflict_is_stored_once(self, store: SessionStore) -> None:
        store.add_conflict(_conflict("c1"))
        store.add_conflict(_conflict("c1").model_copy(update={"topic": "別"}))
        store.add_conflict(_conflict("c2"))
        store.add_conflict(_conflict("c3", "s2"))
        assert list(store.conflicts("s1")) == [_conflict("c1"), _conflict("c2")]
        assert store.find_conflict("c3") == _conflict("c3", "s2")

    def test_a_decision_marks_its_conflict(self, store: SessionStore) -> None:
        store.add_conflict(_conflict("c1"))
        store.add_conflict(_conflict("c2"))
        store.add_decision(_decision("c2", "rules-write_v1_001"))
        assert [g.status for g in store.conflicts("s1")] == ["pending", "decided"]
        assert list(store.decisions("s1")) == [_decision("c2", "rules-write_v1_001")]

    def test_a_later_decision_replaces_the_earlier(self, store: SessionStore) -> None:
        store.add_conflict(_conflict("c1"))
        store.add_decision(_decision("c1", "rules-write_v1_001"))
        store.add_decision(_decision("c1", None))
        assert list(store.decisions("s1")) == [_decision("c1", None)]

    def test_invocations_come_newest_first(self, store: SessionStore) -> None:
        for trace, session in (("t1", None), ("t2", "s1"), ("t3", "s2"), ("t4", "s1")):
            store.add_invocation(_invocation(trace, session))
        assert store.invocation("t2") == _invocation("t2", "s1")
        assert [r.trace_id for r in store.invocations()] == ["t4", "t3", "t2", "t1"]
        assert [r.trace_id for r in store.invocations("s1")] == ["t4", "t2"]
        assert [r.trace_id for r in store.invocations(limit=2)] == ["t4", "t3"]

    def test_all_invocations_of_a_time_come_oldest_first(self, store: SessionStore) -> None:
        later = (NOW + timedelta(hours=1)).isoformat()
        for trace, session in (("t1", None), ("t2", "s1"), ("t3", "s1")):
            made = _invocation(trace, session)
            store.add_invocation(made if trace != "t3" else made.model_copy(update={"created_at": later}))
        assert [r.trace_id for r in store.each_invocation()] == ["t1", "t2", "t3"]
        assert [r.trace_id for r in store.each_invocation(later)] == ["t3"]
        assert [r.trace_id for r in store.each_invocation(session_id="s1")] == ["t2", "t3"]

    def test_an_invocation_is_found_by_how_its_id_begins(self, store: SessionStore) -> None:
        for trace in ("ab1", "ab2", "b%"):
            store.add_invocation(_invocation(trace))
        assert [r.trace_id for r in store.invocations_named("ab")] == ["ab2", "ab1"]
        assert [r.trace_id for r in store.invocations_named("ab", limit=1)] == ["ab2"]
        assert [r.trace_id for r in store.invocations_named("%")] == []

    def test_figures_that_nobody_took_stay_unknown(self, store: SessionStore) -> None:
        unknown = {"gate": None, "categories": (), "cache_hit": None, "embedding_tokens": None, "cost": None}
        record = _invocation("t1").model_copy(update=unknown)
        store.add_invocation(record)
        assert store.invocation("t1") == record

    def test_a_passage_is_given_once_a_session(self, store: SessionStore) -> None:
        first, second = _passage("h1"), _passage("h2", 10, 20)
        assert list(store.given_evidence("s1")) == []
        assert list(store.give_evidence([first, second])) == [True, True]
        assert list(store.give_evidence([_passage("h1", trace_id="t9"), _passage("h3")])) == [False, True]
        assert list(store.give_evidence([_passage("h1", session_id="s2")])) == [True]
        assert list(store.given_evidence("s1")) == [first, second, _passage("h3")]

    def test_another_part_of_a_chunk_is_another_passage(self, store: SessionStore) -> None:
        assert list(store.give_evidence([_passage("h1", 0, 100), _passage("h1", 100, 200)])) == [True, True]

    def test_everything_is_there_after_reopening(self, reopen: Callable[[], SessionStore]) -> None:
        store = reopen()
        store.lock("s1", "v1", NOW)
        store.add_conflict(_conflict("c1"))
        store.add_decision(_decision("c1", None))
        store.add_invocation(_invocation("t1", "s1"))
        store.give_evidence([_passage("h1")])
        store.close()
        again = reopen()
        assert [s.session_id for s in again.sessions()] == ["s1"]
        assert [g.status for g in again.conflicts("s1")] == ["decided"]
        assert list(again.decisions("s1")) == [_decision("c1", None)]
        assert again.invocation("t1") == _invocation("t1", "s1")
        assert list(again.give_evidence([_passage("h1")])) == [False]

    @pytest.mark.parametrize("name", ["セッション 1", "a'; DROP TABLE sessions;--", "x" * 200, "😀"])
    def test_any_name_is_data(self, store: SessionStore, name: str) -> None:
        store.lock(name, "v1", NOW)
        found = store.session(name)
        assert found is not None
        assert found.session_id == name
        assert [s.session_id for s in store.sessions()] == [name]

    def test_a_document_is_kept_with_its_chapters(
        self, store: SessionStore, reopen: Callable[[], SessionStore]
    ) -> None:
        document, chapters = _document("s1"), [_chapter(2), _chapter(1)]
        store.add_document(document, chapters)
        store.close()
        again = reopen()
        assert again.document("s1") == document
        assert list(again.chapters("s1")) == [_chapter(1), _chapter(2)]
        assert again.document("other") is None
        assert list(again.chapters("other")) == []

    def test_a_session_has_one_document(self, store: SessionStore) -> None:
        store.add_document(_document("s1"), [_chapter(1)])
        with pytest.raises(SessionError, match="s1"):
            store.add_document(_document("s1").model_copy(update={"title": "another"}), [_chapter(1), _chapter(2)])
        found = store.document("s1")
        assert found is not None
        assert found.title == "概要設計書"
        assert len(store.chapters("s1")) == 1

    def test_a_chapter_is_replaced(self, store: SessionStore) -> None:
        for status in ("open", "finished"):
            store.save_chapter(_chapter(1).model_copy(update={"status": status}))
        assert [c.status for c in store.chapters("s1")] == ["finished"]
