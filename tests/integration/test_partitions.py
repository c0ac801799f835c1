"""Partitions: named in handbook.yaml, by folder or in the settings; searched alone, together, or by name in a query."""

import json
import shutil

import pytest
from kisoku.adapters.cli.main import app as cli
from kisoku.domain.errors import ConfigError, RetrievalError
from kisoku.domain.names import keyword_collection
from kisoku.domain.partitions import known_partitions, mentioned_partitions, partition_of
from kisoku.orchestration.building.collect import collect_documents
from typer.testing import CliRunner

SITES = ("東京", "大阪", "名古屋")
SENTENCES = (
    "帳票の余白は{site}では20ミリとする。",
    "表の罫線は{site}では細線とする。",
    "図の表題は{site}では図の下に置く。",
)


def section(title, sentences):
    return f"# {title}\n\n" + "\n\n".join(sentences) + "\n"


@pytest.fixture
def sites(tmp_path):
    """A folder for each site, and a document of no site."""
    folder = tmp_path / "rules"
    for site in SITES:
        (folder / "write" / site).mkdir(parents=True)
        text = section("様式", [s.format(site=site) for s in SENTENCES])
        (folder / "write" / site / f"{site}規則.md").write_text(text, encoding="utf-8")
    common = section("共通", ["帳票の余白が決まっていないときは15ミリとする。"])
    (folder / "write" / "共通規則.md").write_text(common, encoding="utf-8")
    return folder


@pytest.fixture(params=["hybrid", "cascade"])
def by_site(request, sites, open_app, build, tmp_path):
    """Open the sites' handbook with one of the pipelines; keyword arguments are settings of `partitions`."""

    def open_(**values):
        app = open_app(
            tmp_path / "handbook",
            partitions={"by": "folder"} | values,
            gates={"enabled": False},
            retrieval={"pipeline": request.param, "cascade": {"vector_least": -1, "keyword_least": 0}},
        )
        if not app.handbook_store.versions():
            build(app, sites)
        return app

    return open_


def documents(app, query="帳票の余白", **options):
    result = app.service.search(session_id=None, query=query, agent="writer", top_k=20, **options)
    return {c.doc_id for c in result.chunks}


def test_manifest_and_chunks_name_the_partitions(by_site):
    app = by_site()
    manifest = app.manager.get_version("v1")
    assert manifest.partitions == tuple(sorted(SITES))
    assert {s.name: s.partition for s in manifest.source_files} == {
        "共通規則.md": "",
        **{f"{site}規則.md": site for site in SITES},
    }
    assert {c.partition for c in app.handbook_store.chunks("v1", "write")} == {"", *SITES}


def test_one_partition_and_the_documents_of_none(by_site):
    assert documents(by_site(), partitions=["大阪"]) == {"大阪規則.md", "共通規則.md"}


def test_several_partitions_are_merged(by_site):
    assert documents(by_site(), partitions=["大阪", "東京"]) == {"大阪規則.md", "東京規則.md", "共通規則.md"}


def test_without_partitions_everything_is_searched(by_site):
    assert documents(by_site()) == {"共通規則.md", *(f"{site}規則.md" for site in SITES)}


def test_the_query_may_name_its_partitions(by_site):
    assert documents(by_site(match_query=True), "名古屋の帳票の余白") == {"名古屋規則.md", "共通規則.md"}


def test_a_query_that_names_none_finds_what_holds_for_all(by_site):
    assert documents(by_site(match_query=True)) == {"共通規則.md"}


def test_partitions_given_win_over_those_in_the_query(by_site):
    found = documents(by_site(match_query=True), "名古屋の帳票の余白", partitions=["大阪"])
    assert found == {"大阪規則.md", "共通規則.md"}


def test_an_unknown_partition_names_the_nearest(by_site):
    with pytest.raises(RetrievalError, match="Did you mean 東京"):
        documents(by_site(), partitions=["東京都"])


