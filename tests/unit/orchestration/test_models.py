"""Which models serve a handbook."""

import pytest
from kisoku.config.settings import Settings
from kisoku.domain.errors import ConfigError
from kisoku.orchestration.bootstrap import StorageAdapterFactory
from kisoku.orchestration.models import Models, choose_embedding, choose_reranker
from kisoku.orchestration.wiring.parts import resolve_language
from kisoku.plugins.manager import shared_manager


def choose(present=False, **embedding):
    return choose_embedding(Settings.model_validate({"embedding": embedding}), lambda model: present)


@pytest.mark.parametrize(
    ("present", "embedding", "expected"),
    [
        (False, {}, ("use", "use-multilingual-v3")),
        (True, {}, ("sentence-transformers", "BAAI/bge-m3")),
        (True, {"model": "use-multilingual-v3"}, ("use", "use-multilingual-v3")),
        (False, {"model": "multilingual-e5-small-q4"}, ("e5", "multilingual-e5-small-q4")),
        (False, {"adapter": "e5"}, ("e5", "multilingual-e5-small-q4")),
        (True, {"adapter": "use"}, ("use", "use-multilingual-v3")),
        (False, {"adapter": "sentence-transformers"}, ("sentence-transformers", "BAAI/bge-m3")),
        (False, {"model": "intfloat/e5"}, ("sentence-transformers", "intfloat/e5")),
        (True, {"adapter": "mine"}, ("mine", "")),
        (True, {"adapter": "mine", "model": "x"}, ("mine", "x")),
    ],
)
def test_the_embedding_model(present, embedding, expected):
    choice = choose(present, **embedding)
    assert (choice.adapter, choice.model) == expected
    assert choice.reason


def test_a_model_left_to_its_adapter_is_named_by_it():
    models = Models(shared_manager(), Settings())
    assert models.named(choose(adapter="counting")).model == "counting-use"
    with pytest.raises(ConfigError, match="no embedder named 'gone'"):
        models.named(choose(adapter="gone"))


@pytest.mark.parametrize(
    ("rerank", "present", "expected"),
    [
        ({"adapter": "none"}, False, "none"),
        ({"adapter": "sentence"}, False, "sentence"),
        ({"adapter": "auto"}, True, "cross-encoder"),
        ({"adapter": "auto", "model": "x/y"}, False, "cross-encoder"),
    ],
)
def test_the_reranker(rerank, present, expected):
    info = choose_reranker(Settings.model_validate({"rerank": rerank}), choose(present))
    assert info.adapter == expected
    assert info.model == rerank.get("model", info.model) != ""


@pytest.mark.parametrize("language", ["ja", "zh", "en"])
def test_the_language_as_set(language):
    assert resolve_language(Settings(language=language)) == language
    assert resolve_language(Settings()) in {"ja", "zh", "en"}


def test_a_vector_store_from_a_configuration(tmp_path):
    config = {"vector_store": {"adapter": "chroma", "chroma": {"persist_dir": str(tmp_path / "db")}}}
    store = StorageAdapterFactory.create(config)
    store.create_collection("rules-write-v1")
    store.upsert("rules-write-v1", ["a"], [[1.0, 0.0]], ["規則"], [{"category": "write"}])
    (hit,) = store.query("rules-write-v1", [1.0, 0.0], 3)
    assert (hit.id, hit.document, dict(hit.metadata)) == ("a", "規則", {"category": "write"})
    assert hit.score == pytest.approx(1.0)
    store.close()


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ({}, "persist_dir is not set"),
        ({"vector_store": {"adapter": "chorma", "chorma": {"persist_dir": "x"}}}, "Did you mean 'chroma'"),
    ],
)
def test_a_configuration_that_names_no_store(config, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match=told):
        StorageAdapterFactory.create(config)
