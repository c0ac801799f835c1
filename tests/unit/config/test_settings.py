"""Settings: the documented defaults are the defaults; every source, its precedence and its origin; clear faults."""

from importlib import resources
from pathlib import Path

import pytest
import yaml
from kisoku.config.loading import load_settings
from kisoku.config.settings import Settings
from kisoku.domain.errors import ConfigError
from pydantic import BaseModel

DOCUMENT = resources.files("kisoku.config").joinpath("rag.yaml").read_text("utf-8")
FREE = {"options", "by_type", "chapter_top_k", "patterns"}
"""Mappings whose keys are the user's."""


def load(**sources):
    return load_settings(**({"environment": {}} | sources))


def keys(model: type[BaseModel], path: str = ""):
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from keys(kind, f"{path}{name}.")
        else:
            yield path + name


def documented(values, path: str = ""):
    for name, value in values.items():
        if isinstance(value, dict) and name not in FREE:
            yield from documented(value, f"{path}{name}.")
        else:
            yield path + name


def test_rag_yaml_holds_the_defaults():
    assert load().settings == Settings()


def test_rag_yaml_documents_every_key():
    assert set(documented(yaml.safe_load(DOCUMENT))) == set(keys(Settings))


def test_the_profile_is_valid_and_says_so():
    loaded = load(profile="bge-m3")
    assert loaded.settings.embedding.model == "BAAI/bge-m3"
    assert loaded.origins["embedding.model"] == "profile bge-m3"


def test_later_sources_win_and_are_remembered(tmp_path):
    profile, config = tmp_path / "p.yaml", tmp_path / "c.yaml"
    profile.write_text("retrieval: {top_k: 11, context_weight: 0.1}\nrerank: {candidates: 12}\n")
    config.write_text("retrieval: {top_k: 21}\nkeyword: {k1: 2.0}\n")
    loaded = load(
        profile=str(profile),
        config=config,
        environment={"KISOKU_RETRIEVAL__TOP_K": "31", "KISOKU_KEYWORD__B": "0.5", "PATH": "/bin"},
        assignments=["retrieval.top_k=41"],
        overrides={"root": Path("x")},
    )
    settings = loaded.settings
    assert (settings.retrieval.top_k, loaded.origins["retrieval.top_k"]) == (41, "--set retrieval.top_k")
    assert (settings.keyword.b, loaded.origins["keyword.b"]) == (0.5, "variable KISOKU_KEYWORD__B")
    assert (settings.keyword.k1, loaded.origins["keyword.k1"]) == (2.0, str(config))
    assert (settings.rerank.candidates, loaded.origins["rerank.candidates"]) == (12, f"profile {profile}")
    assert (settings.rerank.enabled, loaded.origins["rerank.enabled"]) == (True, "rag.yaml")
    assert (settings.root, loaded.origins["root"]) == (Path("x"), "command line")


@pytest.mark.parametrize(("without", "expected"), [("set", 31), ("environment", 21), ("config", 11)])
def test_each_source_gives_way_to_the_next(tmp_path, without, expected):
    profile, config = tmp_path / "p.yaml", tmp_path / "c.yaml"
    profile.write_text("retrieval: {top_k: 11}")
    config.write_text("retrieval: {top_k: 21}")
    left = ["set", "environment", "config"]
    del left[: left.index(without) + 1]
    loaded = load(
        profile=str(profile),
        config=config if "config" in left else None,
        environment={"KISOKU_RETRIEVAL__TOP_K": "31"} if "environment" in left else {},
    )
    assert loaded.settings.retrieval.top_k == expected


def test_config_and_profile_by_variable(tmp_path):
    config = tmp_path / "c.yaml"
    config.write_text("language: zh")
    loaded = load(environment={"KISOKU_CONFIG": str(config), "KISOKU_PROFILE": "bge-m3"})
    assert (loaded.settings.language, loaded.settings.rerank.adapter) == ("zh", "cross-encoder")


def test_an_empty_variable_is_an_empty_text():
    assert load(environment={"KISOKU_SESSIONS__URL": ""}).settings.sessions.url == ""
    assert load(assignments=["embedding.device="]).settings.embedding.device == ""


