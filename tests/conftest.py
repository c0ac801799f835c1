"""Shared fixtures: a tiny rules folder of real Office files, and handbooks built from it with the bundled model."""

import contextlib
import os
import shutil
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import docx
import openpyxl
import pptx
import pytest
from kisoku.adapters.embedding.use import UseEmbedder
from kisoku.config.settings import Settings
from kisoku.orchestration.bootstrap import Kisoku
from kisoku.orchestration.building.collect import collect_documents
from kisoku.orchestration.building.progress import BuildReport
from kisoku.plugins.manager import shared_manager
from kisoku.plugins.markers import hookimpl
from kisoku.ports.embedder import Embedder
from kisoku.ports.vectors import Matrix, Vector

for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    # A shell starts background jobs with Ctrl-C switched off, which the processes that tests interrupt would inherit.
    signal.signal(signal.SIGINT, signal.default_int_handler)

WORD_RULES = (
    ("1 文体", ("本文は「である調」で書く。", "一文は60文字以内とする。")),
    (
        "2 表の書き方",
        ("表のヘッダー行は太字＋下線で記載する。", "数値の列は右寄せ、文字の列は左寄せとし、単位は列見出しに書く。"),
    ),
    ("3 識別子", ("画面IDは「SCR」に3桁の連番を付ける。", "廃止した番号は欠番とし、ほかの画面に使わない。")),
)
EXCEL_ROWS = (
    ("番号", "対象", "規則"),
    ("1", "表のヘッダー行", "表のヘッダー行は太字のみとし、下線は付けない。"),
    ("2", "図の表題", "図の表題は図の下に置き、20文字以内とする。"),
    ("3", "フローチャート", "フローチャートは上から下へ流れるように描く。"),
)
SLIDES = (
    (
        "可用性の方針",
        ("在庫連携（IF001）が止まっていても受注を受け付ける。", "夜間バッチは再実行しても結果が変わらない。"),
    ),
    ("性能の方針", ("画面の応答時間は3秒以内とする。", "一覧の検索は索引を使う。")),
)
MARKDOWN_RULES = """# 命名規則

## テーブル名

テーブル名は英小文字とアンダースコアで付け、30文字以内とする。単数形を使い、略語は用語集に載せたものに限る。

## パスワード

パスワードは12文字以上とし、英大文字、英小文字、数字を混ぜる。平文で保存してはならない。
"""
REFERENCE = """# 参考設計書

## 機能一覧

F001 受注登録は、受注データを登録し、在庫を引き当てる機能である。この文書は過去の例である。
"""


@lru_cache(maxsize=1)
def _use() -> UseEmbedder:
    return UseEmbedder()


@dataclass
class EmbedCalls:
    """What the counting embedder was asked for."""

    passages: list[str] = field(default_factory=list)
    queries: list[str] = field(default_factory=list)

    def clear(self) -> None:
        self.passages.clear()
        self.queries.clear()


_CALLS = EmbedCalls()
_BROKEN: dict[str, Exception] = {}


