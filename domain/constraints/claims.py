"""The kinds of claims a clause can make, read from its words and values."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from .absence import AbsenceClaim, absences_in
from .forms import forms_in
from .inclusion import InclusionClaim, inclusions_in
from .intervals import intervals_in
from .lexicon import Lexicon
from .measures import QuantityClaim, quantities_in, with_broader
from .modality import bans_beyond, is_affirmed, is_prescription, modality_of, names_setting, states_something, waiver_in
from .ordering import OrderClaim, orders_in
from .per_unit import divisions_in
from .presence import PresenceClaim, named_things, presence_in
from .roles import is_refused, role_of_cell
from .side_by_side import sides_in
from .slots import SlotClaim, slots_in
from .splitting import Rule
from .switches import is_conceded, is_only_treated, is_temporary, off_words, without_right
from .targets import topic_text
from .text import Hit, Language
from .values import find_quantities
from .wording import (
    Quoted,
    find_choices,
    find_date_patterns,
    find_judged,
    find_quoted,
    is_banning,
    is_complete_list,
    listed_values,
    shows_serial_comma,
)

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
# The same where nothing else is the object.
_WRITTEN: dict[Language, re.Pattern[str]] = {
    "ja": re.compile(
        r"書[くけきいか]|示[すし]|明[記示]|記[すし載入述]|表示|打[つち]|貼|添え|描|載せ|掲載|印[字刷]|押[すし]|取得|採用|定義|適用|作[るり成]|加え|追加|持[つた]|有効|載る|利用|使え|でき(?:る|ます)"
    ),
    "zh": re.compile(r"注明|标[注明]|列[出明]|提供|打印|绘制|附|带|启用|开启|记录|给出|包含|体现"),
    "en": re.compile(
        r"\b(?:written|stated|displayed|printed|given|provided|marked|recorded|enabled|drawn|placed|attached|inserted|put|appears?|named|listed)\b"
    ),
}
_OBJECT = re.compile(r"[をがにで](?!き)|\b(?:in|at|on|by|as|with)\b|[在于以]")
_THRESHOLD = re.compile(
    r"^(?:値|設定値|規定値|基準値?|目標値?|しきい値|閾値|上限|下限|最大|最小|取值|设定值|阈值|门限|标准|目标值?|要求)"
    r"|\b(?:threshold|target|limit|minimum|maximum|value)$"
)
_LATIN_NAME = re.compile(r"[A-Za-z][A-Za-z0-9+#]{2,}")
_ENGLISH_NAME = re.compile(r"\b[A-Z][A-Za-z0-9+#]*[A-Z][A-Za-z0-9+#]*\b")
_ASIDE = re.compile(r"[(（][^()（）]*[)）]")
_MANY_NAMES = 2
# Characters between a waiver and the value that it waives ("不必提前到周五").
_WAIVED = 6
# The same for features, whose waiver may have a verb of its own ("版数は記入しなくてよい").
_WAIVED_BEHIND: dict[Language, int] = {"ja": 10, "zh": 6, "en": 20}
_ITS_PART = re.compile(
    r"^(?:の(?!記[載入]|付与|使用|利用|添付|設定|実施|表示|作成|提出|有無|挿入|取得|出力|明記)|的(?!填写|使用|添加|显示|设置|编写|提交|记录))[^、，]"
)
_PART_OF = re.compile(r"(?<!use )(?<!inclusion )(?<!presence )\bof (?:the |an? |each )?$")
_NEW_OBJECT = re.compile(r"[、，,;。をにで]|\b(?:and|but|which|that|with|in|for|of|on|to)\b")
_WORDING = re.compile(
    r"表示|表記|書[くきいか]|記[載入述す]|付け|使|用い|呼|写|填|显示|称|のように|形式|囲|格式|如|样式|in the form|read|writ|use|label|display|show|call|say"  # noqa: E501  # a pattern or list stays in one line
)
_ERASING = re.compile(r"消[すし]|消さ(?!な|ず|ぬ)|取り除|除去|remov|delet|删|清除|去掉|抹")
_ABOUT_ERASING = frozenset({"deletion", "fate"})


@dataclass(frozen=True, slots=True)
class EnumClaim:
    """The target has (or must not have) values of a closed set.

    Attributes:
        attribute: The value set.
        allowed: Values demanded; several are alternatives or parts.
        denied: Values forbidden.
        only: The rule says that nothing else is allowed.
        bare: The clause bans its values and names nothing else, so that it bans them wherever the property occurs.
    """

    attribute: str
    allowed: frozenset[str]
    denied: frozenset[str]
    only: bool
    bare: bool = False


Force = Literal["must", "may", "waived"]


@dataclass(frozen=True, slots=True)
class FlagClaim:
    """A feature is demanded or forbidden.

    Attributes:
        attribute: The feature.
        on: It is to be there.
        force: `waived`: it need not be there; `may`: it is only permitted. A waiver opposes a demand, no permission.
    """

    attribute: str
    on: bool
    force: Force = field(default="must", compare=False)


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


Claim = (
    EnumClaim
    | FlagClaim
    | QuantityClaim
    | AbsenceClaim
    | InclusionClaim
    | TermClaim
    | OrderClaim
    | PresenceClaim
    | SlotClaim
)


def claims_of(
    text: str,
    rule: Rule,
    hits: tuple[Hit, ...],
    concepts: frozenset[str],
    lexicon: Lexicon,
    *,
    first: bool,
    beside: frozenset[str] = frozenset(),
) -> Iterator[Claim]:
    """Yield the claims of a clause.

    Args:
        text: The normalised clause.
        rule: The rule it is part of.
        hits: The lexicon's words in the clause.
        concepts: Everything named by the clause and its surroundings.
        lexicon: The lexicon.
        first: The clause is its sentence's first; claims of the whole sentence are read with it.
        beside: What the other sentences of its line name: a value may belong to that.
    """
    language = rule.language
    # A definition tells what counts as well.
    yield from inclusions_in(text, language, lexicon)
    if not states_something(text, language, bool(rule.label)):
        if first and is_prescription(rule.text, language, labelled=False):
            # "Aが承認されるまで、Bに着手してはならない": the sentence tells an order.
            yield from orders_in(rule.text, language, lexicon, rule.subject)
        return
    # "発注者: -" says no of what its label names; an aside behind it may still give a value.
    told = tuple(hit for hit in hits if hit.end > len(rule.label) + 1) if is_refused(rule.label, text) else hits
    # "誤: 半角": what a cell shows as wrong is turned down, whatever the words.
    wrong = bool(rule.label) and is_banning(rule.label)
    for claim in _enums(text, told, language, concepts | beside, lexicon):
        yield replace(claim, allowed=claim.denied, denied=claim.allowed, bare=False) if wrong else claim
    lasting = not is_temporary(text, rule.text, language) or bool(find_quantities(text, lexicon))
    if lasting and not _only_names(text, rule, hits):
        yield from _flags(text, hits, language, concepts, lexicon)
    labelled = rule.criterion or _THRESHOLD.search(rule.label) is not None
    yield from quantities_in(
        text, hits, language, concepts, lexicon, sentence=rule.text, subject=rule.subject, labelled=labelled
    )
    yield from intervals_in(text, hits, lexicon)
    yield from _spelled(text, rule, hits, first=first)
    if is_prescription(text, language, bool(rule.label)):
        yield from _prescribed(text, rule, hits, concepts, lexicon, lasting=lasting)
    for thing, unit in divisions_in(text, language):
        yield SlotClaim("choice-unit", frozenset({f"{thing}/{unit}"}), frozenset(), only=False)
    if first and rule.label:
        yield from _doers(text, rule, hits, lexicon)
    for attribute, value in forms_in(text, rule, first=first):
        yield EnumClaim(attribute, frozenset({value}), frozenset(), only=False)
    if first:
        yield from orders_in(rule.text, language, lexicon, rule.subject)
        yield from sides_in(rule.text, language)


def _doers(text: str, rule: Rule, hits: tuple[Hit, ...], lexicon: Lexicon) -> Iterator[SlotClaim | EnumClaim]:
    """Yield who does what a table of duties tells; who is crossed out in it does not, whoever does."""
    who = role_of_cell(rule.label, text.partition(":")[2])
    if who is None:
        return
    yield SlotClaim("choice-role", *who, only=False)
    named = {name for hit in hits if hit.end <= len(rule.label) for name in hit.ids if who[1]}
    denied = frozenset(name for name in named if "actor" in lexicon.enum_of.get(name, ()))
    if denied:
        yield EnumClaim("actor", frozenset(), denied, only=False)


def _only_names(text: str, rule: Rule, hits: tuple[Hit, ...]) -> bool:
    """Tell whether a cell only names what its row is about ("项: 水印"); another cell of the row says what holds."""
    start = len(text) - len(text.partition(":")[2].lstrip())
    return (
        bool(rule.label)
        and not rule.subject
        and any(not hit.markers and hit.start == start and hit.end == len(text) for hit in hits)
    )


def _spelled(
    text: str, rule: Rule, hits: tuple[Hit, ...], *, first: bool
) -> Iterator[EnumClaim | FlagClaim | TermClaim]:
    """Yield what a clause spells out: patterns of dates and quoted wordings."""
    patterns = find_date_patterns(text)
    if patterns:
        yield EnumClaim("date-pattern", *_affirmed(patterns, text, hits, rule.language), only=False)
    comma = shows_serial_comma(rule.label, text) if rule.label and rule.language == "en" else None
    if comma is not None:
        yield FlagClaim("serial-comma", on=comma)
    terms = _terms(text, rule.text if first else "", rule.label, hits, rule.language)
    if terms:
        yield terms


def _prescribed(
    text: str, rule: Rule, hits: tuple[Hit, ...], concepts: frozenset[str], lexicon: Lexicon, *, lasting: bool
) -> Iterator[TermClaim | PresenceClaim | AbsenceClaim | SlotClaim]:
    """Yield what only a clause worded as a rule claims; a ban that ends bans nothing as such."""
    names = _names(text, rule.quote, hits, rule.language, lexicon)
    if names:
        yield names
    if lasting:
        present = tuple(presence_in(text, hits, rule.language, lexicon))
        yield from present
        banned = frozenset(item for claim in present for item in claim.banned)
        yield from absences_in(text, hits, banned, concepts, rule.language, lexicon)
    yield from slots_in(text, rule.text, rule.quote, hits, rule.language, lexicon)


def _enums(
    text: str, hits: tuple[Hit, ...], language: Language, concepts: frozenset[str], lexicon: Lexicon
) -> Iterator[EnumClaim]:
    by_set: dict[str, list[tuple[str, Hit]]] = {}
    for hit in hits:
        for identifier in hit.ids:
            for name in lexicon.enum_of.get(identifier, ()):
                by_set.setdefault(name, []).append((identifier, hit))
    only = any(hit.is_marker("only", "exact") for hit in hits)
    waivers = tuple(hit for hit in hits if hit.is_marker("optional"))
    beyond = bans_beyond(text, language)
    rightless = (*without_right(text, hits, language), *off_words(text, language))
    for name, found in by_set.items():
        hosts = lexicon.enums[name].hosts
        if hosts and concepts.isdisjoint(hosts):
            continue
        # "行を消す" negates nothing where erasing is what the values are about.
        bearing = tuple(hit for hit in hits if not _ERASING.match(text, hit.start)) if name in _ABOUT_ERASING else hits
        rivals = tuple(hit for _, hit in found)
        allowed: set[str] = set()
        denied: set[str] = set()
        for identifier, hit in found:
            if any(_waives(waiver, hit, language) for waiver in waivers) or is_conceded(text, hit.end, language):
                continue
            affirmed = is_affirmed(
                text,
                (
                    *bearing,
                    *(word for word in rightless if word.start >= hit.end and not any(_cover(word, r) for r in rivals)),
                ),
                (hit.start, hit.end),
                language,
                tuple(rival for rival in rivals if rival is not hit),
            )
            if affirmed or not (
                beyond or names_setting(text, hit.end, language) or is_only_treated(text, hit.start, hit.end, language)
            ):
                (allowed if affirmed else denied).add(identifier)
        if allowed or denied:
            kept = frozenset(denied - allowed)
            bare = bool(kept) and not allowed and _names_nothing_else(text, name, language, lexicon)
            yield EnumClaim(name, frozenset(allowed - denied), kept, only, bare)


def _names_nothing_else(text: str, name: str, language: Language, lexicon: Lexicon) -> bool:
    """Tell whether a clause names nothing but values of one set and their property ("タブ文字は使わない")."""
    values = lexicon.enums[name]
    own = {*values.values, *values.names, *values.hosts}
    return all(
        item in own
        for item in named_things(text, lexicon, language)
        if not set(lexicon.enum_of.get(item, ())) or item in own
    )


def _waives(waiver: Hit, value: Hit, language: Language) -> bool:
    """Tell whether a waiver right beside a value says that it need not be: neither demanded nor banned."""
    if language == "ja":
        return 0 <= waiver.start - value.end <= _WAIVED
    return 0 <= value.start - waiver.end <= _WAIVED


def _flags(
    text: str, hits: tuple[Hit, ...], language: Language, concepts: frozenset[str], lexicon: Lexicon
) -> Iterator[FlagClaim]:
    found = [(name, hit) for hit in hits for name in with_broader(hit, lexicon) if name in lexicon.flag_set]
    if not found:
        return
    rivals = tuple(hit for _, hit in found)
    off = tuple(word for word in off_words(text, language) if not any(_cover(word, hit) for hit in rivals))
    # A word for a value ("disabled") that turns something off counts once, as the negation that it is here.
    bearing = (*(hit for hit in hits if not any(_cover(word, hit) for word in off)), *off)
    waiver = waiver_in(text, hits)
    permitted = modality_of(hits) == "may" and waiver is None
    for identifier, hit in found:
        hosts = lexicon.flag_hosts.get(identifier, ())
        if hosts and concepts.isdisjoint(hosts):
            continue
        if waiver is not None and _bears_on(waiver, hit, text, language):
            yield FlagClaim(identifier, on=False, force="waived")
            continue
        others = tuple(rival for rival in rivals if rival is not hit)
        on = is_affirmed(text, bearing, (hit.start, hit.end), language, others)
        if not on and is_only_treated(text, hit.start, hit.end, language):
            continue
        negated = any(other.is_marker("not", "reject") for other in bearing)
        if not on or negated or permitted or not _is_mere_topic(text, hit, language):
            yield FlagClaim(identifier, on, "may" if on and permitted else "must")


def _cover(one: Hit, two: Hit) -> bool:
    return one.start < two.end and two.start < one.end


def _bears_on(waiver: tuple[int, int], hit: Hit, text: str, language: Language) -> bool:
    """Tell whether a waiver at the given offsets stands right beside a feature."""
    start, end = waiver
    if hit.end <= start:
        gap = text[hit.end : start]
        if _ITS_PART.match(gap) or _PART_OF.search(text[: hit.start]):
            # "The colour of the watermark is optional" waives no watermark.
            return False
        return len(gap) <= _WAIVED_BEHIND[language] and not _NEW_OBJECT.search(gap)
    return language != "ja" and 0 <= hit.start - end <= _WAIVED_BEHIND["en"]


def _is_mere_topic(text: str, hit: Hit, language: Language) -> bool:
    """Tell whether a clause speaks of a feature that is there anyway ("the confirmation screen shows the total")."""
    topic = topic_text(text, language)
    if topic == text or hit.end > len(topic):
        return False
    said = text[len(topic) :]
    if _PRESENCE[language].search(said) is not None:
        return False
    # "主語は必ず書く" demands the subject; "確認画面は合計を表示する" has an object of its own.
    return _WRITTEN[language].search(said) is None or _OBJECT.search(said) is not None


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
    if label and (values := listed_values(label, text)):
        return TermClaim("term", values, frozenset(), closed=True)
    if label and (judged := find_judged(label, text)):
        return TermClaim("term", *judged, closed=False, worded=True)
    if not quoted:
        listed = find_choices(sentence)
        return TermClaim("term", listed, frozenset(), closed=True) if listed else None
    allowed, denied = _affirmed(quoted, text, hits, language)
    closed = any(hit.is_marker("closed") for hit in hits) or is_complete_list(text)
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
    if not 0 < len(found) <= _MANY_NAMES or bans_beyond(text, language):
        return None
    allowed, denied = _affirmed(tuple(sorted(found.values(), key=lambda name: name.start)), text, hits, language)
    return TermClaim("name", allowed, denied, closed=False, worded=len(found) == 1)
