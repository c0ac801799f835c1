"""Vectors of sentences and words: made with a version, taken over by the next, missed when they are gone."""

import json
import shutil

import pytest

KEEP = {"embedding": {"adapter": "counting", "sentences": True}, "rerank": {"adapter": "sentence"}}


def search(app, query="表のヘッダー行の下線", **options):
    return app.service.search(session_id=None, query=query, agent="writer", record=False, **options)


@pytest.fixture
def kept(rules, tmp_path, open_app, build):
    """Root of a handbook that keeps them, and the app that built it."""
    root = tmp_path / "kept"
    app = open_app(root, **KEEP)
    assert build(app, rules).version == "v1"
    return root, app


def test_they_are_part_of_the_version_folder(kept):
    root, app = kept
    assert app.handbook_store.manifest("v1").embedding.sentences
    folder = root / "sentences" / "v1"
    names = {path.name for path in folder.iterdir()}
    collections = set(app.handbook_store.manifest("v1").collections)
    assert names == collections | {f"{name}.terms" for name in collections}


def test_a_search_embeds_no_sentence(kept, embed_calls):
    _, app = kept
    embed_calls.clear()
    result = search(app, top_k=2)
    assert result.notices == ()
    (rerank,) = [stage for stage in result.trace if stage.stage == "rerank"]
    assert rerank.details.get("candidates", 0) > 2 or "skipped" in rerank.details
    # Words of the query that the handbook does not have are embedded, sentences are not.
    assert all(len(text) < 10 for text in embed_calls.passages)


def test_kept_sentences_rank_as_sentences_embedded_anew(kept, rules, tmp_path, open_app, build):
    _, app = kept
    plain = open_app(
        tmp_path / "plain", embedding={"adapter": "counting", "sentences": False}, rerank={"adapter": "sentence"}
    )
    build(plain, rules)
    found = [
        [(c.doc_id, c.position) for c in search(a, top_k=3).chunks]
        for a in (
            open_app(tmp_path / "kept", **KEEP, retrieval={"related": {"enabled": False}}),
            plain,
        )
    ]
    assert found[0] == found[1]
    assert app.handbook_store.manifest("v1").reranker == plain.handbook_store.manifest("v1").reranker


def test_an_unchanged_handbook_embeds_nothing_again(kept, rules, writers, embed_calls, build):
    _, app = kept
    writers.word(rules / "write" / "追加.docx", [("9. 余白", ["余白は上下25mmとする。"])])
    embed_calls.clear()
    report = build(app, rules)
    assert report.version == "v2"
    assert 0 < len(embed_calls.passages) < 40
    assert all("余白" in text or len(text) < 12 for text in embed_calls.passages)


def test_a_version_without_them_answers_as_before(built, open_app):
    assert not open_app(built).handbook_store.manifest("v1").embedding.sentences
    result = search(open_app(built))
    assert result.chunks
    assert result.notices == ()


def test_a_manifest_of_an_older_kisoku_has_none(built, open_app):
    stored = json.loads((built / "manifests" / "v1.json").read_text(encoding="utf-8"))
    assert "sentences" in json.dumps(stored)
    assert search(open_app(built, **KEEP)).notices == ()


@pytest.mark.parametrize("part", ["rules-write", "rules-write.terms"])
@pytest.mark.parametrize("damage", ["flip", "remove"])
def test_damaged_ones_are_told_and_done_without(kept, open_app, part, damage):
    root, _ = kept
    folder = root / "sentences" / "v1" / part
    if damage == "remove":
        shutil.rmtree(folder)
    else:
        codes = folder / "codes.i8"
        data = bytearray(codes.read_bytes())
        data[len(data) // 2] ^= 1
        codes.write_bytes(data)
    result = search(open_app(root, **KEEP), top_k=2)
    assert result.chunks
    assert [n.code for n in result.notices] == ["sentences_unavailable"]
    assert part.split(".")[0] in result.notices[0].detail


def test_without_the_keyword_index_that_is_what_is_told(kept, open_app):
    root, _ = kept
    shutil.rmtree(root / "keyword" / "v1")
    assert [n.code for n in search(open_app(root, **KEEP)).notices] == ["keyword_unavailable"]


def test_switching_them_on_makes_a_version_and_embeds_no_chunk_again(built, rules, open_app, build):
    report = build(open_app(built, **KEEP), rules)
    assert report.version == "v2"
    assert report.embedded == 0
    assert any("sentences" in reason for reason in report.invalidated)


def test_related_words_find_what_was_said_otherwise(kept):
    _, app = kept
    result = search(app, query="見出しの行に線を引くか", top_k=5)
    assert result.chunks
    assert any(c.lexical is not None for c in result.chunks)


@pytest.mark.parametrize("part", ["rules-write", "rules-write.terms"])
def test_no_change_is_not_said_of_a_version_that_lost_them(kept, rules, open_app, build, part):
    root, _ = kept
    shutil.rmtree(root / "sentences" / "v1" / part)
    report = build(open_app(root, **KEEP), rules)
    assert report.version == "v2"
    assert "v1 is damaged" in report.warnings[0]
    assert search(open_app(root, **KEEP)).notices == ()


def test_the_doctor_sees_lost_word_vectors(kept, open_app):
    root, _ = kept
    shutil.rmtree(root / "sentences" / "v1" / "rules-write.terms")
    doctor = open_app(root, **KEEP).doctor
    assert any("word vectors of rules-write" in finding.message for finding in doctor.examine().findings)
    assert doctor.repair().healthy
    assert search(open_app(root, **KEEP)).notices == ()
