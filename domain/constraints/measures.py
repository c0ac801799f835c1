"""Claims about numbers: what is measured, and whether a number is a value or a bound."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .lexicon import Lexicon
from .modality import is_affirmed
from .number_bounds import bounded, named_bound
from .text import Hit, Language, scan
from .values import Operator, Quantity, find_quantities

_CONDITION = re.compile(r"^(?:未満|以上|以下|以内|超|を超え[たる]?|)(?:の(?!ため)|あった|ある|続い|のとき|を使|桁の)")
_CONDITION_ZH = re.compile(r"^(?:以内|以下|以上|以外)?(?:\([^)]*\))?的(?!$)")
# Things of a grade ("三级系统每年测评"): the grade says which, not how deep.
_GRADED_ZH = re.compile(r"^[一二三四五1-5]级(?!标题|目录|菜单)[\u4e00-\u9fff]{2}")
# What a Chinese condition on a number decides: then it is the bound itself ("80个以内的表视为合格").
_VERDICT_ZH = re.compile(r"拆分|重构|退回|驳回|打回|合格|即可|不要求|无需|无须|可不|免于?|允许|通过")
_MODIFIER = re.compile(r"(?<![\u4e00-\u9fff])[\u4e00-\u9fff々]{2,4}$|[\u30a1-\u30fc]{2,}$")
_ALONE = re.compile(r"(?:で|だけ|のみ|単独)(?!きる|き[なま])")
_EACH = re.compile(r"各$|\beach $")
_JA_TOPIC_END = re.compile(r"は(?!じめ|ん)")
# A number of characters that each line has ("1行80文字まで", 每行120个字符).
_EACH_LINE = re.compile(
    r"(?:1行|一行|各行|每行|单行)(?:あたり|当たり|につき|に|の|は)?(?:最大|最多|不超过|半角|全角)*$"
)
_CHARACTERS_EACH = re.compile(
    rf"{_EACH_LINE.pattern.removesuffix('$')}(?:不得超过|不超过|最多)?\d+ ?(?:文字|字|桁|カラム|バイト|个?字符|列|个字)"
)
_KEPT: dict[Language, re.Pattern[str]] = {
    "ja": re.compile(
        r"(?:間|分)?(?:以上|以下|以内)?(?:は|を|、|、?経過した(?:ら|もの)|を?(?:過ぎた|経過した)(?:ら|もの|後)|経った(?:ら|もの)|後)?[はをに、]*[^、。を]{0,6}?"
        r"(?:保管|保存|保持|残[すし]|廃棄|破棄|消去)"
    ),
    "zh": re.compile(
        r"(?:以上|以内)?(?:的)?(?:后|期满|期限届满)?[，,]?(?:予以|应|须|即|方可)?(?:保存|保留|留存|归档保管|销毁|废弃)"
    ),
    "en": re.compile(
        r",? (?:and (?:are )?)?(?:then |before (?:being )?)?(?:destroyed|disposed|discarded|shredded|purged)"
    ),
}
_KEPT_BEFORE: dict[Language, re.Pattern[str]] = {
    "zh": re.compile(r"(?:保存|保留|留存|保管)(?:期限?|时间)?(?:为|不少于|至少|不低于|不得少于|满)?$"),
    "en": re.compile(
        r"\b(?:kept|keep|retain(?:ed)?|stored?|archived?|preserved?|destroyed|destroy|shredded|disposed of) (?:them |it )?(?:for |after |at least |for at least )*$"  # noqa: E501  # a pattern stays in one line
    ),  # a pattern stays in one line
}
_LINE_OF = re.compile(r"(?:あたり|当たり|につき|に|の|は)?(?:最大|半角|全角)*(?=\d)")
_ALARM = re.compile(r"警告|アラート|通報|発報|告警|报警|\balert|\bwarn")
# What may be used within a time is valid for that time ("发出后5分钟内均可使用").
_USABLE = re.compile(
    r"^(?:以?内|之内|の?間|間は|以内)[^，。、]{0,4}(?:均|都|は|に限り|のみ)?、?[^，。、]{0,4}(?:可使用|可用|有效|使える|使用できる|利用できる|有効)"
)
_REWORK_ZH = re.compile(r"^[，,]?[^，。]{0,6}(?:拆分|重构|退回|驳回|打回|修改|不予|拒绝|报错|改写)")
# Cells that say nothing of their number but that it is a value or a bound.
_BOUND_CELL = re.compile(
    r"^(?:値|設定値|規定値|既定値|基準値?|目標値?|しきい値|閾値|上限値?|下限値?|最大値?|最小値?|許容値|制限値?|限度|合格(?:基準|ライン)|取值|设定值|阈值|门限|标准值?|目标值?|要求|上限值|限值|最大值|最小值|最大|最小|指标值"
    r"|allowed|permitted|許容|許可"
    r"|(?:upper |lower )?(?:limit|threshold|bound)|maximum|minimum|max|min|value|target|requirement|setting|default)(?: ?\([^()]*\))?: ?"  # noqa: E501  # a pattern stays in one line
)
_FREE = re.compile(
    r"(?:剩余|空闲|可用(?!率|性|时间)|空余)(?:空间|容量|内存|磁盘)?|空き(?:容量|領域|メモリ|率|(?=[がはを]))|残容量|残り(?:容量|領域)"
    r"|\b(?:free|remaining|available) (?:disk |storage )?(?:space|memory|capacity)|(?:disk|space|memory|storage) (?:is )?(?:free|left)|\b(?:stays?|remains?|keeps?|kept|left|be) (?:[a-z]+ )?free\b"  # noqa: E501  # a pattern or list stays in one line
)
_WHOLE = 100.0
# Total digits and decimals of a column's type are no single number.
_PRECISION = re.compile(r"\b(?:decimal|numeric|number|float|double) ?\((?:\d+, ?)*$")
# Words that hold a number and leave it a number ("翌営業日" is one working day).
_OTHERS_NUMBER = frozenset({"stop", "next-day-later", "jointly", "singly"})


@dataclass(frozen=True, slots=True)
class QuantityClaim:
    """A property has a value or a bound.

    Attributes:
        attribute: The dimension.
        quantity: Value and operator.
        properties: What the number measures, as far as the clause tells.
        around: The same from the surroundings.
        modifiers: What directly qualifies those words ("connection timeout", 接続タイムアウト).
        open_bound: The number stands alone in a table cell, which does not say whether it is a bound.
    """

    attribute: str
    quantity: Quantity
    properties: frozenset[str]
    around: frozenset[str]
    modifiers: frozenset[str] = frozenset()
    open_bound: bool = False


def quantities_in(
    text: str,
    hits: tuple[Hit, ...],
    language: Language,
    concepts: frozenset[str],
    lexicon: Lexicon,
    *,
    sentence: str,
    subject: str,
    labelled: bool,
) -> Iterator[QuantityClaim]:
    """Yield the claims about the numbers of a normalised clause.

    Args:
        text: The clause.
        hits: The lexicon's words in it.
        language: Its language.
        concepts: Everything named by the clause and its surroundings.
        lexicon: The lexicon.
        sentence: The sentence that the clause is part of.
        subject: What the row around it is about, "" outside tables.
        labelled: The cell's label says that it holds a value or a bound.
    """
    clause = _Clause(text, hits, language, sentence, subject, _named(text, hits, language, subject, lexicon), lexicon)
    for quantity in clause.numbers:
        denied = not is_affirmed(text, hits, (quantity.start, quantity.end), language, ())
        if _tells_nothing(quantity, clause, denied):
            continue
        properties = _properties_of(quantity, clause)
        read = _read(quantity, clause, properties, denied)
        around = _measured(concepts, quantity, lexicon)
        if quantity.dimension == "duration" and _USABLE.match(text[quantity.end :]):
            read, around = quantity, around | {"expiry"}
        yield QuantityClaim(
            quantity.dimension,
            read,
            properties,
            around,
            _modifiers(text, hits, properties),
            open_bound=labelled and read.operator == "=",
        )


@dataclass(frozen=True, slots=True)
class _Clause:
    """A normalised clause whose numbers are read; `named` are the properties that it or its row's subject names."""

    text: str
    hits: tuple[Hit, ...]
    language: Language
    sentence: str
    subject: str
    named: frozenset[str]
    lexicon: Lexicon

    @property
    def numbers(self) -> tuple[Quantity, ...]:
        return find_quantities(self.text, self.lexicon)