@pytest.mark.parametrize("path", ["規則　集", 'it\'s "q"', "a\\b", "c:d # e", "null", "\udcff"])
def test_a_path_is_no_yaml(path):
    assert load(overrides={"root": Path(path)}).settings.root == Path(path)


@pytest.mark.parametrize(
    ("key", "nearest"),
    [
        ("retrieval.topk", "retrieval.top_k"),
        ("retreival.top_k", "retrieval"),
        ("embedding.modell", "embedding.model"),
        ("chunking.max_token", "chunking.max_tokens"),
        ("deadline_ms", "rerank.deadline_ms"),
        ("retrieval.vector.topk", "retrieval.vector.top_k"),
    ],
)
def test_an_unknown_key_names_the_nearest(key, nearest):
    with pytest.raises(ConfigError) as caught:
        load(assignments=[f"{key}=1"])
    assert str(caught.value).endswith(f"Did you mean {nearest}?")
    assert f"--set {key}" in str(caught.value)


def test_an_unknown_key_without_a_neighbour_lists_the_known():
    with pytest.raises(ConfigError, match="Known here: url"):
        load(assignments=["sessions.zzzzzz=1"])


def test_an_unknown_variable_is_told():
    with pytest.raises(
        ConfigError, match=r"no setting embeding \(variable KISOKU_EMBEDING__MODEL\). Did you mean embedding\?"
    ):
        load(environment={"KISOKU_EMBEDING__MODEL": "x"})


@pytest.mark.parametrize(
    ("assignment", "told"),
    [
        ("retrieval.top_k=0", "retrieval.top_k (from --set retrieval.top_k)"),
        ("retrieval.top_k=many", "retrieval.top_k"),
        ("retrieval=5", "retrieval"),
        ("retrieval.vector=null", "retrieval.vector"),
        ("language=fr", "language"),
        ("chunking.overlap=5000", "overlap (5000) must be smaller than size (1000)"),
        ("chunking.by_type={word: {strategy: magic}}", "by_type.word.strategy"),
        ("chunking.by_type={word: {min_tokens: 9999}}", "by_type.word"),
        ("build.on_error=ignore", "build.on_error"),
        ("conflicts.min_confidence=2", "conflicts.min_confidence"),
        ("keyword.b=.nan", "keyword.b"),
    ],
)
def test_a_wrong_value_is_one_sentence(assignment, told):
    with pytest.raises(ConfigError) as caught:
        load(assignments=[assignment])
    message = str(caught.value)
    assert told in message
    assert "\n" not in message
    assert len(message) < 300


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: [1", "no valid YAML at line"),
        ("- 1\n- 2", "must hold settings by name, not a list"),
        ("!!python/object/apply:os.system [echo]", "no valid YAML"),
        ("retrieval: {1: 2}", "no setting retrieval.1"),
    ],
)
def test_a_malformed_file_is_told(tmp_path, text, told):
    config = tmp_path / "c.yaml"
    config.write_text(text)
    with pytest.raises(ConfigError, match=told):
        load(config=config)


def test_an_empty_file_changes_nothing(tmp_path):
    (tmp_path / "c.yaml").write_text("# nothing\n")
    assert load(config=tmp_path / "c.yaml").settings == Settings()


def test_missing_files_and_profiles_are_told(tmp_path):
    with pytest.raises(ConfigError, match="No such file"):
        load(config=tmp_path / "none.yaml")
    with pytest.raises(ConfigError, match=r"no profile 'bge'.*Profiles: bge-m3"):
        load(profile="bge")
    with pytest.raises(ConfigError, match="cannot be read"):
        load(config=tmp_path)
    (tmp_path / "sjis.yaml").write_bytes("言語: 日本語".encode("cp932"))
    with pytest.raises(ConfigError, match="cannot be read"):
        load(config=tmp_path / "sjis.yaml")


@pytest.mark.parametrize("text", ["retrieval.top_k", "=5", " =5", ""])
def test_what_is_no_assignment_is_told(text):
    with pytest.raises(ConfigError, match="no assignment"):
        load(assignments=[text])


def test_options_by_document_type():
    chunking = load(assignments=["chunking.by_type={word: {strategy: hybrid}}"]).settings.chunking
    assert chunking.for_type("word").strategy == "hybrid"
    assert chunking.for_type("excel").strategy == "heading"
