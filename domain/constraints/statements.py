"""What a chunk states: clauses with their surroundings, and the claims they make."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..conflicts import RuleText
from .claims import Claim
from .modality import Duty, Modality
from .scope import Scope
from .splitting import Rule
from .text import Language


@dataclass(frozen=True, slots=True)
class Statement:
    """One clause with everything that surrounds it.

    Attributes:
        rule: The rule the clause belongs to.
        text: Normal form of the clause.
        language: Language of the chunk.
        content: Weighted content of the clause.
        topic: Weighted content of its topic; of the whole clause when no topic is marked.
        around: Content of the rest of the sentence, row, headings, document.
        scope: Where it holds.
        modality: How binding it is.
        denied: The predicate is negative.
        numbers: It contains numbers.
        prescribes: It is worded as a rule, not as a description or caption.
        forbids: Its last predicate is worded as a prohibition or waiver.
        topic_text: The row's subject and the beginning of the clause that says what it is about.
        topic_words: The words of it that the lexicon knows, with their concepts.
        duty: Whether it says that something has to be there.
        inherited: Items of the content that only earlier clauses name.
    """

    rule: Rule
    text: str
    language: Language
    content: Mapping[str, float]
    topic: Mapping[str, float]
    around: frozenset[str]
    scope: Scope
    modality: Modality
    denied: bool
    numbers: bool
    duty: Duty
    prescribes: bool
    forbids: bool
    topic_text: str = ""
    topic_words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    inherited: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Constraint:
    """One claim about one property.

    Attributes:
        statement: The clause that makes it, with its target and scope.
        claim: Attribute, operator and value.
    """

    statement: Statement
    claim: Claim


@dataclass(frozen=True, slots=True)
class ChunkConstraints:
    """What a chunk states.

    Attributes:
        source: The chunk.
        statements: Its clauses.
        constraints: The claims of its clauses.
        yields: It states which of two texts prevails.
        void: It declares a text void.
    """

    source: RuleText
    statements: tuple[Statement, ...]
    constraints: tuple[Constraint, ...]
    yields: bool
    void: bool