def _named(text: str, hits: tuple[Hit, ...], language: Language, subject: str, lexicon: Lexicon) -> frozenset[str]:
    named = frozenset(name for hit in hits for name in with_broader(hit, lexicon) if name in lexicon.attributes)
    if not subject or named or not (_BOUND_CELL.match(text) or ":" not in text):
        return named
    # "指標: 複雑度 | 上限: 15": the row says what the cell's number measures.
    told = scan(subject, lexicon.index(language))
    return frozenset(name for hit in told for name in with_broader(hit, lexicon) if name in lexicon.attributes)


def _tells_nothing(quantity: Quantity, clause: _Clause, denied: bool) -> bool:
    """Tell whether a number belongs to a word, counts one of each, or only says for which things a rule holds."""
    before, behind = clause.text[: quantity.start], clause.text[quantity.end :]
    if _is_part_of_word(quantity, clause.hits) or _PRECISION.search(before) or _EACH.search(before):
        return True
    # "1人で管理してはならない" tells no number of people.
    alone = denied and _ALONE.match(behind) is not None
    line = quantity.dimension == "line" and quantity.text.startswith(("1", "一")) and _LINE_OF.match(behind) is not None
    return alone or line or _qualifies(quantity, clause, denied)


def _qualifies(quantity: Quantity, clause: _Clause, denied: bool) -> bool:
    """Tell whether a number only says which things are meant ("30ページ以上の文書は")."""
    text, attributes = clause.text, clause.lexicon.attributes
    if clause.language == "zh":
        return "lock-count" not in clause.named and _qualifies_zh(text, quantity, clause.sentence, denied)
    # What has a property of few things is what the rule is about, also where it stands in a condition.
    measured = any(
        quantity.dimension in attributes[name].dimensions and not attributes[name].general for name in clause.named
    )
    topic_end = _JA_TOPIC_END.search(text.partition("(")[0]) if clause.language == "ja" else None
    inside = topic_end is not None and quantity.end <= topic_end.start()
    return inside and not denied and not measured and _CONDITION.match(text[quantity.end :]) is not None


