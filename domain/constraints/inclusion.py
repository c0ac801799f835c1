"""What counts as part of something and what does not ("役員数を含む", 空行は数えない, "generated code included").

One rule that counts something in and one that leaves it out of the same thing contradict each other. What only
qualifies a noun ("個人情報を含むファイル") says which things are meant, and is no such rule.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .content import content_of
from .lexicon import Lexicon
from .text import Language, scan

ATTRIBUTE = "inclusion"
_LEAST = 0.3
_ASIDE = re.compile(r"\(([^()]*)\)")
_THING = r"(?P<thing>(?:[^、。,;:はをがにも(（)）「」]|も(?=の)){2,18}?)"
# What may follow "including": the whole, a number of something, or nothing.
_WHOLE = (
    r"(?=[)）、。,]|$|(?:、)?(?:全|すべて|合計|総|件数|人数|数(?!値)|金額|時間で|日数|ものと(?:する|し)|こと|ため))"
)
_INCLUDED: dict[Language, tuple[re.Pattern[str], ...]] = {
    "ja": (
        re.compile(
            rf"{_THING}(?:を|も)(?:含む|含み|含め(?:る|て|、|た)?|算入(?:する|し)?|計上(?:する|し)|数に入れる){_WHOLE}"
        ),
        re.compile(rf"{_THING}(?:を|も|は)[^、。]{{0,6}}対象(?:に(?:含め|入れ)(?:る|て)|とする|とし、|である)"),
        re.compile(rf"{_THING}(?:の別なく|の別を問わず|を問わず)"),
    ),
    "zh": (
        re.compile(
            r"(?:包括|包含|含|计入|连同)(?P<thing>[\u4e00-\u9fffa-z0-9]{2,12})(?=在内|[)）。，,]|$|的(?:全部|所有|总))"
        ),
        re.compile(r"(?P<thing>[\u4e00-\u9fffa-z0-9]{2,12})(?:也|均|同样|一并)?(?:计入|纳入|算入|列入)"),
    ),
    "en": (
        re.compile(
            r"\b(?:including|inclusive of|counting) (?:the |any |all )?(?P<thing>[a-z][a-z -]{2,30}?)(?=[),.;]|$| (?:and|is|are|must)\b)"  # noqa: E501  # a pattern stays in one line
        ),
        re.compile(
            r"(?P<thing>[a-z][a-z-]+(?: [a-z-]+){0,2}),? (?:is |are )?(?:included|counted in|counted as well)(?=[),.;]|$)"  # noqa: E501  # a pattern stays in one line
        ),
    ),
}
_EXCLUDED: dict[Language, tuple[re.Pattern[str], ...]] = {
    "ja": (
        re.compile(
            rf"{_THING}(?:を|は|も)(?:含まない|含まず|含めない|含めず|含みません|数えない|数えず|算入しない|計上しない|除外(?:する|し)|除く(?=[)）。、]|$)|除[きい]て?(?=[、\d全すべ]|[一-龥]*\d))"
        ),  # a pattern stays in one line
        re.compile(
            rf"{_THING}(?:を|は)(?:[^。]{{0,24}}?(?:ので|ため|から)、)?[^、。]{{0,14}}?(?:対象|範囲|母数|件数|集計|計算)(?:外(?:とする|とし|にする)|から(?:外|除)|(?:に|とは?)(?:含め|入れ|し)(?:ない|ず))"
        ),  # a pattern stays in one line
    ),
    "zh": (
        re.compile(r"(?:不含|不包括|不包含|不计入?|剔除|排除|扣除)(?P<thing>[\u4e00-\u9fffa-z0-9]{2,12})"),
        re.compile(r"(?P<thing>[\u4e00-\u9fffa-z0-9]{2,12}?)(?:不|不予|不再|均不)(?:计入|纳入|算入|列入)"),
    ),
    "en": (
        re.compile(
            r"\b(?:excluding|exclusive of|not counting|not including|without counting) (?:the |any |all )?(?P<thing>[a-z][a-z -]{2,30}?)(?=[),.;]|$| (?:and|is|are|must)\b)"  # noqa: E501  # a pattern stays in one line
        ),  # a pattern stays in one line
        re.compile(
            r"(?P<thing>[a-z][a-z-]+(?: [a-z-]+){0,2}),? (?:is |are )?(?:not (?:included|counted)|excluded|left out)(?=[),.;]|$)"  # noqa: E501  # a pattern stays in one line
        ),  # a pattern stays in one line
    ),
}
# Words that name no thing of their own.
_EMPTY = re.compile(r"^(?:これ|それ|以下|その他|上記|次|ほか|他|もの|こと|当日|those|these|them|it|others?|each|all)$")


@dataclass(frozen=True, slots=True)
class InclusionClaim:
    """Things that a rule counts in, or leaves out.

    Attributes:
        attribute: Always `inclusion`.
        included: Concepts and words of what is counted in.
        excluded: The same of what is left out.
    """

    attribute: str
    included: frozenset[str]
    excluded: frozenset[str]


def inclusions_in(text: str, language: Language, lexicon: Lexicon) -> Iterator[InclusionClaim]:
    """Yield what a normalised clause counts in and leaves out."""
    for said in (_ASIDE.sub("", text), *_ASIDE.findall(text)):
        yield from _in_text(said, language, lexicon)


def _in_text(text: str, language: Language, lexicon: Lexicon) -> Iterator[InclusionClaim]:
    left_out = [match for pattern in _EXCLUDED[language] for match in pattern.finditer(text)]
    counted = [
        match
        for pattern in _INCLUDED[language]
        for match in pattern.finditer(text)
        if not any(match.start() < other.end() and other.start() < match.end() for other in left_out)
    ]
    for matches, includes in ((counted, True), (left_out, False)):
        for match in matches:
            items = _items(match["thing"].strip(), language, lexicon)
            if items:
                nothing: frozenset[str] = frozenset()
                yield InclusionClaim(ATTRIBUTE, items if includes else nothing, nothing if includes else items)


def _items(thing: str, language: Language, lexicon: Lexicon) -> frozenset[str]:
    if _EMPTY.match(thing):
        return frozenset()
    content = content_of(thing, scan(thing, lexicon.index(language)), (), lexicon, language)
    return frozenset(item for item, weight in content.items() if weight >= _LEAST)


def common_thing(a: InclusionClaim, b: InclusionClaim, lexicon: Lexicon) -> frozenset[str]:
    """Return what one claim counts in and the other leaves out.

    Empty unless it is all that one of them names, or a case that the lexicon tells from others (generated sources).
    """
    for one, two in ((a, b), (b, a)):
        common = one.included & two.excluded
        if common and (common in {one.included, two.excluded} or _names_case(common, lexicon)):
            return common
    return frozenset()


def _names_case(items: frozenset[str], lexicon: Lexicon) -> bool:
    families = {family for item in items for family in lexicon.families_of.get(item, ())}
    return any(lexicon.families[family].role == "scope" for family in families)