class CountingEmbedder(Embedder):
    """The bundled model, loaded once for all tests, that writes down what it is asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    @property
    def dimension(self) -> int:
        return _use().dimension

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        if error := _BROKEN.get("passages"):
            raise error
        _CALLS.passages.extend(texts)
        return _use().embed_passages(texts)

    def embed_query(self, text: str) -> Vector:
        if error := _BROKEN.get("query"):
            raise error
        _CALLS.queries.append(text)
        return _use().embed_query(text)

    def count_tokens(self, text: str) -> int:
        return _use().count_tokens(text)


class CountingPlugin:
    """Registers the counting embedder through the hooks, as any plugin would."""

    @hookimpl
    def kisoku_embedders(self):
        return {"counting": lambda options: CountingEmbedder(options.model or "counting-use")}


if "counting" not in shared_manager().names("kisoku_embedders"):
    shared_manager().register(CountingPlugin(), "test-counting", ("kisoku-tests", "1"))


def write_word(path: Path, rules: Sequence[tuple[str, Sequence[str]]] = WORD_RULES) -> None:
    document = docx.Document()
    for heading, sentences in rules:
        document.add_heading(heading, level=1)
        for sentence in sentences:
            document.add_paragraph(sentence)
    document.save(str(path))


def write_excel(path: Path, rows: Sequence[Sequence[str]] = EXCEL_ROWS) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "図表の規則"
    for row in rows:
        sheet.append(list(row))
    book.save(path)


def write_slides(path: Path) -> None:
    deck = pptx.Presentation()
    for title, lines in SLIDES:
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = "\n".join(lines)
    deck.save(str(path))


@dataclass(frozen=True)
class RuleWriters:
    """Writes one Office file each."""

    word: Callable[..., None]
    excel: Callable[..., None]
    slides: Callable[..., None]


@pytest.fixture(scope="session")
def writers() -> RuleWriters:
    return RuleWriters(write_word, write_excel, write_slides)


@pytest.fixture(scope="session")
def rules_template(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("rules-template")
    for category in ("write", "design", "ref"):
        (folder / category).mkdir()
    write_word(folder / "write" / "記入規則.docx")
    write_excel(folder / "write" / "図表規則.xlsx")
    write_slides(folder / "design" / "設計方針.pptx")
    (folder / "design" / "命名規則.md").write_text(MARKDOWN_RULES, encoding="utf-8")
    (folder / "ref" / "参考設計書.md").write_text(REFERENCE, encoding="utf-8")
    return folder


@pytest.fixture
def rules(rules_template, tmp_path) -> Path:
    """Five rule files of four formats in three categories; a copy of the test's own."""
    return Path(shutil.copytree(rules_template, tmp_path / "rules"))


@pytest.fixture
def embed_calls() -> EmbedCalls:
    _CALLS.clear()
    return _CALLS


@pytest.fixture
def broken_embedder() -> Iterator[dict[str, Exception]]:
    """Set `["query"]` or `["passages"]` to the exception that the counting embedder shall raise there."""
    _BROKEN.clear()
    yield _BROKEN
    _BROKEN.clear()


def quick_settings(root: Path, **sections: object) -> Settings:
    """Settings for tests: parsed in this process, the bundled model loaded once a process, messages in English."""
    values: dict[str, object] = {"root": root, "language": "en", "embedding": {"adapter": "counting"}}
    build = {"workers": 0} | dict(sections.pop("build", {}))
    return Settings.model_validate(values | {"build": build} | sections)


@pytest.fixture
def settings() -> Callable[..., Settings]:
    return quick_settings


OpenApp = Callable[..., Kisoku]


@pytest.fixture
def open_app() -> Iterator[OpenApp]:
    """Open a handbook by root and settings' sections; everything is closed after the test."""
    with contextlib.ExitStack() as stack:

        def open_(root: Path, *, parts: dict[str, object] | None = None, **sections: object) -> Kisoku:
            return stack.enter_context(Kisoku(quick_settings(root, **sections), **(parts or {})))

        yield open_


def build_folder(app: Kisoku, folder: Path, **options: object) -> BuildReport:
    collected = collect_documents(folder, app.settings.partitions)
    return app.manager.build(collected.files, collected.categories, partitions=collected.partitions, **options)


@pytest.fixture(scope="session")
def build() -> Callable[..., BuildReport]:
    return build_folder


@pytest.fixture(scope="session")
def built_template(tmp_path_factory, rules_template) -> Path:
    root = tmp_path_factory.mktemp("built-template") / "handbook"
    with Kisoku(quick_settings(root)) as app:
        report = build_folder(app, rules_template)
    assert report.version == "v1"
    return root


@pytest.fixture
def built(built_template, tmp_path) -> Path:
    """Root of a handbook whose v1 was built from `rules`; a copy of the test's own."""
    return Path(shutil.copytree(built_template, tmp_path / "handbook"))
