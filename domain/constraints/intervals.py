"""Numbers that words stand for: how often something happens, how long it stays valid, shares of all."""

import re
from collections.abc import Iterator

from .lexicon import Lexicon
from .measures import QuantityClaim
from .text import Hit
from .values import Quantity, find_quantities

_ALL_BRANCHES = re.compile(
    r"(?:全て|すべて|全|あらゆる)の?(?:分岐|条件分岐|命令)(?:を|が|は)[^、。]{0,14}(?:通|実行|網羅|確認|テスト)"
    r"|(?:所有|全部|每(?:个|条))(?:的)?(?:分支|语句)[^，。]{0,10}(?:覆盖|执行|走到|通过)"
    r"|\b(?:every|all|each) (?:branch(?:es)?|statements?|decisions?)\b[^,.;]{0,30}\b(?:executed|covered|exercised|tested|taken|passed)"  # noqa: E501  # a pattern stays in one line
)
_EVERY_BEHIND = re.compile(r"(?:ごと|毎|おき|間隔)(?:に|の|で)?|に[1一](?:回|度)")
_EVERY_BEFORE = re.compile(r"\bevery $|每$|每隔$|毎$")
# Days between two times, by the lexicon's names of intervals.
_RECURRENCES = {
    "daily": 1, "weekly": 7, "fortnightly": 14, "monthly": 30, "quarterly": 90, "half-yearly": 180, "yearly": 365,
}  # fmt: skip
_DAY = 86400.0
# Times a day up to which a rate tells how often something is done; more often it tells a load or a limit.
_OFTEN = 24
_AT_MOST = re.compile(
    r"まで|以内|以下|上限|最大|超え|最多|不超过|至多|以上|少なくとも|最低|至少|不少于"
    r"|\b(?:at most|at least|up to|maximum|max|minimum|no more|not more|limit|exceed)\b"
)
_WHOLE = 100.0


def intervals_in(text: str, hits: tuple[Hit, ...], lexicon: Lexicon) -> Iterator[QuantityClaim]:
    """Yield how long something stays valid, how often it happens, and shares of all, in a normalised clause."""
    yield from renewals_in(text, hits, lexicon)
    yield from periods_in(text, hits, lexicon)
    yield from totals_in(text)


def totals_in(text: str) -> Iterator[QuantityClaim]:
    """Yield the share that words for "all" stand for where a rule measures shares ("every branch is executed")."""
    match = _ALL_BRANCHES.search(text)
    if match:
        whole = Quantity(_WHOLE, "percent", ">=", match.group(), match.start(), match.end())
        yield QuantityClaim("percent", whole, frozenset({"coverage"}), frozenset({"coverage"}))


def periods_in(text: str, hits: tuple[Hit, ...], lexicon: Lexicon) -> Iterator[QuantityClaim]:
    """Yield how often something happens, told by a name ("fortnightly") or by a number ("14日ごと"): one may meet the other."""  # noqa: E501  # a pattern stays in one line
    quantities = find_quantities(text, lexicon)
    rates = [quantity for quantity in quantities if quantity.dimension == "rate"]
    for hit in hits:
        days = next((_RECURRENCES[name] for name in hit.ids if name in _RECURRENCES), None)
        # "每日4次" is no day between two times.
        if days is not None and not any(rate.start <= hit.start < rate.end for rate in rates):
            yield _period(days * _DAY, text, hit.start, hit.end)
    for quantity in quantities:
        every = _EVERY_BEHIND.match(text, quantity.end) or _EVERY_BEFORE.search(text[: quantity.start])
        if quantity.dimension == "duration" and every:
            yield _period(quantity.amount, text, quantity.start, quantity.end)
        elif quantity.dimension == "rate" and quantity.amount * _DAY <= _OFTEN and not _AT_MOST.search(text):
            # "twice a month": every other week.
            yield _period(1 / quantity.amount, text, quantity.start, quantity.end)


def _period(seconds: float, text: str, start: int, end: int) -> QuantityClaim:
    return QuantityClaim(
        "period", Quantity(seconds, "period", "=", text[start:end], start, end), frozenset(), frozenset()
    )


def renewals_in(text: str, hits: tuple[Hit, ...], lexicon: Lexicon) -> Iterator[QuantityClaim]:
    """Yield how long something is valid that is changed at an interval ("changed quarterly", 90日ごとに変更)."""
    if not any("changing" in hit.ids for hit in hits):
        return
    valid = frozenset({"expiry"})
    if any("interval" in hit.ids for hit in hits):
        for quantity in find_quantities(text, lexicon):
            if quantity.dimension == "duration":
                yield QuantityClaim("duration", quantity, frozenset(), valid)
    for hit in hits:
        days = next((_RECURRENCES[name] for name in hit.ids if name in _RECURRENCES), None)
        if days is not None:
            told = Quantity(days * _DAY, "duration", "=", text[hit.start : hit.end], hit.start, hit.end)
            yield QuantityClaim("duration", told, frozenset(), valid)
