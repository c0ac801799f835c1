"""Whether a number is a value or a bound, from the words around it."""

import re

from .text import Hit
from .values import Operator, Quantity

_POST_REACH, _PRE_REACH = 7, 14
_BEFORE = re.compile(
    r"(?:以上)?前まで|(?:以上)?前までに|(?:以上)?前には| or more before| before at the latest|前(?:完成|提交|发送|送达)"
    r"|(?: or more)? (?:in advance|ahead|beforehand|prior to|earlier than)\b"
)
# Names of a day that is itself so long before ("by the evening of the day before").
_DAY_BEFORE = re.compile(r"^(?:前の?日|前営業日|前一天|前一日|前一个工作日|the day before)$")
_AS_MUCH = re.compile(r"\bas (?:long|many|large|much|high|big|wide|deep|late) as $")
# The bounds of a range: the number behind "3〜", "3 to ", "3至", and the one before it.
_RANGE_END = re.compile(
    r"\d ?(?:[一-龥ァ-ヶ]{0,2}|[a-z]*|[%°]c?)(?:〜|~| ?– ?|から|至|到| to )$|\bbetween \d+[^,.;]{0,12} and $"
)
_RANGE_START = re.compile(r"^ ?(?:〜|~|– ?|から|至|到|to ) ?(?=\d)")
_COUNTED_IN_RANGE = frozenset({"item", "char", "times", "person", "line", "page", "percent", "digit"})
_ONLY_BEHIND = frozenset(
    {"以上", "以下", "以内", "以内に", "未満", "まで", "までに", "内", "内に", "之内", "超", "under"}
)
_NONE_BEYOND = re.compile(
    r"^を?(?:超え|上回|超過す)る[一-龥々ァ-ヶー]{0,10}(?:もの)?[がはも](?:ない|無い|存在しない|残っていない|1つもない|あってはならない)"
)
_CASE = re.compile(r"(?:的|者|时|時は|場合は?|ときは|もの(?:は|を)|なければ|たら)[、，,]?$")
_LEAD = ("前", "之前", "以前", " before", " ahead", " in advance")
# What happens to what goes beyond a number: then it is the bound.
_CONSEQUENCE = re.compile(
    r"^[^、。,.]{0,14}(?:たら|と|場合は|ものは|れば)[、 ]?[^。]{0,8}"
    r"(?:エラー|分割|失敗|却下|差し?戻|打ち切|不可|不合格|ng|見直|分け|切り出|再設計|書き直|閉会|閉じ|散会|解散|切り上げ|終了|お開き)"
    r"|^(?:を)?(?:超え|超過し|上回)(?:た|る)[^、。]{1,14}(?:は|を)、?[^。]{0,10}(?:分割|見直|分け|切り出|再設計|書き直|差し?戻|修正)"
    r"|^[^.;]{0,24}\b(?:is|are|gets?) (?:stopped|rejected|refused|cancelled|aborted|flagged|sent back|split)"
)
_CAPPED_ZH = re.compile(r"^[^，。]{0,4}(?:时|的|则)?[，,]?(?:按|取|截断|置为|视为|以)\S{0,3}\d")
_REFUSED_ABOVE = re.compile(
    r"\b(?:refuse|reject|decline|return|send back|block|not accept|not merge|split|break up|divide|close)\b[^.;]{0,70}$"
)
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


def named_bound(quantity: Quantity, before: str) -> Quantity:
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


def bounded(
    quantity: Quantity, text: str, hits: tuple[Hit, ...], others: tuple[Quantity, ...], denied: bool
) -> Quantity:
    """Apply the comparison word next to a number; a denied bound turns round ("not shorter than 8" is "at least 8")."""
    best = _nearest_comparison(quantity, text, hits, others)
    if best is None and not denied and (side := _side_of_range(quantity, text)):
        return quantity.with_operator(side)
    if _is_lead_time(quantity, text, denied, at_most=best is not None and best[1] == "op.max"):
        return quantity.with_operator(">=")
    if best is None:
        return _implied(quantity, text, denied)
    turned = None if denied else _turned_down(quantity, text, best[1])
    if turned is not None:
        return turned
    if best[1] == "op.max" and denied and _CASE.search(text):
        # "not restored within 30 minutes" names the time from which on something is done.
        return quantity
    return _compared(quantity, text, best[1], denied)


def _is_lead_time(quantity: Quantity, text: str, denied: bool, *, at_most: bool) -> bool:
    """Tell whether a time is the least that has to lie before something ("not later than five days before")."""
    day = _DAY_BEFORE.match(quantity.text) and _AT_LATEST.search(f"{text[: quantity.start]}|{text[quantity.end :]}")
    if day or denied:
        return bool(day)
    return _BEFORE.match(text, quantity.end) is not None or (at_most and text.startswith(_LEAD, quantity.end))


def _turned_down(quantity: Quantity, text: str, comparison: str) -> Quantity | None:
    """Return the bound that is told by what is done with what falls short of a number, or goes beyond it."""
    refused = _REFUSED_ABOVE.search(text[: quantity.start]) or _REFUSED_BEHIND.match(text, quantity.end)
    if comparison == "op.lt" and refused:
        return quantity.with_operator(">=")
    if comparison != "op.gt":
        return None
    beyond = quantity.dimension in _COUNTS and _BEYOND.match(text, quantity.end)
    if _caps(text, quantity) or refused or beyond:
        # Whatever is done with what is more, the number is what may be.
        return quantity.with_operator("<=")
    over = quantity.dimension in ("duration", "percent") and _ONCE_OVER.match(text[quantity.end :])
    return quantity if over else None


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
