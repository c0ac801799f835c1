"""Contract tests of keyword indexes."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from ..domain.errors import HandbookCorruptError
from ..ports.keyword_index import KeywordIndex, KeywordIndexOptions

IndexFactory = Callable[[KeywordIndexOptions], KeywordIndex]


def bm25(query: Sequence[str], texts: Sequence[Sequence[str]], k1: float, b: float) -> list[float]:
    """Return one score per text, straight from the formula of the port's contract."""
    average = sum(map(len, texts)) / len(texts)
    scores = []
    for text in texts:
        counts, score = Counter(text), 0.0
        for term in query:
            containing = sum(term in other for other in texts)
            if counts[term]:
                idf = math.log(1 + (len(texts) - containing + 0.5) / (containing + 0.5))
                score += idf * counts[term] / (counts[term] + k1 * (1 - b + b * len(text) / average))
        scores.append(score)
    return scores


class KeywordIndexContract:
    """Subclass it and override `factory`; every sentence of the port's docstring is then tested."""

    TEXTS: tuple[tuple[str, ...], ...] = (
        ("画面", "設計", "規則"),
        ("画面", "項目", "項目", "一覧"),
        ("帳票", "設計", "f001", "出力", "順"),
        (),
        ("規則", "規則", "規則", "版"),
        ("画面", "設計", "規則"),
    )
    IDS = ("e", "d", "c", "b", "a", "A")

    @pytest.fixture
    def factory(self) -> IndexFactory:
        raise NotImplementedError("override the fixture `factory`")

    @pytest.fixture
    def index(self, factory: IndexFactory) -> KeywordIndex:
        index = factory(KeywordIndexOptions())
        index.build(self.IDS, self.TEXTS)
        return index

    @pytest.mark.parametrize(
        "groups",
        [
            [[("画面", 1.0), ("帳票", 0.5)], [("規則", 1.0)]],
            [[("未知", 1.0), ("版", 0.25), ("出力", 0.75)]],
            [[("規則", 0.3), ("規則", 1.0)], [("画面", 1.0)], [("画面", 0.5)]],
            [[]],
        ],
    )
    def test_alternatives_count_once_and_by_their_weight(
        self, index: KeywordIndex, groups: list[list[tuple[str, float]]]
    ) -> None:
        options = KeywordIndexOptions()
        expected = np.zeros(len(self.TEXTS))
        for group in groups:
            shares = [weight * np.array(bm25([term], self.TEXTS, options.k1, options.b)) for term, weight in group]
            expected += np.max(shares, axis=0) if shares else 0.0
        found = {hit.id: hit.score for hit in index.query_groups(groups, 10)}
        assert found.keys() == {i for i, score in zip(self.IDS, expected, strict=True) if score > 0}
        for identifier, score in zip(self.IDS, expected, strict=True):
            assert found.get(identifier, 0.0) == pytest.approx(score, abs=1e-6)

    def test_groups_of_one_term_answer_as_a_query_does(self, index: KeywordIndex) -> None:
        grouped, plain = index.query_groups([[("画面", 1.0)], [("規則", 1.0)]], 3), index.query(["画面", "規則"], 3)
        assert [hit.id for hit in grouped] == [hit.id for hit in plain]
        assert [hit.score for hit in grouped] == pytest.approx([hit.score for hit in plain], abs=1e-6)

    def test_the_vocabulary_survives_saving(self, factory: IndexFactory, index: KeywordIndex, tmp_path: Path) -> None:
        vocabulary = index.vocabulary()
        assert set(vocabulary) in ({term for text in self.TEXTS for term in text}, set())
        assert len(set(vocabulary)) == len(vocabulary)
        index.save(tmp_path)
        opened = factory(KeywordIndexOptions())
        opened.load(tmp_path)
        assert opened.vocabulary() == vocabulary

    @pytest.mark.parametrize("query", [["画面"], ["設計", "規則"], ["規則", "規則", "画面"], ["f001", "未知"]])
    @pytest.mark.parametrize(("k1", "b"), [(1.5, 0.75), (0.9, 0.4), (1.2, 0.0), (2.0, 1.0)])
    def test_scores_follow_the_formula(self, factory: IndexFactory, query: list[str], k1: float, b: float) -> None:
        index = factory(KeywordIndexOptions(k1=k1, b=b))
        index.build(self.IDS, self.TEXTS)
        expected = {i: s for i, s in zip(self.IDS, bm25(query, self.TEXTS, k1, b), strict=True) if s > 0}
        hits = index.query(query, 10)
        assert {hit.id: hit.score for hit in hits} == pytest.approx(expected, rel=1e-4)
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)

    def test_ids_are_those_indexed_also_after_loading(
        self, index: KeywordIndex, factory: IndexFactory, tmp_path: Path
    ) -> None:
        index.save(tmp_path)
        loaded = factory(KeywordIndexOptions())
        loaded.load(tmp_path)
        for one in (index, loaded):
            ids = one.ids()
            assert ids is None or sorted(ids) == sorted(self.IDS)

    def test_equal_scores_are_ordered_by_id_across_the_cut(self, index: KeywordIndex, factory: IndexFactory) -> None:
        assert [hit.id for hit in index.query(["設計", "規則"], 2)] == ["A", "e"]
        many = factory(KeywordIndexOptions())
        ids = [f"t{row:02}" for row in np.random.default_rng(5).permutation(40)]
        many.build(ids, [["同じ"]] * 40)
        assert [hit.id for hit in many.query(["同じ"], 3)] == ["t00", "t01", "t02"]

    def test_only_texts_with_a_shared_term_are_returned(self, index: KeywordIndex) -> None:
        assert {hit.id for hit in index.query(["画面"], 10)} == {"e", "d", "A"}
        assert [hit.id for hit in index.query(["帳票", "未知"], 10)] == ["c"]

    def test_a_term_in_every_text_still_matches(self, factory: IndexFactory) -> None:
        index = factory(KeywordIndexOptions())
        index.build(["x", "y"], [["規則"], ["規則", "版"]])
        assert [hit.id for hit in index.query(["規則"], 5)] == ["x", "y"]
        assert all(hit.score > 0 for hit in index.query(["規則"], 5))

    def test_a_term_twice_in_the_query_counts_twice(self, index: KeywordIndex) -> None:
        once, twice = index.query(["項目"], 1)[0], index.query(["項目", "項目"], 1)[0]
        assert twice.score == pytest.approx(2 * once.score, rel=1e-4)

    def test_term_statistics_agree_with_the_texts(
        self, index: KeywordIndex, factory: IndexFactory, tmp_path: Path
    ) -> None:
        index.save(tmp_path)
        again = factory(KeywordIndexOptions())
        again.load(tmp_path)
        for built in (index, again):
            assert built.document_frequencies(["画面", "規則", "f001", "未知", ""]) == [3, 3, 1, 0, 0]
            assert built.occurrences(["画面", "規則", "未知", "規則"], ["a", "e", "b", "none"]) == [
                {"規則"},
                {"画面", "規則"},
                frozenset(),
                frozenset(),
            ]
            assert built.document_frequencies([]) == []
            assert built.occurrences([], ["a"]) == [frozenset()]
        empty = factory(KeywordIndexOptions())
        assert empty.document_frequencies(["画面"]) == [0]
        assert empty.occurrences(["画面"], ["a"]) == [frozenset()]

    def test_top_k_limits(self, index: KeywordIndex) -> None:
        assert len(index.query(["画面"], 2)) == 2
        assert index.query(["画面"], 0) == []

    def test_nothing_known_gives_nothing(self, index: KeywordIndex) -> None:
        for query in ([], ["未知"], [""], ["未知", "語"]):
            assert index.query(query, 5) == []

    def test_empty_indexes_answer_nothing(self, factory: IndexFactory, tmp_path: Path) -> None:
        contents: list[tuple[list[str], list[list[str]]]] = [([], []), (["x"], [[]])]
        for number, (ids, texts) in enumerate(contents):
            folder = tmp_path / str(number)
            folder.mkdir()
            index = factory(KeywordIndexOptions())
            assert index.query(["規則"], 5) == []
            index.build(ids, texts)
            index.save(folder)
            again = factory(KeywordIndexOptions())
            again.load(folder)
            for built in (index, again):
                assert built.query(["規則"], 5) == []
                assert built.count() == len(ids)

    def test_build_replaces_the_content(self, index: KeywordIndex) -> None:
        assert index.count() == 6
        index.build(["n"], [["新"]])
        assert index.count() == 1
        assert index.query(["画面"], 5) == []
        assert [hit.id for hit in index.query(["新"], 5)] == ["n"]

    def test_lists_of_unequal_length_are_refused(self, factory: IndexFactory) -> None:
        with pytest.raises(ValueError):  # noqa: PT011  # adapters word it as they like
            factory(KeywordIndexOptions()).build(["a", "b"], [["x"]])

    def test_saved_index_answers_alike_with_its_own_parameters(self, factory: IndexFactory, tmp_path: Path) -> None:
        index = factory(KeywordIndexOptions(k1=0.9, b=0.4))
        index.build(self.IDS, self.TEXTS)
        index.save(tmp_path)
        again = factory(KeywordIndexOptions())
        again.load(tmp_path)
        assert again.count() == 6
        for query in (["画面"], ["規則", "設計", "規則"], ["f001"]):
            assert again.query(query, 4) == index.query(query, 4)

    def test_every_damaged_file_is_noticed(self, index: KeywordIndex, factory: IndexFactory, tmp_path: Path) -> None:
        folder = tmp_path / "index"
        with pytest.raises(HandbookCorruptError):
            factory(KeywordIndexOptions()).load(folder)
        folder.mkdir()
        index.save(folder)
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            whole = path.read_bytes()
            flipped = bytearray(whole)
            flipped[len(whole) // 2] ^= 0x01
            for damaged in (whole[: len(whole) // 2], bytes(flipped), b""):
                path.write_bytes(damaged)
                with pytest.raises(HandbookCorruptError):
                    factory(KeywordIndexOptions()).load(folder)
            path.unlink()
            with pytest.raises(HandbookCorruptError):
                factory(KeywordIndexOptions()).load(folder)
            path.write_bytes(whole)
        factory(KeywordIndexOptions()).load(folder)

    def test_threads_get_the_answers_of_one(self, factory: IndexFactory, tmp_path: Path) -> None:
        random = np.random.default_rng(11)
        texts = [[f"w{word}" for word in random.zipf(1.4, size=20) % 200] for _ in range(300)]
        index = factory(KeywordIndexOptions())
        index.build([f"d{row}" for row in range(300)], texts)
        index.save(tmp_path)
        index.load(tmp_path)
        queries = [[f"w{word}" for word in random.integers(200, size=4)] for _ in range(100)]
        alone = [index.query(query, 10) for query in queries]
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(lambda query: index.query(query, 10), queries)) == alone
