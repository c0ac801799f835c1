"""Real rule documents of a public agency and an open-source project, where they are at hand."""

import shutil
from pathlib import Path

import docx
import pytest

DOCS = Path(__file__).parents[2] / "../shared/data/rules-ja/docs"

pytestmark = pytest.mark.skipif(not DOCS.is_dir(), reason="the real documents (shared/data/rules-ja) are not here")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return Path(shutil.copytree(DOCS, tmp_path_factory.mktemp("real") / "docs"))


def test_real_documents_build_once_and_then_only_what_changed(folder, tmp_path, open_app, build):
    app = open_app(tmp_path / "h", build={"workers": None}, embedding={"model": "use-multilingual-v3"})
    names = {p.name for p in folder.rglob("*") if p.is_file()}
    report = build(app, folder)
    assert {d.name for d in report.documents} == names
    assert report.failures == ()
    assert all(d.chunks > 0 for d in report.documents)
    assert app.service.search(session_id=None, query="郵便番号の書き方", agent="writer").chunks

    assert build(app, folder).version is None

    touched = min(folder.rglob("*.docx"), key=lambda p: p.stat().st_size)
    document = docx.Document(str(touched))
    document.add_paragraph("追記: 本書の改訂履歴は、改訂のたびに日付と理由を記入しなければならない。")
    document.save(str(touched))
    report = build(app, folder)
    assert report.version == "v2"
    assert {d.name for d in report.documents if d.state != "unchanged"} == {touched.name}
    assert 1 <= report.embedded <= 3
    assert report.reused == report.chunks - report.embedded
    result = app.service.search(session_id=None, query="改訂履歴に日付と理由を記入", agent="qa", top_k=10)
    assert touched.name in {c.doc_id for c in result.chunks}