def _properties_of(quantity: Quantity, clause: _Clause) -> frozenset[str]:
    """Return the properties that a number can be a value of."""
    named = clause.named
    if _EACH_LINE.search(clause.text[: quantity.start]):
        named |= {"line-length"}
    if quantity.dimension == "duration" and _is_storage_time(clause.text, quantity, clause.language):
        named |= {"retention"}
    attributes = clause.lexicon.attributes
    return frozenset(
        name for name in named if quantity.dimension in attributes[name].dimensions or quantity.dimension == "bare"
    )


def _read(quantity: Quantity, clause: _Clause, properties: frozenset[str], denied: bool) -> Quantity:
    """Return a number as the value or bound that its clause makes it."""
    text = clause.text
    read = bounded(quantity, text, clause.hits, clause.numbers, denied)
    if read.operator == ">=" and not denied and _ends_in_rework(text, clause.sentence):
        read = quantity.with_operator("<=")
    if quantity.dimension == "percent" and _FREE.search(f"{clause.subject} {text}"):
        read = _complement(read)
    if read.operator == "=":
        read = named_bound(read, f"{clause.subject} {text[: quantity.start]}")
    if read.operator == "=":
        read = read.with_operator(_plain_meaning(properties, quantity, clause.lexicon))
    if read.operator != "=" and quantity.dimension in ("percent", "duration", "times") and _ALARM.search(text):
        # The number from which on somebody is warned.
        read = read.with_operator("=")
    enough = read.operator == "=" and any(hit.is_marker("enough") for hit in clause.hits)
    return read.with_operator(">=") if enough else read


