"""How far two clauses speak of the same thing (spec: conflicts, step 3)."""

from collections.abc import Callable
from dataclasses import dataclass

from .content import alignment
from .statements import Statement
from .targets import are_contrasted
from .text import normalise

Similarity = Callable[[str, str], float]

# Share of character bigrams (Dice) from which the subjects of two rows may be the same thing, differently written.
_SAME_ROW = 0.5
# Weight of a case that both clauses name.
_SAME_CASE = 0.4
# Factor on the confidence where topics name different kinds of one thing.
_OTHER_KIND = 0.5


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


def kinship_of_topics(a: Statement, b: Statement) -> float:
    """Return 1, or less when two clauses speak of different kinds of one thing."""
    if a.language != b.language:
        return 1.0

    def synonyms(word: str, other: str) -> bool:
        return not set(a.topic_words.get(word, ())).isdisjoint(b.topic_words.get(other, ()))

    one, two = (f"{s.text} {s.rule.subject} {normalise(' '.join(s.rule.source.headings))}" for s in (a, b))
    return _OTHER_KIND if are_contrasted(a.topic_text, b.topic_text, one, two, a.language, synonyms) else 1.0


def other_rows(a: Statement, b: Statement) -> bool:
    """Tell whether both stand in table rows about different things: two columns may have different 桁数."""
    one, two = a.rule.subject, b.rule.subject
    if not one or not two or one in two or two in one:
        return False
    pairs_one, pairs_two = ({text[i : i + 2] for i in range(len(text) - 1)} for text in (one, two))
    shared = 2 * len(pairs_one & pairs_two) / max(1, len(pairs_one) + len(pairs_two))
    return shared < _SAME_ROW