def test_an_unknown_partition_lists_those_there_are(by_site):
    with pytest.raises(RetrievalError, match="Partitions: "):
        documents(by_site(), partitions=["Kyoto"])


def test_indexes_load_when_they_are_needed_and_stay(by_site):
    app = by_site()
    search = app.service.search
    ask = {"session_id": None, "query": "帳票の余白", "agent": "writer"}
    assert search(**ask, partitions=["東京"]).metrics.cache_hit is False
    assert search(**ask, partitions=["東京"]).metrics.cache_hit is True
    assert search(**ask, partitions=["大阪"]).metrics.cache_hit is False
    metrics = search(**ask, partitions=["東京", "大阪"]).metrics
    assert metrics.cache_hit is True
    assert metrics.partitions_detected == metrics.cities_detected == ("東京", "大阪")
    assert metrics.docs_matched == 3


def test_the_least_used_indexes_are_dropped(by_site):
    app = by_site(kept=1)
    ask = {"session_id": None, "query": "帳票の余白", "agent": "writer"}
    for site in SITES:
        app.service.search(**ask, partitions=[site])
    assert len(app.versions.get("v1")._partitions) == 1


def test_warm_up_loads_ahead(by_site):
    app = by_site()
    assert app.service.warm_up(["東京"]) == {}
    ask = {"session_id": None, "query": "帳票の余白", "agent": "writer"}
    assert app.service.search(**ask, partitions=["東京"]).metrics.cache_hit is True
    with pytest.raises(RetrievalError):
        app.service.warm_up(["Kyoto"])


def test_warm_up_tells_what_cannot_be_loaded(by_site, broken_embedder):
    broken_embedder["query"] = RuntimeError("no model")
    app = by_site()
    assert app.service.warm_up() == {"embedding model": "no model"}


@pytest.mark.parametrize("pipeline", ["hybrid", "cascade"])
def test_no_partition_matched_is_refused(pipeline, sites, open_app, build, tmp_path):
    (sites / "write" / "共通規則.md").unlink()
    app = open_app(
        tmp_path / "handbook", partitions={"by": "folder", "match_query": True}, retrieval={"pipeline": pipeline}
    )
    build(app, sites)
    result = app.service.search(session_id=None, query="帳票の余白", agent="writer")
    assert (result.refused, result.gate, result.chunks) == (True, "no_docs_matched", ())
    assert result.metrics.error == "no_docs_matched"


def test_a_document_that_moves_to_another_partition_makes_a_version(by_site, build, sites, embed_calls):
    app = by_site()
    embed_calls.clear()
    (sites / "write" / "東京" / "東京規則.md").rename(sites / "write" / "大阪" / "東京規則.md")
    report = build(app, sites)
    assert report.version == "v2"
    assert embed_calls.passages == []
    assert documents(app, partitions=["大阪"]) == {"大阪規則.md", "東京規則.md", "共通規則.md"}


# --- where partitions come from


def collected(folder, text=None):
    if text is not None:
        (folder / "handbook.yaml").write_text(text, encoding="utf-8")
    return collect_documents(folder).partitions


def test_patterns_of_handbook_yaml(sites):
    assert collected(sites, 'partitions: {西: ["*大阪*"], 東: ["write/東京/*"]}') == {
        "大阪規則.md": "西",
        "東京規則.md": "東",
    }


def test_folders_named_by_handbook_yaml(sites):
    assert collected(sites, "partition_by: folder") == {f"{site}規則.md": site for site in SITES}


def test_folders_below_patterns_of_categories(sites):
    text = 'categories: {write: ["*"]}\npartition_by: folder'
    assert set(collected(sites, text).values()) == {"write"}


def test_no_partitions_unless_asked_for(sites):
    assert collected(sites) == {}


def test_an_empty_handbook_yaml_is_refused(sites):
    with pytest.raises(ConfigError, match="names no categories"):
        collected(sites, "{}")


