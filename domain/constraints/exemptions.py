"""Whether a text of rules binds everybody, and a second text that takes somebody out of it.

"This policy applies to every screen. There are no exemptions." beside "Back-office screens need not follow it": no
property has two values here, but both cannot be the rule.
"""

import re
from collections.abc import Iterator

from .statements import ChunkConstraints, Statement
from .text import Language, normalise

_BINDS_ALL: dict[Language, re.Pattern[str]] = {
    "ja": re.compile(
        r"(?:全員|全て|すべて|例外なく|の別なく|を問わず)[^。]{0,24}(?:守る|守り|従[うい]|適用(?:する|される)|対象とする)|(?:適用除外|例外|免除)(?:は|を)?(?:一切)?(?:認めない|設けない|ない)"
    ),
    "zh": re.compile(
        r"适用于[^。]{0,12}(?:全部|所有|一切)|(?:全部|所有|一切)[^。]{0,16}(?:均|都|一律)(?:适用|遵守|遵循)|不设(?:任何)?(?:豁免|例外)|无一例外"
    ),
    "en": re.compile(
        r"\b(?:applies|apply) to (?:every|all|any)\b|\b(?:every|all) [a-z -]{2,40} (?:must |shall )?(?:follow|observe|comply)|\bno (?:exemptions?|exceptions?)\b"  # noqa: E501  # a pattern stays in one line
    ),
}
_TAKES_OUT: dict[Language, re.Pattern[str]] = {
    "ja": re.compile(
        r"(?:適用|対象)(?:の)?(?:外|除外)|適用(?:し|され)(?:ない|ません)|適用せず|従(?:う必要は(?:ない|ありません)|わなく(?:て)?(?:も)?(?:よい|構わ))|そちらに従って|(?:適用)?対象は[^。]{1,16}(?:のみ|だけ)"
    ),
    "zh": re.compile(
        r"不(?:受|适用|遵循|必遵守|必执行)[^。]{0,24}(?:约束|限制|规范|标准|规定|办法|要求)?|豁免|不在[^。]{1,16}范围|维持原状|无需(?:遵守|执行|符合)"
    ),
    "en": re.compile(
        r"\bnot covered by\b|\bexempt(?:ed)?\b|\bneed not (?:follow|comply|observe|meet)\b|\bdo(?:es)? not apply to\b|\boutside (?:the )?scope\b|\bnot (?:bound|subject) (?:by|to)\b"  # noqa: E501  # a pattern stays in one line
    ),
}
_EXTENSION = re.compile(r"\.\w{2,5}$")
_HAN = re.compile(r"[\u3400-\u9fff々\u30a1-\u30fc]+")
_WORD = re.compile(r"[a-z]{4,}")
# So much of a title names a document: characters in a row, or words in Latin letters.
_NAMED, _WORDS = 4, 2
_PLAIN = frozenset({"document", "documents", "rules", "notes"})
CONFIDENCE = 0.85


def exempted(a: ChunkConstraints, b: ChunkConstraints) -> Iterator[tuple[Statement, Statement, bool]]:
    """Yield the clauses of two chunks of which one binds everybody to its document and the other takes some out.

    With each pair: whether it is the first chunk that binds.
    """
    for general, special, swapped in ((a, b, False), (b, a, True)):
        if not _names(special, general.source.document):
            continue
        binding = _first(general, _BINDS_ALL)
        taking = _first(special, _TAKES_OUT)
        if binding is not None and taking is not None:
            yield (taking, binding, False) if swapped else (binding, taking, True)
            return


def _first(chunk: ChunkConstraints, patterns: dict[Language, re.Pattern[str]]) -> Statement | None:
    return next((s for s in chunk.statements if patterns[s.language].search(s.rule.text)), None)


def _names(chunk: ChunkConstraints, title: str) -> bool:
    """Tell whether a chunk names another document."""
    name, said = normalise(_EXTENSION.sub("", title).replace("_", " ")), normalise(chunk.source.text)
    runs = _HAN.findall(name)
    if any(run[i : i + _NAMED] in said for run in runs for i in range(len(run) - _NAMED + 1)):
        return True
    words = set(_WORD.findall(name)) - _PLAIN
    return len(words) >= _WORDS and sum(word in said for word in words) >= _WORDS
