"""Feedback in the session database."""

import pytest
from kisoku.adapters.sessions.sql import SqlSessionStore, sqlite_url
from kisoku.domain.feedback import ExpectedRule, FeedbackRecord


def remark(name: str, note: str = "") -> FeedbackRecord:
    return FeedbackRecord(
        feedback_id=name,
        created_at="2026-01-02T03:04:05.000+00:00",
        query="表の書き方",
        expected=ExpectedRule(doc="記入規則.docx", contains=("太字",)),
        note=note,
    )


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    return sqlite_url(tmp_path / "s.db") if request.param == "sqlite" else request.getfixturevalue("postgresql")


def test_remarks_stay_and_are_stored_once(url):
    store = SqlSessionStore(url)
    assert store.feedback() == []
    assert store.add_feedback([remark("a"), remark("b"), remark("a", "again")]) == 2
    assert store.add_feedback([remark("b", "again"), remark("c")]) == 1
    store.close()
    again = SqlSessionStore(url)
    assert again.feedback() == [remark("a"), remark("b"), remark("c")]
    again.close()


def test_reading_makes_no_database(tmp_path):
    store = SqlSessionStore(sqlite_url(tmp_path / "none" / "s.db"))
    assert store.feedback() == []
    store.close()
    assert not (tmp_path / "none").exists()
