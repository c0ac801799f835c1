"""The contract of embedders, as tests: subclass, override `embedder`, run pytest."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from ..ports.embedder import Embedder

_RULE = "画面IDは「SCR」に3桁の連番を付けて記入する。"
_TEXTS = (
    _RULE,
    "The primary key of every table is named after the table.",
    "数据库表名必须使用小写字母和下划线。",
    "ｼｽﾃﾑ名 ＡＢＣ－１２３",
    "。",
    "F001",
)
_TOLERANCE = 1e-4
"""Sums in another order differ in the last digits; quantised engines a little more."""


class EmbedderContract:
    """Holds an adapter to the contract in the docstring of `Embedder`.

    A third party proves an adapter so::

        class TestMyEmbedder(EmbedderContract):
            @pytest.fixture(scope="class")
            @classmethod
            def embedder(cls) -> Embedder:
                return MyEmbedder(EmbedderOptions())
    """

    @pytest.fixture(scope="class")
    @classmethod
    def embedder(cls) -> Embedder:
        """The adapter under test, fresh from its constructor."""
        raise NotImplementedError("override the fixture `embedder`")

    def test_is_an_embedder_with_a_name(self, embedder: Embedder) -> None:
        assert isinstance(embedder, Embedder)
        assert embedder.name.strip() == embedder.name != ""

    def test_numbers_are_positive(self, embedder: Embedder) -> None:
        assert embedder.dimension > 0
        assert embedder.max_tokens > 0

    def test_no_texts_give_no_rows(self, embedder: Embedder) -> None:
        assert embedder.embed_passages([]).shape == (0, embedder.dimension)
        assert embedder.embed_queries([]).shape == (0, embedder.dimension)

    def test_rows_are_unit_float32_vectors(self, embedder: Embedder) -> None:
        rows = embedder.embed_passages(_TEXTS)
        assert rows.shape == (len(_TEXTS), embedder.dimension)
        assert rows.dtype == np.float32
        assert np.isfinite(rows).all()
        assert np.linalg.norm(rows, axis=1) == pytest.approx(1.0, abs=1e-3)

    def test_a_query_is_a_unit_float32_vector(self, embedder: Embedder) -> None:
        row = embedder.embed_query(_RULE)
        assert row.shape == (embedder.dimension,)
        assert row.dtype == np.float32
        assert np.linalg.norm(row) == pytest.approx(1.0, abs=1e-3)

    def test_many_queries_equal_single_ones(self, embedder: Embedder) -> None:
        rows = embedder.embed_queries(_TEXTS)
        assert rows.shape == (len(_TEXTS), embedder.dimension)
        assert rows.dtype == np.float32
        for row, text in zip(rows, _TEXTS, strict=True):
            np.testing.assert_allclose(row, embedder.embed_query(text), atol=_TOLERANCE)

    def test_a_vector_does_not_depend_on_its_batch(self, embedder: Embedder) -> None:
        alone = embedder.embed_passages([_RULE])[0]
        company = embedder.embed_passages([*_TEXTS[1:], "長い文。" * 100, _RULE])[-1]
        np.testing.assert_allclose(company, alone, atol=_TOLERANCE)

    def test_more_texts_than_a_batch_keep_their_order(self, embedder: Embedder) -> None:
        texts = [f"規則{number}：項目{number}を記入する。" for number in range(70)]
        rows = embedder.embed_passages(texts)
        for number in (0, 31, 32, 33, 69):
            np.testing.assert_allclose(rows[number], embedder.embed_passages([texts[number]])[0], atol=_TOLERANCE)

    def test_a_text_is_nearest_to_itself(self, embedder: Embedder) -> None:
        rows = embedder.embed_passages(_TEXTS[:4])
        for number, text in enumerate(_TEXTS[:4]):
            assert int(np.argmax(rows @ embedder.embed_query(text))) == number

    @pytest.mark.parametrize(
        "text",
        ["", " \t\n　", "\x00", "a\x00b", "\ud800", "🈲" * 30, "規則を守る。" * 300],
        ids=["empty", "white", "nul", "inner nul", "lone surrogate", "unknown signs", "very long"],
    )
    def test_any_text_has_a_finite_vector(self, embedder: Embedder, text: str) -> None:
        row = embedder.embed_passages([text])[0]
        assert np.isfinite(row).all()
        assert np.isfinite(embedder.embed_query(text[:200])).all()
        assert embedder.count_tokens(text) >= 0

    def test_text_behind_a_nul_counts(self, embedder: Embedder) -> None:
        assert embedder.count_tokens("規則\x00画面一覧の記入方法") > embedder.count_tokens("規則")

    def test_longer_texts_have_more_tokens(self, embedder: Embedder) -> None:
        assert 0 < embedder.count_tokens(_RULE) < embedder.count_tokens(_RULE * 2) < embedder.count_tokens(_RULE * 100)

    def test_threads_get_the_same_vectors(self, embedder: Embedder) -> None:
        with ThreadPoolExecutor(max_workers=3) as pool:
            rows = list(pool.map(embedder.embed_query, _TEXTS * 3))
        for row, text in zip(rows, _TEXTS * 3, strict=True):
            np.testing.assert_allclose(row, embedder.embed_query(text), atol=_TOLERANCE)

    def test_warming_up_twice_changes_nothing(self, embedder: Embedder) -> None:
        before = embedder.embed_query(_RULE)
        embedder.warm_up()
        embedder.warm_up()
        np.testing.assert_allclose(embedder.embed_query(_RULE), before, atol=_TOLERANCE)
