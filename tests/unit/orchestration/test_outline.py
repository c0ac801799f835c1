"""Outlines: what may be left out, and errors that name the place."""

import pytest
from kisoku.domain.errors import ConfigError
from kisoku.orchestration.generation.outline import Outline, language_of, load_outline
from kisoku.ports.agents import ChapterTask


@pytest.fixture
def outline(tmp_path):
    def write(text):
        path = tmp_path / "outline.yaml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return load_outline(path)

    return write


def test_titles_alone_are_an_outline(outline):
    found = outline("title: 概要設計書\nchapters:\n  - 機能一覧の書き方\n  - 画面設計\n")
    assert found.language == "ja"
    assert [c.task() for c in found.chapters] == [
        ChapterTask("機能一覧の書き方", ("機能一覧の書き方",)),
        ChapterTask("画面設計", ("画面設計",)),
    ]


def test_a_chapter_in_full(outline):
    found = outline(
        "title: Design\nlanguage: en\nchapters:\n"
        "  - {title: Screens, topics: [captions, 'screen ids'], elements: [S001], relation: who calls S001}\n"
    )
    assert found.chapters[0].task() == ChapterTask("Screens", ("captions", "screen ids"), ("S001",), "who calls S001")


@pytest.mark.parametrize(
    ("text", "language"), [("功能列表", "zh"), ("ひょう", "ja"), ("List", "en"), ("図表のヘッダー", "ja"), ("", "en")]
)
def test_the_language_is_told_by_its_letters(text, language):
    assert language_of(text) == language


def test_tasks_make_an_outline():
    task = ChapterTask("章", ("a", "b"), ("F001",), "r")
    assert [c.task() for c in Outline.of("書", task).chapters] == [task]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("chapters: [a]", "title: Field required"),
        ("title: t", "chapters: Field required"),
        ("title: t\nchapters: []", "chapters: "),
        ("title: t\nchapters: [{topics: [a]}]", r"chapters\.0\.title: Field required"),
        ("title: t\nchapters: [{title: a, topic: b}]", r"chapters\.0\.topic: Extra inputs"),
        ("title: t\nchapters: [{title: a, topics: ['']}]", r"chapters\.0\.topics\.0: "),
        ("title: t\nlanguage: fr\nchapters: [a]", "language: "),
        ("- a\n- b", "holds no outline"),
        ("title: [", "is no YAML"),
        (b"title: \xff\xfe", "is no YAML in UTF-8"),
        ("title: !!python/object/apply:os.getcwd []", "is no YAML"),
        ("", "holds no outline"),
        ("title: t\nchapters: [" + ", ".join(["a"] * 1001) + "]", "chapters: "),
    ],
)
def test_errors_name_the_place_and_what_to_do(outline, text, message):
    with pytest.raises(ConfigError, match=message) as caught:
        outline(text)
    assert "outline.yaml" in caught.value.message
    assert "title:" in caught.value.hint


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ConfigError, match="cannot be read"):
        load_outline(tmp_path / "none.yaml")


def test_a_huge_file_is_refused(tmp_path):
    path = tmp_path / "big.yaml"
    path.write_bytes(b"#" * 5_000_001)
    with pytest.raises(ConfigError, match="larger than"):
        load_outline(path)
