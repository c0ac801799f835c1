"""Where a text may be cut, and how well: the rules of Japanese, Chinese and English writing.

A text is given one rank per position (the cut is before the character at that position). A cutter takes the
best-ranked position that fits, so the order paragraph, line, sentence, clause, word is one comparison.
"""

import re
from collections.abc import Iterator

NEVER = 0
"""Inside a 「」 quotation or a number."""
RELUCTANT = 1
"""Inside a word, or before closing punctuation: only for a piece that fits nowhere otherwise."""
WORD = 2
CLAUSE = 3
SENTENCE = 4
LINE = 5
"""A line break inside a paragraph, between list items, or after a line that announces what follows."""
BLOCK = 6
"""Between paragraphs, between table rows."""

_CLOSERS = "」』）)】〉》〕］｝”’\"'\\]"
_PAIRS = {
    "」": "「", "』": "『", "）": "（", ")": "(", "】": "【", "〉": "〈", "》": "《", "”": "“", "］": "［", "〕": "〔",
}  # fmt: skip
_QUOTES = frozenset("」』")
_BRACKETS = re.compile("[" + "".join(map(re.escape, (*_PAIRS, *_PAIRS.values()))) + "]")
_NUMBER = re.compile(r"\d+(?:[.,．，:：/／\-－−]\d+)*[%％]?")
_LONGEST_NUMBER = 64
_DEEPEST = 50
_LONGEST_WORD = 40
_WORD_RUN = re.compile(r"[0-9A-Za-zＡ-Ｚａ-ｚÀ-ɏ_@#&+~=/.:\\%-]+|[ァ-ヺー]+")
_ATTACHED = re.compile(
    r"[\u0300-\u036f\u3099\u309a\u200d\ufe00-\ufe0f、。，．・：；？！゛゜ヽヾゝゞ々ー,.;:?!%％" + _CLOSERS + "]"
)
_SPACE = re.compile(r"\s+")
_CLAUSE_END = re.compile(r"[、，；：]+|[,;:](?=\s)")
_EAST_END = re.compile(rf"(?:[。！？｡]+|．(?!\d)|[!?]+(?=[^\x21-\x7e]|[{_CLOSERS}]|$))[{_CLOSERS}]*")
_WEST_END = re.compile(rf"(?P<mark>[.!?]+)(?P<close>[{_CLOSERS}]*)(?=\s)")
_LAST_WORD = re.compile(r"[^\s(（「\[]+$")
_CONTINUES = re.compile(r"[ぁ-ん、。，．!?！？]")
_LABEL = re.compile(r"\s*[(（]?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,4})[)）]?$")
_ABBREVIATION = re.compile(
    r"(?:e\.g|i\.e|cf|vs|nos?|figs?|eqs?|sec|ch|vol|pp?|mrs?|ms|dr|prof|st|inc|ltd|co|corp|dept|approx|al|eds?"
    r"|rev|ver|refs?|tab|art|viz|resp|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|(?-i:[A-Z]))$",
    re.IGNORECASE,
)
_LONGEST_LEAD_IN = 200
_LEAD_IN = re.compile(
    r"[:：]\s*$|(?:以下|次[のに表]|下記|下表|上表|[表図]\s*[0-9０-９])[^。．.]{0,25}"
    r"(?:示す|示します|通り|とおり|記載|まとめ|参照|定める|定義する|従う|ある|なる|する)[^。．.]{0,6}[。．.]?\s*$|"
    r"(?:如下|下表|以下)[^。]{0,12}[。：]?\s*$|(?i:\b(?:following|as follows|below)\b[^.]{0,60}[.:]?\s*$)"
)


def is_lead_in(text: str) -> bool:
    """Return whether a line announces what stands under it ("次の表に示す。", "as follows:")."""
    return len(text) <= _LONGEST_LEAD_IN and _LEAD_IN.search(text) is not None


def ranks(text: str) -> bytearray:
    """Return the rank of a cut before each character of `text`; the last entry is the end of the text.

    Args:
        text: One paragraph, one table row; line breaks allowed.

    Returns:
        `len(text) + 1` ranks.
    """
    result = bytearray([WORD]) * (len(text) + 1)
    quoted, bracketed = _protected(text)
    for match in _WORD_RUN.finditer(text):
        _lay(result, match.start() + 1, match.end(), RELUCTANT)
    for match in _ATTACHED.finditer(text):
        result[match.start()] = RELUCTANT
    for match in _SPACE.finditer(text):
        # The cut is behind the space, so that a piece never begins with one.
        _lay(result, match.start(), match.end(), RELUCTANT)
        result[match.end()] = WORD
    for match in _CLAUSE_END.finditer(text):
        result[_behind_space(text, match.end())] = CLAUSE
    inside = bytearray(len(text) + 1)
    for start, end in bracketed:
        _lay(inside, start + 1, end + 1, 1)
    for end, sure in _sentence_ends(text):
        position = _behind_space(text, end)
        result[position] = SENTENCE if sure and not inside[end] else CLAUSE
    for match in re.finditer(r"\s*\n\s*", text):
        result[match.end()] = LINE
    for start, end in quoted:
        _lay(result, start + 1, end + 1, NEVER)
    for match in _NUMBER.finditer(text):
        weight = NEVER if match.end() - match.start() <= _LONGEST_NUMBER else RELUCTANT
        _lay(result, match.start() + 1, match.end(), weight)
    result[0] = result[-1] = BLOCK
    return result


def sentences(text: str) -> list[str]:
    """Return the sentences of a paragraph; joined they are the paragraph."""
    marks = ranks(text)
    cuts = [at for at, rank in enumerate(marks) if rank >= SENTENCE and 0 < at < len(text)]
    return [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True) if a < b]


def _sentence_ends(text: str) -> Iterator[tuple[int, bool]]:
    """Yield the position behind each possible sentence end and whether it is sure to be one."""
    for match in _EAST_END.finditer(text):
        end = match.end()
        # 「はい。」と答えた: a closed quotation that the sentence goes on with ends nothing.
        closed = text[end - 1] in _CLOSERS
        yield end, not (closed and _CONTINUES.match(text, end))
    begin = 0
    for match in _WEST_END.finditer(text):
        end = match.end()
        following = text[_behind_space(text, end) :][:1]
        if following.islower():
            continue
        if match["mark"] == "." and not match["close"]:
            nearest = max(text.rfind("\n", 0, match.start()) + 1, begin, match.start() - _LONGEST_WORD)
            before = text[nearest : match.start()]
            word = _LAST_WORD.search(before)
            if (word and _ABBREVIATION.match(word.group())) or _LABEL.match(before):
                continue
        begin = end
        yield end, True


def _protected(text: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return (first, last) indices of balanced 「」 『』 quotations, and of balanced brackets of any kind."""
    quoted: list[tuple[int, int]] = []
    bracketed: list[tuple[int, int]] = []
    open_at: list[tuple[str, int]] = []
    for match in _BRACKETS.finditer(text):
        sign = match.group()
        opener = _PAIRS.get(sign)
        if opener is None:
            open_at.append((sign, match.start()))
            del open_at[:-_DEEPEST]
            continue
        depth = next((i for i in range(len(open_at) - 1, -1, -1) if open_at[i][0] == opener), None)
        if depth is None:
            continue
        begin = open_at[depth][1]
        del open_at[depth:]
        bracketed.append((begin, match.start()))
        if sign in _QUOTES:
            quoted.append((begin, match.start()))
    return quoted, bracketed


def _behind_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _lay(target: bytearray, start: int, end: int, value: int) -> None:
    if end > start:
        target[start:end] = bytes([value]) * (end - start)