def _is_storage_time(text: str, quantity: Quantity, language: Language) -> bool:
    """Tell whether a time says how long something is kept, or after which time it is thrown away."""
    kept, before = _KEPT[language], _KEPT_BEFORE.get(language)
    return kept.match(text, quantity.end) is not None or (
        before is not None and before.search(text[: quantity.start]) is not None
    )


def tells_line_length(text: str) -> bool:
    """Tell whether a normalised clause counts the characters of each line ("1行80文字まで", 每行120个字符)."""
    return _CHARACTERS_EACH.search(text) is not None


def _modifiers(text: str, hits: tuple[Hit, ...], properties: frozenset[str]) -> frozenset[str]:
    found: set[str] = set()
    for position, hit in enumerate(hits):
        if properties.isdisjoint(hit.ids):
            continue
        before = hits[position - 1] if position else None
        if (
            before is not None
            and text[before.end : hit.start] in ("", " ")
            and not before.ids[0].startswith(("m.", "op."))
            and before.ids[0] not in ("stop", "plain", "automatic", "manual-way")
        ):
            found.update(before.ids)
        elif word := _MODIFIER.search(text[before.end if before is not None else 0 : hit.start]):
            found.add(word.group().strip())
    return frozenset(found - properties)


def _is_part_of_word(quantity: Quantity, hits: tuple[Hit, ...]) -> bool:
    """Tell whether a number belongs to a term ("24-hour clock", "no rows found")."""
    return any(
        hit.start <= quantity.start
        and quantity.end <= hit.end
        and not _OTHERS_NUMBER.intersection(hit.ids)
        # A number that is a word by itself (a status code) may as well count something.
        and not (quantity.text.isdigit() and (hit.start, hit.end) == (quantity.start, quantity.end))
        for hit in hits
    )


def _complement(free: Quantity) -> Quantity:
    """Return the share in use that a share left free stands for."""
    turned: dict[Operator, Operator] = {">=": "<=", "<=": ">=", "=": "="}
    return free.with_operator(turned[free.operator], _WHOLE - free.amount)


def _qualifies_zh(text: str, quantity: Quantity, sentence: str, denied: bool) -> bool:
    """Tell whether a number in a Chinese clause only says which things are meant."""
    if quantity.dimension == "level" and _GRADED_ZH.match(text):
        return True
    condition = not denied and _CONDITION_ZH.match(text[quantity.end :]) is not None
    return condition and _VERDICT_ZH.search(sentence) is None


def _plain_meaning(properties: frozenset[str], quantity: Quantity, lexicon: Lexicon) -> Operator:
    """Return what a bare number of a property means: a limit, a least value, or just that number."""
    measured = [
        lexicon.attributes[name] for name in properties if quantity.dimension in lexicon.attributes[name].dimensions
    ]
    if any(attribute.limit for attribute in measured):
        return "<="
    return ">=" if any(attribute.least for attribute in measured) else "="


def _measured(concepts: frozenset[str], quantity: Quantity, lexicon: Lexicon) -> frozenset[str]:
    """Return the properties named around a number that it can be a value of."""
    named = concepts & lexicon.attributes.keys()
    return frozenset(name for name in named if quantity.dimension in lexicon.attributes[name].dimensions)


def _ends_in_rework(text: str, sentence: str) -> bool:
    """Tell whether a Chinese clause names what goes beyond a number, which the next clause has done over."""
    behind = sentence.partition(text)[2]
    return text.endswith(("的", "时", "者")) and _REWORK_ZH.match(behind) is not None


def with_broader(hit: Hit, lexicon: Lexicon) -> tuple[str, ...]:
    """Return what a word names, and the wider things it also counts as."""
    return (*hit.ids, *(wider for identifier in hit.ids for wider in lexicon.broader.get(identifier, ())))
