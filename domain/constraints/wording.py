"""Quoted terms, complete lists and date patterns in a rule."""

import re
from dataclasses import dataclass
from functools import lru_cache

_QUOTED = re.compile(r"[「『\"](.{1,30}?)[」』\"]")
_DATE_PATTERN = re.compile(
    r"(?<![a-z])(?:y{2,4}|m{1,2}|d{1,2})\s?([-/. ]|年|月|)\s?(?:m{1,3}|d{1,2})"
    r"\s?([-/. ]|月|日|)\s?(?:y{2,4}|d{1,2})(日?)(?![a-z])"
)
_DATE_LITERAL = re.compile(r"(?<!\d)\d{4}(?:([-/.])\d{1,2}\1\d{1,2}|年\d{1,2}月\d{1,2}日)(?!\d)")
_SHAPE_CUE = re.compile(
    r"显示为|写为|样式|の形|と書|と表示|のように|形式|書式|書く|表記|格式|写成|写作|如|like|as in|format|written"
)
_CHOICES = re.compile(
    r"(?:^|[:はを为有分])\s*((?:[^、,。:はをでにが]{1,10}[、,・/]){1,}[^、,。:はをでにが]{1,10}?)"
    r"(?:の?(?:\d+|[二三四五六]) ?(?:つ|種類|種|段階|区分)|のいずれか|のみ|から選)"
    r"|(?:分为|只有|仅有|限于|为)\s*((?:[^、，。:]{1,8}[、，]){1,}[^、，。:]{1,8}?)(?:[两二三四五六\d](?:种|级|类|个)|之一)"
    r"|(?:one of|either|rated|graded|classified as|classified|ranked)\s+((?:[\w-]+, )*[\w-]+,? (?:or|and) [\w-]+|(?:[\w-]+, ){1,}[\w-]+)"  # noqa: E501  # a pattern stays in one line
)
# A cell that lists the values of a field, which is complete by nature.
_VALUES_LABEL = re.compile(
    r"^(?:選択肢|入力値|許容値|許容される値|登録できる値|values|取り得る値|取りうる値|値域|区分値|コード値|可选值?|枚举值|取值(?:范围)?|allowed values|permitted values|possible values|options|choices)$"  # noqa: E501  # a pattern stays in one line
)
_LISTED_VALUES = re.compile(r"^[^:]{1,30}:\s*([^(（。;；]{3,80})")
# Quoted values one after another, and what tells that there are no others.
_QUOTED_LIST = re.compile(
    r"(?:[「『\"][^」』\"]{1,12}[」』\"][、,・/]?(?:と|または|又は|か|及び|或|和|或者| or | and |, )?){2,}"
    r"(?:の?(?:[2-9二三四五六]|two|three|four|five) ?(?:つ|値|種類|種|区分|段階|択|通り|個|种|级|类|档|项|levels|values)|のいずれか|のどれか|のうち|の中|之一|に限|のみ|だけ)"  # noqa: E501  # a pattern stays in one line
)
_BANNING_LABEL = re.compile(
    r"^(?:禁用|禁止|不使用|使用禁止|使わない|使用しない|書かない|用いない|使用不可|避ける|避け|不可|誤|ng|×|不得写作|不得使用|不写作?|不用|不采用|不推荐|避免|错误|avoid|do not|don't|not to use|never|forbidden|banned|wrong|incorrect|deprecated|bad)"  # noqa: E501  # a pattern or list stays in one line
)
# What may follow such a word where the label means that ("不采用的写法"), and not another thing ("错误提示位置").
_REST_OF_LABEL = re.compile(
    r"(?:[のな的]?(?:表記|書き方|書式|用語|表現|語|例|词|写法|用法|用语|说法|表述))?(?: (?:words?|wordings?|forms?|terms?|spellings?|examples?|use))?(?: ?\([^()]*\))?"  # noqa: E501  # a pattern stays in one line
)
_ALLOWING_LABEL = re.compile(
    r"^(?:推荐|推荐用语|推荐词|规范用语|标准词|标准用语|规范词|首选|正式|正确|使用語|使う語?|用いる|使う文言|文言|正|標準語|標準文言|標準表記|採用語|用語|表記|ok|○|use|preferred|preferred term|term|standard term|correct|approved|wording)$"  # noqa: E501  # a pattern or list stays in one line
)
_LONGEST_TERM = 20
# A pointer to a section ("2.5.画面イベント一覧"), no term.
_SECTION = re.compile(r"\d+(?:\.\d+)*\.? ?[^\d\s.(){}:/]{2,}")
_SHORTEST_DATE = len("yymmdd")


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quoted term and where it stands."""

    text: str
    start: int
    end: int


@lru_cache(maxsize=16384)  # a clause is read several times
def find_quoted(text: str) -> tuple[Quoted, ...]:
    """Return the quoted terms of a normalised text."""
    return tuple(
        Quoted(match.group(1).strip(), match.start(), match.end())
        for match in _QUOTED.finditer(text)
        if not _SECTION.match(match.group(1))
    )


_SERIES = re.compile(r"\w+(?: \w+)?, \w+(?: \w+)?(,?) (?:and|or) \w+")
_SHOWN = re.compile(r"^(?:correct|right|good|wrong|incorrect|bad|example|yes|no|do|don't|ok|ng)$")


def shows_serial_comma(label: str, text: str) -> bool | None:
    """Tell whether the example in a cell sets a comma before the last "and" ("Correct: a, b, and c").

    None where the cell shows no series.
    """
    match = _SERIES.search(text.partition(":")[2]) if _SHOWN.match(label) else None
    return None if match is None else bool(match.group(1)) != is_banning(label)


def is_banning(label: str) -> bool:
    """Tell whether a normalised label of a cell shows what is not to be written ("誤", "禁用", "wrong")."""
    match = _BANNING_LABEL.search(label)
    return match is not None and _REST_OF_LABEL.fullmatch(label, match.end()) is not None


def find_judged(label: str, text: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """Return the terms that a cell allows and bans by its label ("禁用: 使用者、操作者"), None for other labels."""
    banned = _BANNING_LABEL.search(label) is not None
    if not banned and not _ALLOWING_LABEL.search(label):
        return None
    cell = re.sub(r"^[^:]{1,30}:\s*", "", text)
    sign = re.sub(r"[(（][^()（）]*[)）]", "", cell).strip(' 「」"')
    if len(sign) == 1 and not sign.isalnum():
        # A sign that parts terms elsewhere is the term here ("使わない: ，（コンマ）").
        return (frozenset(), frozenset({sign})) if banned else (frozenset({sign}), frozenset())
    terms = frozenset(term.strip(' 「」"') for term in re.split(r"[、,，・/]|\bor\b", cell))
    terms = frozenset(term for term in terms if 0 < len(term) <= _LONGEST_TERM and not re.search(r"[。.]", term))
    return (frozenset(), terms) if banned else (terms, frozenset())


def find_choices(text: str) -> frozenset[str]:
    """Return the members of a complete list ("A, B or C only", AとBの2種類), empty when there is none."""
    match = _CHOICES.search(text)
    if match is None:
        return frozenset()
    items = re.split(
        r"[、,，・/]|\bor\b|\band\b|または|又は|と|和|或", next(group for group in match.groups() if group)
    )
    return frozenset(item.strip(' 「」"') for item in items if item.strip(' 「」"'))


def listed_values(label: str, text: str) -> frozenset[str]:
    """Return the values that a cell lists as all there are ("選択肢: A、B、C"), empty for other cells."""
    match = _LISTED_VALUES.match(text) if _VALUES_LABEL.match(label) else None
    if match is None:
        return frozenset()
    items = [item.strip(' 「」"') for item in re.split(r"[、,，・/]|\bor\b|\band\b", match.group(1))]
    return frozenset(item for item in items if item) if len(items) > 1 and all(items) else frozenset()


def is_complete_list(text: str) -> bool:
    """Tell whether a normalised clause lists quoted values and says how many there are, or that one is chosen."""
    return _QUOTED_LIST.search(text) is not None


def find_date_patterns(text: str) -> tuple[Quoted, ...]:
    """Return date patterns such as yyyy-mm-dd, spelled alike for equal patterns."""
    found = [
        Quoted(match.group().replace(" ", ""), match.start(), match.end())
        for match in _DATE_PATTERN.finditer(text)
        if "m" in match.group() and len(match.group()) >= _SHORTEST_DATE
    ]
    if _SHAPE_CUE.search(text):
        found.extend(Quoted(_shape(match), match.start(), match.end()) for match in _DATE_LITERAL.finditer(text))
    return tuple(found)


def _shape(date: re.Match[str]) -> str:
    return "yyyy年mm月dd日" if date.group(1) is None else f"yyyy{date.group(1)}mm{date.group(1)}dd"
