"""Demand and ban, duty and waiver: clauses that oppose each other by their words alone (spec: conflicts, step 4)."""

import re

from .agreement import Similarity, agreement, is_case_apart, other_rows
from .lexicon import Lexicon
from .modality import bans_beyond
from .presence import WHETHER, named_things, way_of_ban
from .scope_overlap import overlap
from .statements import Statement
from .switches import off_words
from .text import Language, scan

# What holds the thing that is required or waived, and the least weight of the thing itself.
_CONTAINERS, _LEAST = frozenset({"item", "change-history"}), 0.6
# What only says that a limit just given does not hold for a case.
_EXEMPT = re.compile(
    r"不受(?:此|上述|该|本条)?(?:限|限制)|不在此限|(?:この|その)限りで|\b(?:this|the above) does not apply\b"
)
# A permission that is bound to something demands it ("may be added only after approval").
_ONLY_WHEN = re.compile(
    r"\bonly (?:after|with|once|if|when|upon|by|on)\b|(?:後|上|場合|とき|もの|者)に(?:のみ|限)"
    r"|(?:只有|仅|须)[^，。]{0,12}(?:后|才|方)|后方可|(?:才|方)可"
)
_NEARLY_SAME = 0.85
_BANNED_PREDICATE = re.compile(
    r"([一-龥々]{1,6})[ぁ-ん]{0,5}(?:ない|ません|ず|禁止|禁じ|不可)(?:[ぁ-ん]{0,4}|もの?とする|こと)[。.]?$"
)
_HAN = re.compile(r"[一-龥々]")
# What something must not be made into ("番号を小数にしない"): the ban is about that, not about the thing.
_MADE = re.compile(r"を([^、。をがは]{1,12})に(?:は)?(?:しない|しません|せず|してはならない|してはいけない)")
_ALL_BUT: dict[Language, re.Pattern[str]] = {
    "ja": re.compile(r"([^、。はをが]{1,16})以外"),
    "zh": re.compile(r"除了?([^，。]{1,12}?)(?:以|之)?外"),
    "en": re.compile(r"\b(?:other than|except|but) ([^,.;]{2,30})"),
}
_SIGNS = re.compile(r"[一-龥々ァ-ヶa-z]")
# Characters from the end: where a predicate's last word stands, and the whole predicate with its object.
_PREDICATE_END, _PREDICATE_REACH = 6, 14
# Weights of shared content: the least that counts as naming one thing, and as speaking of one subject.
_ONE_WORD, _ONE_SUBJECT = 0.35, 1.1
# The least of all that a waiver names, where the other clause says that it has to be there.
_ONE_THING = 1.0
# The same for what both clauses name themselves; characters that tell no action.
_OWN_WORDS, _NO_ACTION = 0.6, frozenset("不得无未使用可能须应要必出有再能")
_POLARITY_ALIGNMENT, _POLARITY_SHARED = 0.62, 1.6


def opposite(a: Statement, b: Statement, lexicon: Lexicon, similarity: Similarity | None = None) -> float:
    """Return the confidence that one clause demands what the other forbids, from their words alone."""
    # "The cache is disabled" demands no cache, although it says no "no"; flags tell what is at odds.
    # The same rule in two texts is at odds with nothing, whatever its clauses say.
    exempt = a.rule.text == b.rule.text or any(
        _EXEMPT.search(side.text)
        or off_words(side.text, side.language)
        # What is only decided is neither demanded nor banned.
        or WHETHER[side.language].search(side.text)
        for side in (a, b)
    )
    if exempt or not (a.prescribes and b.prescribes) or "should" in (a.modality, b.modality) or other_rows(a, b):
        return 0.0
    if (a.duty == "optional") != (b.duty == "optional"):
        demand, waiver = (a, b) if b.duty == "optional" else (b, a)
        # What need not be there may be there.
        return (
            0.0
            if demand.denied or (demand.modality == "may" and not _ONLY_WHEN.search(demand.text))
            else _dispensed(demand, waiver, lexicon)
        )
    if a.denied == b.denied or not (a if a.denied else b).forbids or a.duty == "optional":
        return 0.0
    found = agreement(a, b, frozenset(), similarity)
    enough = 1.0 if found.degree >= _NEARLY_SAME else _POLARITY_SHARED
    if found.degree < _POLARITY_ALIGNMENT or found.shared < enough:
        return 0.0
    banned, demanded = (a, b) if a.denied else (b, a)
    if (
        bans_beyond(banned.text, banned.language)
        or _bans_value(banned, demanded, lexicon)
        or is_case_apart(banned, demanded, banned.topic_text)
        or not _own_words_meet(banned, demanded)
        or not _label_meets(banned, demanded)
        or _differ(a, b, lexicon)
        or (_counts(a, b) and found.degree < _NEARLY_SAME)
        or not _same_action(banned, demanded)
        or _negation_is_value(banned, demanded, lexicon)
        or _is_done_otherwise(banned, demanded, lexicon)
        or _is_left_open(banned, demanded, lexicon)
    ):
        return 0.0
    fit = overlap(a.scope, b.scope, frozenset(), lexicon)
    return fit * min(1.0, 0.35 + 0.6 * found.degree)


