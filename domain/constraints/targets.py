"""Whether two clauses speak of different members of one kind ("基本設計書", "詳細設計書"; "daily", "monthly")."""

import re
from collections.abc import Callable

from .text import Language

_END = {
    "ja": re.compile(r"(?<!また)(?<!もしく)(?<!あるい)は(?!じめ|ん)|について|には|では(?!な)|[:：]"),
    "zh": re.compile(
        r"应|须|需|必须|不得|不能|一律|统一|采用|使用|[用为由按以可均]"
        r"|禁止|保留|不超过|不[低少高小大多]于|(?<!不)[低少高小大多]于|达到|控制在|取(?=\d)|分(?=[高低优一二三四五六\d成])|最多|至少|[:：]"
    ),
    "en": re.compile(
        r"\b(?:must|shall|is|are|be|has|have|should|may|can|cannot|needs?|will|contains?|carry|carries|uses?|do|does"
        r"|gets?|takes?|begins?|starts?|ends?|runs?)\b|:"
    ),
}
# How Chinese clauses go on behind their topic without 应 or 用 ("制度自发布之日起生效", "目录显示到三级标题").
_ZH_PREDICATE = re.compile(
    r"自(?![动然身定行增检测评查己])|不(?![同可良明变合符具])|[只仅均皆须已](?!读)|(?:显示|列|写|填|排|放|展开|细化|精确|设|置)(?:到|至|在|于|为|成|出)|位于|居[中左右]"
    r"|显示(?![名方内格效器样顺])|(?:由|经|在)[^，,的]{2,12}(?:批准|审批|审核|负责|提交|填写|签字|确认|后)|提交|生效|填写|保存(?![期年天时])|存放|[一二三四五六七八九十\d]+[个天日字页行周年]"
)
# When something is done is not what a rule is about.
_ZH_WHEN = re.compile(r"(?:周末|节假日|[时后前日天末]|期间|情况下?|[内外侧边端])$")
_PIECE = {
    "ja": r"[\u3400-\u9fff々\u30a1-\u30fa\u30fc]+",
    "zh": r"[\u3400-\u9fff]+",
}
_LINK = {"ja": re.compile(r"の"), "zh": re.compile(r"[中里]?的")}
_PHRASE = {
    "ja": re.compile(rf"(?<![\d\u3400-\u9fff\u30a1-\u30fc]){_PIECE['ja']}(?:の{_PIECE['ja']})*"),
    "zh": re.compile(_PIECE["zh"]),
}
_PAIR = re.compile(r"\b([a-z]{3,})[ -]([a-z]{3,})\b")
# "columns that hold personal data"
_WHICH = re.compile(r"\b([a-z]{4,}s) (?:that|which) (?:hold|contain|carry|store|show|list|have) ((?:[a-z]{4,} ?){1,3})")
_NO_MODIFIER = frozenset(
    [
        "the",
        "each",
        "every",
        "all",
        "any",
        "this",
        "that",
        "these",
        "those",
        "its",
        "their",
        "our",
        "your",
        "for",
        "with",
        "and",
        "from",
        "into",
        "per",
        "such",
        "same",
        "other",
        "new",
        "own",
        "one",
        "two",
        "three",
        "four",
        "five",
        "more",
        "most",
        "least",
        "both",
        "only",
        "not",
        "when",
        "where",
        "which",
        "must",
        "shall",
        "has",
        "have",
        "are",
        "was",
        "keep",
        "use",
        "put",
        "set",
        "show",
        "give",
        "send",
        "make",
        "take",
        "draw",
    ]
)
_HEAD = 2
_SHORT_TOPIC = 4
# Three characters of which the last is a head ("定例会", "臨時会").
_SHORT_KIND, _HEADS = 3, frozenset("会書票表系型版者機側率値部課室店社品費金日類欄行列章節図層項層级")
_GENERIC_FRONT = re.compile(
    r"^(?:[本当全各両該该每各]|同(?!じ)|すべて|全て|対象|全部|所有|各種|当該|一般|通常|標準|統一)"
)
# What holds all kinds of things tells no kind of them.
_ANY_HOLDER = re.compile(
    r"(?:項目|値|データ|文字列?|内容|情報|部分|箇所|文書|資料|内容|数据|文本|信息|内容|文档|字符)?の?[内中上]?"
)


def topic_text(text: str, language: Language) -> str:
    """Return the beginning of a normalised clause that says what it is about; all of it when nothing tells."""
    match = _END[language].search(text)
    if language == "zh":
        told = _ZH_PREDICATE.search(text, _HEAD)
        timed = told is not None and _ZH_WHEN.search(text[: told.start()])
        if told and not timed and (match is None or _HEAD <= told.start() < match.start()):
            match = told
    return text[: match.start()] if match and match.start() > 1 else text if match is None else ""


