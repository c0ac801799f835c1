"""Which lines are headings, and of which level: a PDF knows sizes and weights, but no headings."""

import re
from collections import Counter
from collections.abc import Sequence

from .lines import TextLine

_LARGER = 1.12
"""Times the body's size."""
_MOST_CHARACTERS = 80
_MOST_CHARACTERS_NUMBERED = 50
_CHAPTER = re.compile(r"第\s?[0-9０-９一二三四五六七八九十百]{1,4}\s?([章節条項編款部])(?=\s|[(（]|$)")
_CHAPTER_DEPTH = {"編": 0, "部": 0, "章": 1, "節": 2, "款": 3, "条": 3, "項": 4}
_DECIMAL = re.compile(r"([0-9０-９]{1,2}(?:[.．][0-9０-９]{1,3}){0,5})[.．]?\s+(?=\D)")
_SENTENCE = re.compile(r"[。、，,;；:：!?！？]$|[^0-9A-Z.]\.$")
_DIGITS = str.maketrans("０１２３４５６７８９．", "0123456789.")

_Key = tuple[int, int]


class Outline:
    """Headings by three signs: a larger size, bold type, a number of several parts (1.2, 第3章).

    A bare number ("1 総則") makes a heading at body size only when the document goes on with "1.1", since lists
    are numbered like that too.

    Attributes:
        body: Size of most characters of the document, points.
    """

    def __init__(self, lines: Sequence[TextLine]) -> None:
        sizes = Counter[float]()
        weights = Counter[bool]()
        for line in lines:
            sizes[line.size] += len(line.text)
            weights[line.bold] += len(line.text)
        self.body = _median(sizes)
        self._bold_counts = weights[True] * 2 < weights[False]
        styles = {(line.size, line.bold) for line in lines if self.stands_out(line)}
        ranked = sorted(styles, key=lambda style: (-style[0], not style[1]))
        self._ranks = {style: rank for rank, style in enumerate(ranked)}
        self._parents: frozenset[str] = frozenset()
        self._levels: dict[_Key, int] = {}

    def stands_out(self, line: TextLine) -> bool:
        """Return whether a line is printed larger than the body, or bold where the body is not."""
        return line.size >= _LARGER * self.body or (line.bold and self._bold_counts and line.size >= self.body)

    def complete(self, paragraphs: Sequence[tuple[TextLine, str]]) -> None:
        """Learn from all paragraphs (first line and text) which bare numbers have parts, and which levels there are."""
        numbers = {self.numbered(text) for _, text in paragraphs}
        self._parents = frozenset(number.split(".")[0] for number in numbers if "." in number)
        keys = sorted({key for line, text in paragraphs if (key := self._key(line, text)) is not None})
        self._levels = {key: level for level, key in enumerate(keys, start=1)}

    def level(self, line: TextLine, text: str) -> int:
        """Return the level of a paragraph that `complete` was told of, 0 when it is no heading."""
        key = self._key(line, text)
        return 0 if key is None else self._levels[key]

    def _key(self, line: TextLine, text: str) -> _Key | None:
        number = self.numbered(text)
        large = self.stands_out(line)
        if _SENTENCE.search(text) or not re.search(r"\w", text):
            return None
        if large and len(text) <= _MOST_CHARACTERS:
            return self._ranks[line.size, line.bold], _depth(text, number)
        whole = "." in number or number in self._parents or bool(_CHAPTER.match(text))
        if number and whole and len(text) <= _MOST_CHARACTERS_NUMBERED:
            return len(self._ranks), _depth(text, number)
        return None

    @staticmethod
    def numbered(text: str) -> str:
        """Return the number that a line begins with ("1.2", "第3章"), "" when it has none."""
        chapter = _CHAPTER.match(text)
        if chapter:
            return "".join(chapter[0].split())
        decimal = _DECIMAL.match(text)
        return decimal[1].translate(_DIGITS) if decimal else ""


def _depth(text: str, number: str) -> int:
    chapter = _CHAPTER.match(text)
    return _CHAPTER_DEPTH[chapter[1]] if chapter else number.count(".") + 1


def _median(weights: Counter[float]) -> float:
    half = weights.total() / 2
    passed = 0
    for value in sorted(weights):
        passed += weights[value]
        if passed >= half:
            return value
    return 0.0