def _bans_value(banned: Statement, demanded: Statement, lexicon: Lexicon) -> bool:
    """Tell whether a clause bans a value of a set that the other does not name: then both may well agree."""
    values = {item for item in banned.content if item in lexicon.enum_of and item not in banned.inherited}
    return bool(values) and values.isdisjoint(demanded.content)


def _own_words_meet(banned: Statement, demanded: Statement) -> bool:
    """Tell whether two clauses share words of their own, not only what the clauses before them name."""
    own = (banned.content.keys() & demanded.content.keys()) - banned.inherited - demanded.inherited
    if sum(min(banned.content[item], demanded.content[item]) for item in own) >= _OWN_WORDS:
        return True
    return not (set(_HAN.findall(banned.text)) - _NO_ACTION).isdisjoint(demanded.rule.text)


def _label_meets(banned: Statement, demanded: Statement) -> bool:
    """Tell whether what a cell bans ("延長: 不可") is named by the other clause; its row's subject is not enough."""
    label = banned.rule.label
    if not label or not banned.rule.subject or banned.language != demanded.language:
        return True
    said = f"{demanded.rule.text} {demanded.rule.subject} {' '.join(demanded.rule.source.headings)}".lower()
    known = {name for word, names in banned.topic_words.items() if word in label for name in names}
    pairs = {label[i : i + 2] for i in range(len(label) - 1)} if banned.language != "en" else set(label.split())
    return any(pair in said for pair in pairs) or not known.isdisjoint(demanded.content.keys())


def _same_action(banned: Statement, demanded: Statement) -> bool:
    """Tell whether what one clause forbids is what the other demands, by the characters of the Japanese predicate.

    "記載しない" answers "記載する" and "記述する", not "参照する". Predicates without Han characters (しない, つけない)
    say too little to tell; other languages put the verb where their content words already show it.
    """
    if banned.language != "ja" or demanded.language != "ja":
        return True
    found = _BANNED_PREDICATE.search(banned.text)
    if found is None or not _HAN.search(demanded.text[-_PREDICATE_END:]):
        return True
    return not set(found[1]).isdisjoint(demanded.text[-_PREDICATE_REACH:])


def _negation_is_value(banned: Statement, demanded: Statement, lexicon: Lexicon) -> bool:
    """Tell whether what negates one clause is itself the value that the other demands (不显示 beside 隐藏)."""
    negations = [hit for hit in scan(banned.text, lexicon.index(banned.language)) if hit.is_marker("not", "reject")]
    values = {name for hit in negations for name in hit.ids if name in lexicon.enum_of}
    return not values.isdisjoint(demanded.content)


def _is_done_otherwise(banned: Statement, demanded: Statement, lexicon: Lexicon) -> bool:
    """Tell whether one clause bans a way or place of doing what the other demands without naming either."""
    if banned.language != demanded.language:
        return False
    made = _MADE.search(banned.text)
    if made is not None and banned.language == "ja" and set(_SIGNS.findall(made[1])).isdisjoint(demanded.text):
        return True
    way = way_of_ban(banned.text, banned.language, lexicon)
    return bool(way) and way.isdisjoint(demanded.content)


def _is_left_open(banned: Statement, demanded: Statement, lexicon: Lexicon) -> bool:
    """Tell whether a ban of everything but one thing ("VPN以外の経路で") leaves open what the other clause demands."""
    match = _ALL_BUT[banned.language].search(banned.text)
    left = named_things(match[1], lexicon, banned.language) if match else {}
    return any(item in demanded.content for item in left)


def _differ(a: Statement, b: Statement, lexicon: Lexicon) -> bool:
    """Tell whether two clauses name different values of one set: then demand and ban may well agree."""
    for values in lexicon.enums.values():
        one, two = a.content.keys() & set(values.values), b.content.keys() & set(values.values)
        if one and two and one.isdisjoint(two):
            return True
    return False


def _counts(a: Statement, b: Statement) -> bool:
    """Clauses with numbers are compared by their numbers, unless one of them is a bare permission."""
    return (a.numbers or b.numbers) and "may" not in (a.modality, b.modality)


def _dispensed(required: Statement, optional: Statement, lexicon: Lexicon) -> float:
    """Return the confidence that one clause makes optional what the other requires, perhaps among other things."""
    topic = optional.topic
    if optional.language == "zh":
        # A Chinese clause marks no topic: what it names itself comes before what the sentence began with.
        own = {item: weight for item, weight in optional.content.items() if item not in optional.inherited}
        topic = own or topic
    named = {item: max(weight, _LEAST) for item, weight in topic.items() if item not in _CONTAINERS}
    if required.language != optional.language:
        # Words that the lexicon does not know cannot be found in another language.
        named = {item: weight for item, weight in named.items() if not item.startswith("u:")} or named
    weight = sum(named.values())
    found = sum(weight for item, weight in named.items() if item in required.content)
    around = sum(
        0.7 * weight for item, weight in named.items() if item not in required.content and item in required.around
    )
    shared_around = optional.around & (required.around | required.content.keys())
    if weight == 0 or found < _ONE_WORD or found + around < _POLARITY_ALIGNMENT * weight:
        return 0.0
    whole = required.duty == "required" and found >= max(_ONE_THING, weight)
    if not whole and found + around + 0.5 * len(shared_around) < _ONE_SUBJECT:
        # Nothing else tells that both speak of one thing.
        return 0.0
    return 0.85 * overlap(required.scope, optional.scope, frozenset(), lexicon)