def test_patterns_of_the_settings(open_app, build, sites, tmp_path):
    app = open_app(tmp_path / "handbook", partitions={"patterns": {"関西": ["大阪*"]}})
    build(app, sites)
    assert app.manager.get_version("v1").partitions == ("関西",)


# --- names


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("大阪と東京の余白", ("大阪", "東京")),
        ("東京都の余白", ("東京",)),
        ("余白", ()),
        ("Line 1の余白", ("line 1",)),
        ("line 12の余白", ()),
        ("ＬＩＮＥ　１", ("line 1",)),
        ("東京駅の余白", ("東京駅",)),
    ],
)
def test_partitions_in_a_query(text, found):
    assert mentioned_partitions(text, ["東京", "大阪", "line 1", "東京駅"]) == found


def test_width_and_case_do_not_matter():
    assert known_partitions(["ＬＩＮＥ 1", "line 1"], ["Line 1"]) == ("Line 1",)


@pytest.mark.parametrize(
    ("path", "folder", "name"),
    [("a/x.md", "", "A"), ("b/A_x.md", "", "A"), ("b/x.md", "b", "b"), ("b/x.md", "", "")],
)
def test_partition_of_a_path(path, folder, name):
    assert partition_of(path, {"A": ["a/*", "A_*"]}, folder=folder) == name


# --- the commands


def test_commands(sites, tmp_path):
    root = ["--root", str(tmp_path / "cli"), "--set", "embedding.adapter=counting", "--lang", "en"]
    run = CliRunner().invoke
    built = run(cli, ["build", str(sites), *root, "--set", "partitions.by=folder", "--set", "build.workers=0"])
    assert built.exit_code == 0, built.output
    (version,) = json.loads(run(cli, ["versions", *root, "--json"]).stdout)
    assert version["partitions"] == sorted(SITES)
    search = [
        "search",
        "帳票の余白",
        "--agent",
        "writer",
        "--json",
        *root,
        "--partition",
        "大阪",
        "--set",
        "gates.enabled=false",
    ]
    found = json.loads(run(cli, search).stdout)
    assert {c["doc_id"] for c in found["chunks"]} == {"大阪規則.md", "共通規則.md"}


def test_eval_writes_metrics(sites, tmp_path):
    queries, out, metrics = (tmp_path / name for name in ("q.jsonl", "run.jsonl", "metrics.jsonl"))
    queries.write_text(
        '{"id": "q1", "query": "帳票の余白", "agent": "writer", "partitions": ["大阪"]}\n', encoding="utf-8"
    )
    done = CliRunner().invoke(
        cli,
        [
            "eval",
            "retrieval",
            *("--docs", str(sites), "--queries", str(queries), "--out", str(out), "--metrics", str(metrics), "--json"),
            *("--set", "partitions.by=folder", "--set", "embedding.adapter=counting", "--set", "build.workers=0"),
        ],
    )
    assert done.exit_code == 0, done.output
    line = json.loads(metrics.read_text(encoding="utf-8"))
    assert (line["id"], line["cities_detected"], line["docs_matched"]) == ("q1", ["大阪"], 2)
    assert {"refused", "cache_hit_rate", "vector_top_score_mean", "milliseconds"} <= set(json.loads(done.stdout))


@pytest.mark.parametrize("suffix", ["", ".bigram"])
def test_a_lost_index_of_a_partition_is_made_again(sites, open_app, build, tmp_path, suffix):
    app = open_app(tmp_path / "handbook", partitions={"by": "folder"}, gates={"enabled": False})
    build(app, sites)
    shutil.rmtree(app.handbook_store.keyword_folder("v1", keyword_collection("write", "大阪") + suffix))
    report = build(app, sites)
    assert report.version == "v2"
    assert any("damaged" in warning for warning in report.warnings)
    assert documents(app, partitions=["大阪"]) == {"大阪規則.md", "共通規則.md"}
