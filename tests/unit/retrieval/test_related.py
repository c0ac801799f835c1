"""Words near to those of a query: found by one look at the vectors, whoever asks."""

from collections.abc import Sequence

import numpy as np
import pytest
from kisoku.adapters.keyword.bm25s_index import Bm25sIndex
from kisoku.adapters.sentences.files import SentenceFiles
from kisoku.config.settings import RelatedSettings
from kisoku.domain.related_terms import comparable_terms
from kisoku.orchestration.retrieval.related import RelatedTerms
from kisoku.ports.embedder import Embedder
from kisoku.ports.vectors import Matrix, Vector

ANGLES = {"期限": 0, "締切": 30, "画面": 90, "帳票": 110, "納期": 10}
"""Meaning as a direction, in degrees: the cosine of two words is that of the angle between them."""


class Compass(Embedder):
    """Embeds the words of `ANGLES` and tells what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    @property
    def name(self) -> str:
        return "compass"

    @property
    def dimension(self) -> int:
        return 2

    def count_tokens(self, text: str) -> int:
        return len(text)

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        self.asked.extend(texts)
        angles = np.radians([ANGLES[text] for text in texts])
        return np.column_stack([np.cos(angles), np.sin(angles)]).astype(np.float32)

    def embed_query(self, text: str) -> Vector:
        return self.embed_passages([text])[0]


@pytest.fixture
def compass():
    return Compass()


@pytest.fixture
def related(tmp_path, compass):
    """The words of three rules, with their vectors; 納期 is in none of them."""
    index = Bm25sIndex()
    index.build(["a", "b", "c"], [["期限", "締切"], ["画面", "f001"], ["帳票", "期限"]])
    words = comparable_terms(index.vocabulary())
    store = SentenceFiles()
    store.write(tmp_path, 2, [(words, compass.embed_passages(words))], {})
    vectors = store.open(tmp_path)
    assert vectors is not None
    compass.asked.clear()
    return RelatedTerms(index, vectors, compass)


def cosine(degrees):
    return pytest.approx(np.cos(np.radians(degrees)), abs=0.01)  # vectors are kept in a byte per number


def test_near_words_come_nearest_first_without_the_word_itself(related):
    assert related.fits
    assert related.near(["期限"], 5, 0.5) == {"期限": {"締切": cosine(30)}}
    assert list(related.near(["締切"], 5, 0.1)["締切"]) == ["期限", "画面", "帳票"]
    assert list(related.near(["締切"], 1, 0.1)["締切"]) == ["期限"]


def test_a_word_that_the_handbook_does_not_have_is_embedded_once(related, compass):
    assert related.near(["納期"], 2, 0.5) == {"納期": {"期限": cosine(10), "締切": cosine(20)}}
    related.near(["納期"], 1, 0.9)
    related.groups(["納期"], RelatedSettings(terms=2, least=0.5, power=2.0))
    assert compass.asked == ["納期"]


def test_more_than_what_is_remembered_is_looked_up(related):
    few, many = (related.near(["締切"], count, 0.1) for count in (3, 80))
    assert few == many


def test_identifiers_and_numbers_have_no_near_words(related):
    assert related.near(["f001", "2020"], 5, 0.0) == {"f001": {}, "2020": {}}
    assert related.near([], 5, 0.0) == {}
