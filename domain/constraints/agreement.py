"""How far two clauses speak of the same thing (spec: conflicts, step 3)."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from .content import alignment
from .lexicon import Lexicon
from .statements import Statement
from .targets import are_contrasted
from .text import normalise, scan

Similarity = Callable[[str, str], float]

# Share of character bigrams (Dice) from which the subjects of two rows may be the same thing, differently written.
_SAME_ROW = 0.5
# Weight of a case that both clauses name.
_SAME_CASE = 0.4
# Factor on the confidence where topics name different kinds of one thing.
_OTHER_KIND = 0.5
# The same where two topics have no word and no character in common with what the other rule names.
_STRANGERS = 0.6
# Closeness in meaning from which two topics are one thing in other words.
_ALIKE = 0.6
# What narrows a topic: what was done to it.
_NARROWED = re.compile(
    r"^([\u3400-\u9fff]{2,8})的|([\u3400-\u9fff]{2,6})(?:した|された|済みの?|している|になった|となった)(?=[\u3400-\u9fff\u30a1-\u30fa])"
)
_ENGLISH_WORD = re.compile(r"[a-z]{3,}")
# English words of topics that name no thing.
_NO_THINGS = frozenset(
    re.findall(
        r"\w+",
        """
        the each every all any this that these those its their for with and from into per such same other new own
        one two both only not when where which thi that it they there here who whose you your must shall
        """,
    )
)
_IN_WORD = r"[\u30a1-\u30fa\u30fc]"
_TELLING_CHARACTER = re.compile(r"[\u3400-\u9fff\u30a1-\u30fa]")
# What a Japanese clause without a topic is about: where it puts something ("見出しの末尾に…付けない").
_JA_PLACE = re.compile(r"^([^、。はをに]{2,16})に(?=[^、。]{2,})")
_PLACED = re.compile(r"(?:に限る|に限り|に限定する?|のみとする|だけとする|でのみ.{1,6})[。.]?$")
# Characters that compounds of all kinds share.
_COMMON = frozenset("文末頭部中上下前後的一者時")
_NO_TOPIC = re.compile(
    r"^(?:これ|それ|その|この|上記|以下|次|本|当|各|全|いかなる|いずれの|どの|すべて|任何|所有|一切)|^$"
)


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two statements speak of the same thing: 0 to 1, and the weight of what both name."""

    degree: float
    shared: float


def agreement(a: Statement, b: Statement, ignored: frozenset[str], similarity: Similarity | None = None) -> Agreement:
    """Return how far two statements speak of the same thing, whole clauses or topics, whichever agrees better."""
    if a.language != b.language:
        ignored |= frozenset(item for item in (*a.content, *b.content) if item.startswith("u:"))
    clause, shared = alignment(a.content, b.content, a.around, b.around, ignored)
    topic, topic_shared = alignment(a.topic, b.topic, a.around, b.around, ignored)
    degree = max(clause, topic if topic_shared >= 1.0 else 0.0)
    if a.scope.facets.named & b.scope.facets.named:
        # Both name the same case in so many words.
        degree, shared = min(1.0, degree + _SAME_CASE / 2), shared + _SAME_CASE
    meaning = similarity(a.text, b.text) if similarity is not None else 0.0
    return Agreement(max(degree, meaning), max(shared, topic_shared, meaning))


def kinship_of_topics(
    a: Statement, b: Statement, values: frozenset[str] = frozenset(), lexicon: Lexicon | None = None
) -> float:
    """Return 1, or less when two clauses speak of different kinds of one thing.

    Args:
        a: One clause.
        b: The other.
        values: Items that are the values compared: by them rules are at odds, not about different things.
        lexicon: To tell what words that topics are made of mean, beside those of the topics themselves.
    """
    if a.language != b.language:
        return 1.0

    def known(word: str, statement: Statement) -> frozenset[str]:
        hits = scan(word, lexicon.index(a.language)) if lexicon else ()
        whole = (name for hit in hits if (hit.start, hit.end) == (0, len(word)) for name in hit.ids)
        return frozenset([*statement.topic_words.get(word, ()), *whole])

    # What stands in a marked topic is what a rule is about, also where it could be a value of the compared set.
    values_a, values_b = (values if side.topic_text == side.text else frozenset[str]() for side in (a, b))

    def synonyms(word: str, other: str) -> bool:
        one, two = known(word, a), known(other, b)
        return not (one.isdisjoint(two) and one.isdisjoint(values_a) and two.isdisjoint(values_b))

    def concepts(words: str) -> frozenset[str]:
        hits = scan(words, lexicon.index(a.language)) if lexicon else ()
        return frozenset(name for hit in hits if hit.ids[0] not in ("stop", "plain") for name in hit.ids)

    def alike(words: str, others: str) -> bool:
        one, two = concepts(words), concepts(others)
        if not ((one | {f"u:{words}"}).isdisjoint(values_a) and (two | {f"u:{others}"}).isdisjoint(values_b)):
            return True
        return not (one.isdisjoint(_with_wider(two, lexicon)) and two.isdisjoint(_with_wider(one, lexicon)))

    one, two = (f"{s.text} {s.rule.subject} {normalise(' '.join(s.rule.source.headings))}" for s in (a, b))
    return _OTHER_KIND if are_contrasted(a.topic_text, b.topic_text, one, two, a.language, synonyms, alike) else 1.0


def _with_wider(names: frozenset[str], lexicon: Lexicon | None) -> frozenset[str]:
    return names.union(*(lexicon.broader.get(name, ()) for name in names)) if lexicon else names


