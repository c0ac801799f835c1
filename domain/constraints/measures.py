"""Claims about numbers: what is measured, and whether a number is a value or a bound."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .lexicon import Lexicon
from .modality import is_affirmed
from .text import Hit, Language, scan
from .values import Operator, Quantity, find_quantities

_CONDITION = re.compile(r"^(?:未満|以上|以下|以内|超|を超え[たる]?|)(?:の(?!ため)|あった|ある|続い|のとき|を使|桁の)")
_CONDITION_ZH = re.compile(r"^(?:以内|以下|以上|以外)?(?:\([^)]*\))?的(?!$)")
# Things of a grade ("三级系统每年测评"): the grade says which, not how deep.
_GRADED_ZH = re.compile(r"^[一二三四五1-5]级(?!标题|目录|菜单)[\u4e00-\u9fff]{2}")
_BEFORE = re.compile(
    r"(?:以上)?前まで|(?:以上)?前までに|(?:以上)?前には| or more before| before at the latest|前(?:完成|提交|发送|送达)"
    r"|(?: or more)? (?:in advance|ahead|beforehand|prior to|earlier than)\b"
)
# Names of a day that is itself so long before ("by the evening of the day before").
_DAY_BEFORE = re.compile(r"^(?:前の?日|前営業日|前一天|前一日|前一个工作日|the day before)$")
_AS_MUCH = re.compile(r"\bas (?:long|many|large|much|high|big|wide|deep|late) as $")
# What a Chinese condition on a number decides: then it is the bound itself ("80个以内的表视为合格").
_VERDICT_ZH = re.compile(r"拆分|重构|退回|驳回|打回|合格|即可|不要求|无需|无须|可不|免于?|允许|通过")
_MODIFIER = re.compile(r"(?<![\u4e00-\u9fff])[\u4e00-\u9fff々]{2,4}$|[\u30a1-\u30fc]{2,}$")
_ALONE = re.compile(r"(?:で|だけ|のみ|単独)(?!きる|き[なま])")
# The bounds of a range: the number behind "3〜", "3 to ", "3至", and the one before it.
_RANGE_END = re.compile(
    r"\d ?(?:[一-龥ァ-ヶ]{0,2}|[a-z]*|[%°]c?)(?:〜|~| ?– ?|から|至|到| to )$|\bbetween \d+[^,.;]{0,12} and $"
)
_RANGE_START = re.compile(r"^ ?(?:〜|~|– ?|から|至|到|to ) ?(?=\d)")
_COUNTED_IN_RANGE = frozenset({"item", "char", "times", "person", "line", "page", "percent", "digit"})
_ONLY_BEHIND = frozenset(
    {"以上", "以下", "以内", "以内に", "未満", "まで", "までに", "内", "内に", "之内", "超", "under"}
)
_EACH = re.compile(r"各$|\beach $")
_JA_TOPIC_END = re.compile(r"は(?!じめ|ん)")
_POST_REACH, _PRE_REACH = 7, 14
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
_NONE_BEYOND = re.compile(
    r"^を?(?:超え|上回|超過す)る[一-龥々ァ-ヶー]{0,10}(?:もの)?[がはも](?:ない|無い|存在しない|残っていない|1つもない|あってはならない)"
)
_LINE_OF = re.compile(r"(?:あたり|当たり|につき|に|の|は)?(?:最大|半角|全角)*(?=\d)")
_CASE = re.compile(r"(?:的|者|时|時は|場合は?|ときは|もの(?:は|を)|なければ|たら)[、，,]?$")
_ALARM = re.compile(r"警告|アラート|通報|発報|告警|报警|\balert|\bwarn")
_LEAD = ("前", "之前", "以前", " before", " ahead", " in advance")
# What happens to what goes beyond a number: then it is the bound.
_CONSEQUENCE = re.compile(
    r"^[^、。,.]{0,14}(?:たら|と|場合は|ものは|れば)[、 ]?[^。]{0,8}"
    r"(?:エラー|分割|失敗|却下|差し?戻|打ち切|不可|不合格|ng|見直|分け|切り出|再設計|書き直|閉会|閉じ|散会|解散|切り上げ|終了|お開き)"
    r"|^(?:を)?(?:超え|超過し|上回)(?:た|る)[^、。]{1,14}(?:は|を)、?[^。]{0,10}(?:分割|見直|分け|切り出|再設計|書き直|差し?戻|修正)"
    r"|^[^.;]{0,24}\b(?:is|are|gets?) (?:stopped|rejected|refused|cancelled|aborted|flagged|sent back|split)"
)
_CAPPED_ZH = re.compile(r"^[^，。]{0,4}(?:时|的|则)?[，,]?(?:按|取|截断|置为|视为|以)\S{0,3}\d")
# What may be used within a time is valid for that time ("发出后5分钟内均可使用").
_USABLE = re.compile(
    r"^(?:以?内|之内|の?間|間は|以内)[^，。、]{0,4}(?:均|都|は|に限り|のみ)?、?[^，。、]{0,4}(?:可使用|可用|有效|使える|使用できる|利用できる|有効)"
)
_REFUSED_ABOVE = re.compile(
    r"\b(?:refuse|reject|decline|return|send back|block|not accept|not merge|split|break up|divide|close)\b[^.;]{0,70}$"
)
_REWORK_ZH = re.compile(r"^[，,]?[^，。]{0,6}(?:拆分|重构|退回|驳回|打回|修改|不予|拒绝|报错|改写)")
# What is done with whatever falls short of a number, or goes beyond it: it is turned down.
_REFUSED_BEHIND = re.compile(
    r"[^。;；.]{0,40}?(?:拒否|却下|認めな|認めません|受け付けな|受付けな|不可(?!欠|能)|進めな|進ませな|差し?戻|弾[くき]|エラー(?:と|に)する|不合格|拒绝|退回|驳回|不予|报错|打回|不通过"
    r"|\b(?:rejected|refused|not accepted|fails?|blocked|forbidden|not allowed|sent back|invalid)\b)"
)
_BEYOND = re.compile(
    r"(?:を)?(?:超え|上回|超過し|越え)(?:る|た)?[^、。]{0,12}(?:ときは|とき、|場合は|場合、|場合に|たら|れば|と、|ものは|ものを|[一-龥ァ-ヶー](?:は|を)、?)|より(?:多|長|深|大き)い?[^、。]{0,12}(?:ときは|場合は|ものは|(?:は|を)、?)"
)
_COUNTS = frozenset({"item", "line", "char", "level", "bare", "page", "size", "person"})
_AT_LATEST = re.compile(r"遅くとも|\|(?:の[^、。]{0,6})?(?:まで|には)|不迟于|最晚|最迟|\bby\b|at the latest|no later")
# What names a bound: a number beside it is that bound ("検索結果の上限は500件").
_MOST_NAMED = re.compile(
    r"(?:上限|最大(?!化)|最多|最高|最长)[^、。,;]{0,14}$|\b(?:maximum|max|upper limit|at most)\b[^.,;]{0,40}$"
)
_LEAST_NAMED = re.compile(
    r"(?:下限|最小(?!化|単位)|最低|最少|最短)[^、。,;]{0,14}$|\b(?:minimum|min|lower limit|at least)\b[^.,;]{0,40}$"
)
_NOTHING_BEYOND = re.compile(
    r"^(?:nothing|nobody|no [a-z]+(?: [a-z]+)?) (?:may|must|shall|can|is|stays?|lasts?|takes?)\b"
)
_ENDED = re.compile(
    r"^(?:が)?(?:たった|経った|経過した|過ぎた|になった)(?:ら|ところで|時点で)、?[^。]{0,8}(?:閉会|閉じ|散会|解散|切り上げ|終了|お開き|打ち切)"
)
_CUT_OFF = re.compile(r"^で(?:打ち切|停止|中断|中止|タイムアウト|切断)|(?:后|时)?(?:即|则)(?:终止|中断|停止|超时)")
# What happens once a time is over: the time itself, and no bound ("30分を過ぎたら破棄する").
_ONCE_OVER = re.compile(
    r"^(?:の間|間)?(?:を|が|も)?(?:超え|過ぎ|経過し|越え)(?:た(?!もの)|る(?!こと)|ると|れば)[^、。]{0,14}(?:を|は|ら|と|、|ば)"
)
_SAME_DAY = frozenset({"当日中", "即日", "当天", "会议当天", "same day"})
_WITHIN = re.compile(r"^(?:以?内(?![容部])|之内|中(?:に|まで)|までに)")
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
    named = {name for hit in hits for name in with_broader(hit, lexicon) if name in lexicon.attributes}
    if subject and not named and (_BOUND_CELL.match(text) or ":" not in text):
        # "指標: 複雑度 | 上限: 15": the row says what the cell's number measures.
        told = scan(subject, lexicon.index(language))
        named = {name for hit in told for name in with_broader(hit, lexicon) if name in lexicon.attributes}
    topic_end = _JA_TOPIC_END.search(text.partition("(")[0]) if language == "ja" else None
    found = find_quantities(text, lexicon)
    for quantity in found:
        if (
            _is_part_of_word(quantity, hits)
            or _PRECISION.search(text[: quantity.start])
            or _EACH.search(text[: quantity.start])
        ):
            continue
        denied = not is_affirmed(text, hits, (quantity.start, quantity.end), language, ())
        behind = text[quantity.end :]
        if denied and _ALONE.match(behind):
            # "1人で管理してはならない" tells no number of people.
            continue
        if language == "zh" and "lock-count" not in named and _qualifies_zh(text, quantity, sentence, denied):
            continue
        # What has a property of few things is what the rule is about, also where it stands in a condition.
        counted = any(
            quantity.dimension in lexicon.attributes[name].dimensions and not lexicon.attributes[name].general
            for name in named
        )
        if topic_end and quantity.end <= topic_end.start() and not denied and not counted and _CONDITION.match(behind):
            continue
        if quantity.dimension == "line" and quantity.text.startswith(("1", "一")) and _LINE_OF.match(behind):
            continue
        measured = named | {"line-length"} if _EACH_LINE.search(text[: quantity.start]) else named
        if quantity.dimension == "duration" and _is_storage_time(text, quantity, language):
            measured = measured | {"retention"}
        properties = frozenset(
            name
            for name in measured
            if quantity.dimension in lexicon.attributes[name].dimensions or quantity.dimension == "bare"
        )
        bounded = _bounded(quantity, text, hits, found, denied)
        if bounded.operator == ">=" and not denied and _ends_in_rework(text, sentence):
            bounded = quantity.with_operator("<=")
        if quantity.dimension == "percent" and _FREE.search(f"{subject} {text}"):
            bounded = _complement(bounded)
        if bounded.operator == "=":
            bounded = _named_bound(bounded, f"{subject} {text[: quantity.start]}")
        if bounded.operator == "=":
            bounded = bounded.with_operator(_plain_meaning(properties, quantity, lexicon))
        if bounded.operator != "=" and quantity.dimension in ("percent", "duration", "times") and _ALARM.search(text):
            # The number from which on somebody is warned.
            bounded = bounded.with_operator("=")
        around = _measured(concepts, quantity, lexicon)
        if bounded.operator == "=" and any(hit.is_marker("enough") for hit in hits):
            bounded = bounded.with_operator(">=")
        if quantity.dimension == "duration" and _USABLE.match(behind):
            bounded, around = quantity, around | {"expiry"}
        yield QuantityClaim(
            quantity.dimension,
            bounded,
            properties,
            around,
            _modifiers(text, hits, properties),
            open_bound=labelled and bounded.operator == "=",
        )


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
        hit.start <= quantity.start and quantity.end <= hit.end and not _OTHERS_NUMBER.intersection(hit.ids)
        for hit in hits
    )


def _complement(free: Quantity) -> Quantity:
    """Return the share in use that a share left free stands for."""
    turned: dict[Operator, Operator] = {">=": "<=", "<=": ">=", "=": "="}
    return free.with_operator(turned[free.operator], _WHOLE - free.amount)


def _named_bound(quantity: Quantity, before: str) -> Quantity:
    """Return a number as the bound that what stands before it calls it."""
    if _MOST_NAMED.search(before):
        return quantity.with_operator("<=")
    return quantity.with_operator(">=") if _LEAST_NAMED.search(before) else quantity


def _caps(text: str, quantity: Quantity) -> bool:
    """Tell whether a clause says what befalls whatever exceeds a number, or that nothing may."""
    behind = text[quantity.end :]
    return (
        _CONSEQUENCE.match(behind) is not None
        or _NONE_BEYOND.match(behind) is not None
        or _CAPPED_ZH.match(behind) is not None
        or _NOTHING_BEYOND.match(text) is not None
    )


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


def _bounded(
    quantity: Quantity, text: str, hits: tuple[Hit, ...], others: tuple[Quantity, ...], denied: bool
) -> Quantity:
    """Apply the comparison word next to a number; a denied bound turns round ("not shorter than 8" is "at least 8")."""
    best = _nearest_comparison(quantity, text, hits, others)
    if best is None and not denied and (side := _side_of_range(quantity, text)):
        return quantity.with_operator(side)
    if _BEFORE.match(text, quantity.end) and not denied:
        # "by five days before" leaves at least five days.
        return quantity.with_operator(">=")
    if _DAY_BEFORE.match(quantity.text) and _AT_LATEST.search(f"{text[: quantity.start]}|{text[quantity.end :]}"):
        return quantity.with_operator(">=")
    if best is None:
        return _implied(quantity, text, denied)
    if best[1] == "op.max" and not denied and text.startswith(_LEAD, quantity.end):
        # "not later than five days before" leaves at least five days.
        return quantity.with_operator(">=")
    refused = _REFUSED_ABOVE.search(text[: quantity.start]) or _REFUSED_BEHIND.match(text, quantity.end)
    if best[1] == "op.lt" and not denied and refused:
        # What falls short of a number is turned down.
        return quantity.with_operator(">=")
    if best[1] == "op.gt" and not denied:
        if _caps(text, quantity) or refused:
            return quantity.with_operator("<=")
        if quantity.dimension in _COUNTS and _BEYOND.match(text, quantity.end):
            # Whatever is done with what is more, the number is what may be.
            return quantity.with_operator("<=")
        if quantity.dimension in ("duration", "percent") and _ONCE_OVER.match(text[quantity.end :]):
            return quantity
    if best[1] == "op.max" and denied and _CASE.search(text):
        # "not restored within 30 minutes" names the time from which on something is done.
        return quantity
    return _compared(quantity, text, best[1], denied)


def _side_of_range(quantity: Quantity, text: str) -> Operator | None:
    """Return of which side of a range of counts a number is the bound ("3〜20文字"), None outside ranges."""
    if quantity.dimension in _COUNTED_IN_RANGE and _RANGE_END.search(text[: quantity.start]):
        return "<="
    counted = quantity.dimension in _COUNTED_IN_RANGE or quantity.dimension == "bare"
    return ">=" if counted and _RANGE_START.match(text[quantity.end :]) else None


def _nearest_comparison(
    quantity: Quantity, text: str, hits: tuple[Hit, ...], others: tuple[Quantity, ...]
) -> tuple[int, str] | None:
    """Return distance and kind of the comparison word that bears on a number, None without one."""
    best: tuple[int, str] | None = None
    for hit in hits:
        kind = next((identifier for identifier in hit.ids if identifier.startswith("op.")), None)
        if kind is None:
            continue
        if hit.start >= quantity.end:
            distance, reach = hit.start - quantity.end, _POST_REACH
            crossed = any(quantity.end <= other.start < hit.start for other in others)
        else:
            word = text[hit.start : hit.end]
            if word in _ONLY_BEHIND and not (word == "under" and text[hit.end : quantity.start] == " "):
                continue
            distance, reach = quantity.start - hit.end + 1, _PRE_REACH
            crossed = any(hit.end <= other.start < quantity.start for other in others)
        if distance <= reach and not crossed and (best is None or distance < best[0]):
            best = (distance, kind)
    return best


def _implied(quantity: Quantity, text: str, denied: bool) -> Quantity:
    """Return a number as the bound that it is without a comparison word ("within", "is stopped at", "as long as")."""
    if quantity.text in _SAME_DAY and not denied:
        return quantity.with_operator("<=")
    before, behind = text[: quantity.start], text[quantity.end :]
    if before.endswith(" under ") and not denied:
        return quantity.with_operator("<=")
    if before.endswith(("without ", "达")):
        return quantity.with_operator(">=")
    capped = _WITHIN.match(behind) or _CUT_OFF.match(behind) or _AS_MUCH.search(before) or _ENDED.match(behind)
    return quantity.with_operator("<=") if capped and not denied else quantity


def _compared(quantity: Quantity, text: str, kind: str, denied: bool) -> Quantity:
    step = 1.0 if quantity.dimension not in ("length", "duration", "size", "percent", "ratio") else 0.0
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


def with_broader(hit: Hit, lexicon: Lexicon) -> tuple[str, ...]:
    """Return what a word names, and the wider things it also counts as."""
    return (*hit.ids, *(wider for identifier in hit.ids for wider in lexicon.broader.get(identifier, ())))