def are_contrasted(  # noqa: PLR0917  # two topics, what surrounds them, and how to read them
    a: str,
    b: str,
    whole_a: str,
    whole_b: str,
    language: Language,
    synonyms: Callable[[str, str], bool] = lambda _one, _two: False,
    alike: Callable[[str, str], bool] = lambda _one, _two: False,
) -> bool:
    """Tell whether two topics name different kinds of one thing.

    Args:
        a: One topic.
        b: The other.
        whole_a: Everything that is said around the first: a kind named there as well is no contrast.
        whole_b: The same for the second.
        language: Of both.
        synonyms: Tells whether two words are known to mean the same, or are the values compared.
        alike: Tells whether what the words differ by is no matter of kind: a case of the other, or the values compared.
    """
    if language == "en":
        return _contrasted_english(a, b, whole_a, whole_b, synonyms, alike)
    ones, twos = _phrases(a, language), _phrases(b, language)
    ones, twos = ones - twos, twos - ones
    return any(
        (fronts := _fronts(one, two)) is not None
        and not synonyms("".join(one), "".join(two))
        and not alike(*fronts)
        and fronts[0] not in whole_b
        and fronts[1] not in whole_a
        for one in ones
        for two in twos
    )


def _phrases(topic: str, language: Language) -> set[tuple[str, ...]]:
    """Return the compounds of a topic, each as the words that の or 的 joins ("完了の通知", "エラー通知")."""
    link = _LINK[language]
    found: set[tuple[str, ...]] = set()
    for match in _PHRASE[language].finditer(topic):
        pieces = tuple(link.split(match.group()))
        found.update([pieces, *((piece,) for piece in pieces)])
    return {pieces for pieces in found if len("".join(pieces)) >= _SHORT_KIND}


def _shared(one: str, two: str) -> int:
    count = 0
    while count < min(len(one), len(two)) and one[-1 - count] == two[-1 - count]:
        count += 1
    return count


def _fronts(one: tuple[str, ...], two: tuple[str, ...]) -> tuple[str, str] | None:
    """Return by what two compounds differ, before the head that they share; None when they are no kinds of it."""
    whole = ("".join(one), "".join(two))
    shared = _shared(*whole)
    if shared == 1 and all(len(text) == _SHORT_KIND for text in whole) and whole[0][-1] in _HEADS:
        return whole[0][:-1], whole[1][:-1]
    if shared < _HEAD:
        return None
    fronts = (_front(one, shared), _front(two, shared))
    if not all(front and not _GENERIC_FRONT.match(front) and not _ANY_HOLDER.fullmatch(front) for front in fronts):
        return None
    return None if fronts[0].endswith(fronts[1]) or fronts[1].endswith(fronts[0]) else fronts


def are_kinds(one: str, two: str) -> bool:
    """Tell whether two compounds are different kinds of what they both end in."""
    return _fronts((one,), (two,)) is not None


def _front(pieces: tuple[str, ...], shared: int) -> str:
    """Return what precedes a shared ending; a word that only ends alike (設計書の表紙, 仕様書の表紙) stays whole."""
    left = len("".join(pieces)) - shared
    told = ""
    for number, piece in enumerate(pieces):
        if left <= len(told):
            break
        told += piece if left >= len(told) + len(piece) or number < len(pieces) - 1 else piece[: left - len(told)]
    return told


def _other_heads(a: str, b: str, whole_a: str, whole_b: str) -> bool:
    """Tell whether two short topics are the same but for their last word ("failed reads", "failed writes")."""
    one, two = a.split(), b.split()
    return (
        1 < len(one) == len(two) <= _SHORT_TOPIC
        and one[:-1] == two[:-1]
        and one[-1].removesuffix("s") not in whole_b
        and two[-1].removesuffix("s") not in whole_a
    )


def _contrasted_english(  # noqa: PLR0917  # as above
    a: str,
    b: str,
    whole_a: str,
    whole_b: str,
    synonyms: Callable[[str, str], bool],
    alike: Callable[[str, str], bool],
) -> bool:
    def kinds(text: str) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for position in range(len(text)):
            match = _PAIR.match(text, position) if position == 0 or text[position - 1] == " " else None
            if match and match.group(1) not in _NO_MODIFIER and match.group(2) not in _NO_MODIFIER:
                found.setdefault(match.group(2).removesuffix("s"), set()).add(match.group(1))
        for match in _WHICH.finditer(text):
            found.setdefault(match.group(1).removesuffix("s"), set()).update(match.group(2).split())
        return found

    one, two = kinds(a), kinds(b)
    if _other_heads(a, b, whole_a, whole_b) and not alike(a.rsplit(maxsplit=1)[-1], b.rsplit(maxsplit=1)[-1]):
        return True
    return any(
        one[head].isdisjoint(two[head])
        and not any(kind in whole_b for kind in one[head])
        and not any(kind in whole_a for kind in two[head])
        and not any(
            synonyms(f"{kind} {head}", f"{other} {head}") or alike(kind, other)
            for kind in one[head]
            for other in two[head]
        )
        for head in one.keys() & two.keys()
    )