def acquaintance(
    a: Statement,
    b: Statement,
    values: frozenset[str],
    similarity: Similarity | None = None,
    *,
    by_words: bool = False,
    told: bool = False,
) -> float:
    """Return 1, or less where the topics of two rules have nothing in common, not even a character.

    What is compared are marked topics ("メッセージの文末には…") and rows; a synonym that the lexicon knows counts as
    common, and so does a topic that the other rule or a heading of it names. Words for the compared values do not.

    Args:
        a: One clause.
        b: The other.
        values: Items that are the values compared.
        similarity: Optional closeness in meaning, 0 to 1.
        by_words: Nothing but words tells that the rules are at odds, so that a single character in common, which may
            stand in any compound, is too little.
        told: The compared values tell by themselves what the rules are about.
    """
    if a.language != b.language:
        return 1.0
    if a.language == "en":
        return 1.0 if _share_words(a, b, values) or _share_words(b, a, values) else _STRANGERS
    if _allots(a, values) != _allots(b, values):
        return _STRANGERS
    one, two = _own_topic(a, values), _own_topic(b, values)
    if by_words and (is_case_apart(a, b, one) or is_case_apart(b, a, two)):
        return _STRANGERS
    if told or not one or not two or _names(one, a, b, values, by_words) or _names(two, b, a, values, by_words):
        return 1.0
    return 1.0 if similarity is not None and similarity(one, two) >= _ALIKE else _STRANGERS


def is_case_apart(own: Statement, other: Statement, topic: str) -> bool:
    """Tell whether a ban is narrowed to a case of which another rule says nothing ("作废的编号", 廃止した番号)."""
    match = _NARROWED.search(topic)
    if match is None or not own.denied:
        return False
    heads = normalise(" ".join(other.rule.source.headings))
    return set(_TELLING_CHARACTER.findall(match[1] or match[2])).isdisjoint(f"{other.rule.text} {heads}")


def _share_words(own: Statement, other: Statement, values: frozenset[str]) -> bool:
    """Tell whether an English topic is left open, or another rule or its headings name something of it."""
    topic = own.topic_text
    words = {word.removesuffix("s") for word in _ENGLISH_WORD.findall(topic)} - _NO_THINGS
    if topic.endswith(own.text) or not words:
        return True
    said = f"{other.rule.text} {other.rule.subject} {normalise(' '.join(other.rule.source.headings))}"
    if any(word in said for word in words):
        return True
    known = {name for names in own.topic_words.values() for name in names} - values
    return not known.isdisjoint(other.content.keys() | other.around | other.scope.concepts)


def _allots(statement: Statement, values: frozenset[str]) -> bool:
    """Tell whether a clause says where a value belongs ("体言止めは表の中に限る"), not which value something has."""
    return _PLACED.search(statement.text) is not None and any(
        statement.topic_text.startswith(word) and not values.isdisjoint(names)
        for word, names in statement.topic_words.items()
    )


def _own_topic(statement: Statement, values: frozenset[str]) -> str:
    """Return what a clause is about: the subject of its row, else its topic; "" where nothing tells."""
    topic = statement.rule.subject or statement.topic_text
    if topic == statement.text and (place := _JA_PLACE.match(topic)):
        topic = place.group(1)
    for word, names in statement.topic_words.items():
        if not values.isdisjoint(names):
            # With the rest of the compound ("トレーラ" in "トレーラレコード").
            topic = re.sub(rf"{_IN_WORD}*{re.escape(word)}{_IN_WORD}*", " ", topic)
    told = topic != statement.text and not _NO_TOPIC.match(topic)
    return topic if told and len(_TELLING_CHARACTER.findall(topic)) > 1 else ""


def _names(topic: str, own: Statement, other: Statement, values: frozenset[str], by_words: bool) -> bool:
    """Tell whether another rule names something of a topic, or one of its headings does."""
    if by_words and own.language == "zh":
        # What stands before 的 only qualifies the topic ("更新频繁的字段").
        topic = topic.rpartition("的")[2] or topic
    characters = _TELLING_CHARACTER.findall(topic)
    heads = normalise(" ".join(other.rule.source.headings))
    said = f"{other.rule.text} {other.rule.subject}"
    for word, names in other.topic_words.items():
        if not values.isdisjoint(names):
            said = said.replace(word, " ")
    pairs = {topic[i : i + 2] for i in range(len(topic) - 1) if topic[i] in characters and topic[i + 1] in characters}
    if any(pair in said or pair in heads for pair in pairs):
        return True
    single = own.topic_words.keys() | other.topic_words.keys() if by_words else characters
    if any(character in said for character in characters if character not in _COMMON and character in single):
        return True
    # A single character inside a compound ("图" in "图标") is not what the compound is.
    words = {word for word in own.topic_words if word in topic and (len(word) > 1 or word == topic)}
    known = {name for word in words for name in own.topic_words[word]} - values
    return not known.isdisjoint(other.content.keys() | other.around | other.scope.concepts)


def other_rows(a: Statement, b: Statement) -> bool:
    """Tell whether both stand in table rows about different things: two columns may have different 桁数."""
    one, two = a.rule.subject, b.rule.subject
    if not one or not two or one in two or two in one:
        return False
    pairs_one, pairs_two = ({text[i : i + 2] for i in range(len(text) - 1)} for text in (one, two))
    shared = 2 * len(pairs_one & pairs_two) / max(1, len(pairs_one) + len(pairs_two))
    return shared < _SAME_ROW
