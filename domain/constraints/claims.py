"""The kinds of claims a clause can make, read from its words and values."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .forms import forms_in
from .lexicon import Lexicon
from .modality import is_affirmed, is_prescription, states_something
from .ordering import OrderClaim, orders_in
from .per_unit import divisions_in
from .presence import PresenceClaim, presence_in
from .roles import is_refused, role_of_cell
from .slots import SlotClaim, slots_in
from .splitting import Rule
from .targets import topic_text
from .text import Hit, Language
from .values import Operator, Quantity, find_quantities
from .wording import Quoted, find_choices, find_date_patterns, find_judged, find_quoted

_CONDITION = re.compile(r"^(?:未満|以上|以下|以内|超|を超え[たる]?|)(?:の(?!ため)|あった|ある|続い|のとき|を使|桁の)")
_CONDITION_ZH = re.compile(r"^(?:以内|以下|以上|以外)?(?:\([^)]*\))?的(?!$)")
# Predicates by which something is there: after them a topic is demanded, not only spoken of.
_PRESENCE: dict[Language, re.Pattern[str]] = {
    "ja": re.compile(
        r"付け|付す|付く|入れ|用い|使|設け|引[くき]|行[うい]|施|置[くき]|出[すし]|必須|必要|あり|可|認め|許|残|含め|する[。.]?$|します|とする|とし|[○●◯]"
    ),
    "zh": re.compile(r"使用|采用|添加|加|设|必须|须|应|要|有|允许|可|保留|填写|显示|弹出|写"),
    "en": re.compile(
        r"\b(?:us(?:e|es|ed|ing)|add(?:ed)?|required|mandatory|must|shall|shown|appl(?:y|ied)|allowed|permitted|included|set|present|needed|kept|recommended|may|can)\b"
    ),
}
_THRESHOLD = re.compile(
    r"^(?:値|設定値|規定値|基準値?|目標値?|しきい値|閾値|上限|下限|最大|最小|取值|设定值|阈值|门限|标准|目标值?|要求)"
    r"|\b(?:threshold|target|limit|minimum|maximum|value)$"
)
_BEFORE = re.compile(
    r"(?:以上)?前まで|(?:以上)?前までに|(?:以上)?前には| or more before| before at the latest|前(?:完成|提交|发送|送达)"
)
# Names of a day that is itself so long before ("by the evening of the day before").
_DAY_BEFORE = re.compile(r"^(?:前の?日|前営業日|前一天|前一日|前一个工作日|the day before)$")
_AS_MUCH = re.compile(r"\bas (?:long|many|large|much|high|big|wide|deep|late) as $")
# What a Chinese condition on a number decides: then it is the bound itself ("80个以内的表视为合格").
_VERDICT_ZH = re.compile(r"合格|即可|不要求|无需|无须|可不|免于?|允许|通过")
_MODIFIER = re.compile(r"(?<![\u4e00-\u9fff])[\u4e00-\u9fff々]{2,4}$|[\u30a1-\u30fc]{2,}$")
_LATIN_NAME = re.compile(r"[A-Za-z][A-Za-z0-9+#]{2,}")
_ENGLISH_NAME = re.compile(r"\b[A-Z][A-Za-z0-9+#]*[A-Z][A-Za-z0-9+#]*\b")
_ASIDE = re.compile(r"[(（][^()（）]*[)）]")
_MANY_NAMES = 2
_WORDING = re.compile(
    r"表示|表記|書[くきいか]|記[載入述す]|付け|使|用い|呼|写|填|显示|称|のように|形式|囲|格式|如|样式|in the form|read|writ|use|label|display|show|call|say"  # noqa: E501  # a pattern or list stays in one line
)
_ONLY_BEHIND = frozenset(
    {"以上", "以下", "以内", "以内に", "未満", "まで", "までに", "内", "内に", "之内", "超", "under"}
)
_EACH = re.compile(r"各$|\beach $")
_JA_TOPIC_END = re.compile(r"は(?!じめ|ん)")
_POST_REACH, _PRE_REACH = 7, 14
_ERASING = re.compile(r"消[すしさ]|取り除|除去|remov|delet|删|清除|去掉|抹")
# Words that hold a number and leave it a number ("翌営業日" is one working day).
_OTHERS_NUMBER = frozenset({"stop", "next-day-later"})
_ABOUT_ERASING = frozenset({"deletion", "fate"})
# What happens to what goes beyond a number: then it is the bound.
_CONSEQUENCE = re.compile(
    r"^[^、。,.]{0,14}(?:たら|と|場合は|ものは|れば)[、 ]?[^。]{0,8}(?:エラー|失敗|却下|差し?戻|打ち切|不可|不合格|ng)"
    r"|^[^.;]{0,24}\b(?:is|are|gets?) (?:stopped|rejected|refused|cancelled|aborted|flagged|sent back|split)"
)
_NOTHING_BEYOND = re.compile(r"^(?:nothing|nobody|no [a-z]+(?: [a-z]+)?) (?:may|must|shall|can|is|stays?|lasts?|takes?)\b")
_CUT_OFF = re.compile(r"^で(?:打ち切|停止|中断|中止|タイムアウト|切断)|(?:后|时)?(?:即|则)(?:终止|中断|停止|超时)")
# A ban that ends once something was done says when, not whether.
_UNTIL: dict[Language, re.Pattern[str]] = {
    "ja": re.compile(r"(?:(?<!これ)(?<!それ)(?<!日)(?<!分)まで|(?:する|の)前)(?:は|に)[^。]{0,20}(?:ない|ず|禁止|不可)"),
    "zh": re.compile(r"(?<!以)(?:之前|前)[，,]?[^，,。]{0,6}(?:不得|不能|不可|禁止|严禁)"),
    "en": re.compile(r"\b(?:no|not|never|nothing)\b[^.;]{3,50}\b(?:before|until)\b"),
}
_FREE = re.compile(
    r"(?:剩余|空闲|可用|空余)(?:空间|容量|内存|磁盘)?|空き(?:容量|領域|メモリ|率)|残容量|残り(?:容量|領域)"
    r"|\b(?:free|remaining|available) (?:disk |storage )?(?:space|memory|capacity)|(?:disk|space|memory|storage) (?:is )?(?:free|left)"
)
_WHOLE = 100.0
# Total digits and decimals of a column's type are no single number.
_PRECISION = re.compile(r"\b(?:decimal|numeric|number|float|double) ?\((?:\d+, ?)*$")
_WITHIN = re.compile(r"^(?:以?内(?![容部])|之内|中(?:に|まで)|までに)")


@dataclass(frozen=True, slots=True)
class EnumClaim:
    """The target has (or must not have) values of a closed set.

    Attributes:
        attribute: The value set.
        allowed: Values demanded; several are alternatives or parts.
        denied: Values forbidden.
        only: The rule says that nothing else is allowed.
    """

    attribute: str
    allowed: frozenset[str]
    denied: frozenset[str]
    only: bool


@dataclass(frozen=True, slots=True)
class FlagClaim:
    """A feature is demanded or forbidden."""

    attribute: str
    on: bool


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


@dataclass(frozen=True, slots=True)
class TermClaim:
    """Quoted wordings or proper names that are demanded or forbidden.

    Attributes:
        attribute: `term` for quoted wordings, `name` for proper names.
        allowed: Terms to use.
        denied: Terms not to use.
        worded: The rule is about writing, showing or using the term.
        closed: The allowed terms are the complete list to choose from.
    """

    attribute: str
    allowed: frozenset[str]
    denied: frozenset[str]
    closed: bool
    worded: bool = False


Claim = EnumClaim | FlagClaim | QuantityClaim | TermClaim | OrderClaim | PresenceClaim | SlotClaim


def claims_of(
    text: str, rule: Rule, hits: tuple[Hit, ...], concepts: frozenset[str], lexicon: Lexicon, *, first: bool
) -> Iterator[Claim]:
    """Yield the claims of a clause.

    Args:
        text: The normalised clause.
        rule: The rule it is part of.
        hits: The lexicon's words in the clause.
        concepts: Everything named by the clause and its surroundings.
        lexicon: The lexicon.
        first: The clause is its sentence's first; claims of the whole sentence are read with it.
    """
    language = rule.language
    if not states_something(text, language, bool(rule.label)):
        return
    if not is_refused(rule.label, text):
        yield from _enums(text, hits, language, concepts, lexicon)
    lasting = _UNTIL[language].search(text) is None or bool(find_quantities(text, lexicon))
    if lasting:
        yield from _flags(text, hits, language, concepts, lexicon)
    labelled = _THRESHOLD.search(rule.label) is not None
    yield from _quantities(
        text, hits, language, concepts, lexicon, sentence=rule.text, subject=rule.subject, labelled=labelled
    )
    patterns = find_date_patterns(text)
    if patterns:
        yield EnumClaim("date-pattern", *_affirmed(patterns, text, hits, language), only=False)
    terms = _terms(text, rule.text if first else "", rule.label, hits, language)
    if terms:
        yield terms
    names = (
        _names(text, rule.quote, hits, language, lexicon) if is_prescription(text, language, bool(rule.label)) else None
    )
    if names:
        yield names
    if is_prescription(text, language, bool(rule.label)):
        yield from presence_in(text, hits, language, lexicon) if lasting else ()
        yield from slots_in(text, rule.text, rule.quote, hits, language, lexicon)
    for thing, unit in divisions_in(text, language):
        yield SlotClaim("choice-unit", frozenset({f"{thing}/{unit}"}), frozenset(), only=False)
    who = role_of_cell(rule.label, text.partition(":")[2]) if rule.label and first else None
    if who:
        yield SlotClaim("choice-role", *who, only=False)
    for attribute, value in forms_in(text, rule, first=first):
        yield EnumClaim(attribute, frozenset({value}), frozenset(), only=False)
    if first:
        yield from orders_in(rule.text, language, lexicon, rule.subject)


def _enums(
    text: str, hits: tuple[Hit, ...], language: Language, concepts: frozenset[str], lexicon: Lexicon
) -> Iterator[EnumClaim]:
    by_set: dict[str, list[tuple[str, Hit]]] = {}
    for hit in hits:
        for identifier in hit.ids:
            for name in lexicon.enum_of.get(identifier, ()):
                by_set.setdefault(name, []).append((identifier, hit))
    only = any(hit.is_marker("only", "exact") for hit in hits)
    for name, found in by_set.items():
        hosts = lexicon.enums[name].hosts
        if hosts and concepts.isdisjoint(hosts):
            continue
        # "行を消す" negates nothing where erasing is what the values are about.
        bearing = (
            tuple(hit for hit in hits if not _ERASING.match(text, hit.start)) if name in _ABOUT_ERASING else hits
        )
        rivals = tuple(hit for _, hit in found)
        allowed: set[str] = set()
        denied: set[str] = set()
        for identifier, hit in found:
            affirmed = is_affirmed(
                text, bearing, (hit.start, hit.end), language, tuple(rival for rival in rivals if rival is not hit)
            )
            (allowed if affirmed else denied).add(identifier)
        yield EnumClaim(name, frozenset(allowed - denied), frozenset(denied - allowed), only)


def _flags(
    text: str, hits: tuple[Hit, ...], language: Language, concepts: frozenset[str], lexicon: Lexicon
) -> Iterator[FlagClaim]:
    found = [(name, hit) for hit in hits for name in _with_broader(hit, lexicon) if name in lexicon.flag_set]
    rivals = tuple(hit for _, hit in found)
    for identifier, hit in found:
        hosts = lexicon.flag_hosts.get(identifier, ())
        if hosts and concepts.isdisjoint(hosts):
            continue
        others = tuple(rival for rival in rivals if rival is not hit)
        on = is_affirmed(text, hits, (hit.start, hit.end), language, others)
        negated = any(other.is_marker("not", "reject") for other in hits)
        if not on or negated or not _is_mere_topic(text, hit, language):
            yield FlagClaim(identifier, on)


def _with_broader(hit: Hit, lexicon: Lexicon) -> tuple[str, ...]:
    """Return what a word names, and the wider things it also counts as."""
    return (*hit.ids, *(wider for identifier in hit.ids for wider in lexicon.broader.get(identifier, ())))


def _is_mere_topic(text: str, hit: Hit, language: Language) -> bool:
    """Tell whether a clause speaks of a feature that is there anyway ("the confirmation screen shows the total")."""
    topic = topic_text(text, language)
    if topic == text or hit.end > len(topic):
        return False
    return _PRESENCE[language].search(text[len(topic) :]) is None


def _affirmed(
    terms: tuple[Quoted, ...], text: str, hits: tuple[Hit, ...], language: Language
) -> tuple[frozenset[str], frozenset[str]]:
    spans = tuple(Hit(("term",), term.start, term.end) for term in terms)
    allowed: set[str] = set()
    denied: set[str] = set()
    for term, span in zip(terms, spans, strict=True):
        rivals = tuple(other for other in spans if other is not span)
        (allowed if is_affirmed(text, hits, (term.start, term.end), language, rivals) else denied).add(term.text)
    return frozenset(allowed - denied), frozenset(denied - allowed)


def _terms(text: str, sentence: str, label: str, hits: tuple[Hit, ...], language: Language) -> TermClaim | None:
    quoted = find_quoted(text)
    if label and (judged := find_judged(label, text)):
        return TermClaim("term", *judged, closed=False, worded=True)
    if not quoted:
        listed = find_choices(sentence)
        return TermClaim("term", listed, frozenset(), closed=True) if listed else None
    allowed, denied = _affirmed(quoted, text, hits, language)
    closed = any(hit.is_marker("closed") for hit in hits)
    return TermClaim(
        "term",
        allowed,
        denied,
        closed,
        _WORDING.search(text) is not None and is_prescription(text, language, labelled=False),
    )


def _names(text: str, quote: str, hits: tuple[Hit, ...], language: Language, lexicon: Lexicon) -> TermClaim | None:
    """Read names that the lexicon does not know: Latin words among Han, words with capitals in English."""
    pattern = _ENGLISH_NAME if language == "en" else _LATIN_NAME
    found: dict[str, Quoted] = {}
    measured = find_quantities(text, lexicon)
    for match in pattern.finditer(_ASIDE.sub(" ", quote)):
        name = match.group().lower()
        start = text.find(name)
        if (
            start < 0
            or any(q.start <= start < q.end for q in measured)
            or any(hit.start < start + len(name) and start < hit.end for hit in hits)
        ):
            continue
        found.setdefault(name, Quoted(name, start, start + len(name)))
    if not 0 < len(found) <= _MANY_NAMES:
        return None
    allowed, denied = _affirmed(tuple(sorted(found.values(), key=lambda name: name.start)), text, hits, language)
    return TermClaim("name", allowed, denied, closed=False, worded=len(found) == 1)


def _quantities(
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
    named = {name for hit in hits for name in _with_broader(hit, lexicon) if name in lexicon.attributes}
    topic_end = _JA_TOPIC_END.search(text) if language == "ja" else None
    found = find_quantities(text, lexicon)
    for quantity in found:
        if _is_part_of_word(quantity, hits) or _PRECISION.search(text[: quantity.start]) or _EACH.search(text[: quantity.start]):
            continue
        denied = not is_affirmed(text, hits, (quantity.start, quantity.end), language, ())
        behind = text[quantity.end :]
        if language == "zh" and not denied and _CONDITION_ZH.match(behind) and not _VERDICT_ZH.search(sentence):
            continue
        if topic_end and quantity.end <= topic_end.start() and not denied and _CONDITION.match(text[quantity.end :]):
            continue
        properties = frozenset(
            name
            for name in named
            if quantity.dimension in lexicon.attributes[name].dimensions or quantity.dimension == "bare"
        )
        bounded = _bounded(quantity, text, hits, found, denied)
        if quantity.dimension == "percent" and _FREE.search(f"{subject} {text}"):
            bounded = _complement(bounded)
        if bounded.operator == "=" and any(
            lexicon.attributes[name].limit and quantity.dimension in lexicon.attributes[name].dimensions
            for name in properties
        ):
            bounded = bounded.with_operator("<=")
        around = frozenset(
            name
            for name in concepts & lexicon.attributes.keys()
            if quantity.dimension in lexicon.attributes[name].dimensions
        )
        if bounded.operator == "=" and any(hit.is_marker("enough") for hit in hits):
            bounded = bounded.with_operator(">=")
        yield QuantityClaim(
            quantity.dimension,
            bounded,
            properties,
            around,
            _modifiers(text, hits, properties),
            open_bound=labelled and bounded.operator == "=",
        )


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
    return any(hit.start <= quantity.start and quantity.end <= hit.end and not _OTHERS_NUMBER.intersection(hit.ids) for hit in hits)


def _complement(free: Quantity) -> Quantity:
    """Return the share in use that a share left free stands for."""
    turned: dict[Operator, Operator] = {">=": "<=", "<=": ">=", "=": "="}
    return free.with_operator(turned[free.operator], _WHOLE - free.amount)


def _caps(text: str, quantity: Quantity) -> bool:
    """Tell whether a clause says what befalls whatever exceeds a number, or that nothing may."""
    return _CONSEQUENCE.match(text[quantity.end :]) is not None or _NOTHING_BEYOND.match(text) is not None


def _bounded(
    quantity: Quantity, text: str, hits: tuple[Hit, ...], others: tuple[Quantity, ...], denied: bool
) -> Quantity:
    """Apply the comparison word next to a number; a denied bound turns round ("not shorter than 8" is "at least 8")."""
    best: tuple[int, str] | None = None
    for hit in hits:
        kind = next((identifier for identifier in hit.ids if identifier.startswith("op.")), None)
        if kind is None:
            continue
        if hit.start >= quantity.end:
            distance, reach = hit.start - quantity.end, _POST_REACH
            crossed = any(quantity.end <= other.start < hit.start for other in others)
        else:
            if text[hit.start : hit.end] in _ONLY_BEHIND:
                continue
            distance, reach = quantity.start - hit.end + 1, _PRE_REACH
            crossed = any(hit.end <= other.start < quantity.start for other in others)
        if distance <= reach and not crossed and (best is None or distance < best[0]):
            best = (distance, kind)
    if _BEFORE.match(text, quantity.end) and not denied:
        # "by five days before" leaves at least five days.
        return quantity.with_operator(">=")
    if _DAY_BEFORE.match(quantity.text):
        return quantity.with_operator(">=")
    if best is None and _WITHIN.match(text[quantity.end :]) and not denied:
        return quantity.with_operator("<=")
    if best is None and text[: quantity.start].endswith(("without ", "达")):
        return quantity.with_operator(">=")
    if best is None and _CUT_OFF.match(text[quantity.end :]) and not denied:
        return quantity.with_operator("<=")
    if best is not None and best[1] == "op.gt" and not denied and _caps(text, quantity):
        return quantity.with_operator("<=")
    if best is None:
        return quantity.with_operator("<=") if _AS_MUCH.search(text[: quantity.start]) and not denied else quantity
    step = 1.0 if quantity.dimension not in ("length", "duration", "size", "percent", "ratio") else 0.0
    kind = best[1]
    table: dict[str, tuple[Operator, float]] = {
        "op.min": ("<=", -step) if denied else (">=", 0.0),
        "op.max": ("=", 0.0)
        if denied and text[quantity.end : quantity.end + 2] == "まで"
        else (">=", step)
        if denied
        else ("<=", 0.0),
        "op.lt": (">=", 0.0) if denied else ("<=", -step),
        "op.gt": ("<=", 0.0) if denied else (">=", step),
    }
    operator, shift = table[kind]
    return quantity.with_operator(operator, quantity.amount + shift)
