"""No handbook: the built-in minimum rules answer, flagged."""

import pytest


def search(app, agent="writer", session_id=None, **options):
    return app.service.search(session_id=session_id, query="用語の書き方", agent=agent, **options)


@pytest.mark.parametrize(
    ("agent", "categories"), [("writer", {"write"}), ("impact", {"design"}), ("qa", {"write", "design"})]
)
def test_minimum_rules_answer_and_say_so(tmp_path, open_app, agent, categories):
    result = search(open_app(tmp_path / "h"), agent, top_k=20)
    assert (result.version, result.no_rule_constraints) == ("v0", True)
    assert [n.code for n in result.notices] == ["no_rule_constraints"]
    assert {c.category for c in result.chunks} == categories
    assert result.conflicts == ()


@pytest.mark.parametrize(("language", "word"), [("ja", "最小規則"), ("zh", "最小规则"), ("en", "minimum rules")])
def test_the_notice_is_in_the_language_of_the_user(tmp_path, open_app, language, word):
    (notice,) = search(open_app(tmp_path / "h", language=language)).notices
    assert word in notice.text


def test_top_k_holds(tmp_path, open_app):
    assert len(search(open_app(tmp_path / "h"), top_k=2).chunks) == 2


def test_a_category_without_minimum_rules_is_empty(tmp_path, open_app):
    result = search(open_app(tmp_path / "h"), category="ref")
    assert (result.chunks, result.no_rule_constraints) == ((), True)


def test_looking_around_leaves_no_folder_behind(tmp_path, open_app):
    search(open_app(tmp_path / "h"))
    assert not (tmp_path / "h").exists()


def test_in_a_session_it_is_recorded(tmp_path, open_app):
    app = open_app(tmp_path / "h")
    result = search(app, session_id="s")
    assert app.sessions.invocation(result.trace_id).version == "v0"


def test_a_handbook_ends_it(built, open_app):
    result = search(open_app(built))
    assert (result.no_rule_constraints, result.notices) == (False, ())
