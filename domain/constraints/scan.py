"""Contradictions in a whole handbook: every chunk against every other, by way of an index.

Comparing every constraint with every other would take hours. Two constraints can only clash when they are about one
property and name at least one thing in common, so each chunk is read once, and its constraints meet only those of
earlier chunks that an index finds under their property and words. Words that stand nearly everywhere tell nothing
about what a rule is about and do not bring rules together by themselves.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ..conflicts import ConflictGroup, RuleText
from .absence import AbsenceClaim
from .agreement import Similarity, agreement
from .claims import Claim
from .comparison import block_of, ignored_items
from .detect import DEFAULT_MIN_CONFIDENCE, are_in_force, clashes_of, exemption_clashes, polar_clashes
from .extraction import extract
from .grouping import Clash, Wording, group
from .inclusion import InclusionClaim
from .lexicon import Lexicon
from .measures import QuantityClaim
from .presence import PresenceClaim
from .slots import SlotClaim
from .statements import ChunkConstraints, Constraint, Statement
from .text import Language, normalise

# Words of so many clauses that they bring no rules together.
_EVERYWHERE = 250
# Least weight of shared content from which two clauses are compared as demand and ban.
_SHARED = 1.0
_KIND_HEAD = 2
# Agreement of two clauses and weight of what they share, from which they are plainly about one thing.
_DEGREE, _CLOSE = 0.45, 1.2
_CLOSE_ALONE = 1.0
# The same for claims that no lexicon backs, which rest on the words of the clauses.
_DEGREE_BY_WORDS, _CLOSE_BY_WORDS = 0.85, 2.0
_NEARLY_SAME, _SURE = 0.9, 0.7
# Numbers whose unit says little: beside them both rules must name what is counted.
_PLAIN_COUNTS = frozenset({"bare", "char", "item", "times"})
_TOLD_BY_WORDS = frozenset({"presence", "polarity", "name", "term"})
# How a Japanese rule ends.
_PLAIN_RULE = re.compile(
    r"(?:とする|とします|こと|ならない|なりません|ください|下さい|禁止|不可|必須|のみ|以内|以上|以下|まで|不要|ない|ません|ず|よい|得る"
    r"|を(?:記載|記入|入力|表示|設定|出力|使用|明記|付与|保存|指定|利用)|に準拠"
    r"|(?:[うくすつぬふむるぐぶ]|します|きます|ります|います|べき|ないで))(?:とする)?(?:もの)?[。.]?(?:\([^()]*\))?$"
)
_SUBJECT_WORD = re.compile(r"[\u3400-\u9fff々]{2,}|[\u30a1-\u30fa\u30fc]{3,}|[a-z][a-z0-9_]{2,}")

_ONE_HAN = re.compile(r"[\u3400-\u9fff]")

_Key = tuple[str, str]
_Place = tuple[int, int]


@dataclass(slots=True)
class _Index:
    """Constraints and clauses read so far: position of the chunk and position in it, by what they are about."""

    constraints: dict[_Key, list[_Place]] = field(default_factory=lambda: defaultdict(list))
    clauses: dict[tuple[bool, str], list[_Place]] = field(default_factory=lambda: defaultdict(list))

    def add(self, position: int, chunk: ChunkConstraints) -> None:
        for number, constraint in enumerate(chunk.constraints):
            for key in _own_keys(constraint):
                self.constraints[key].append((position, number))
        for number, statement in enumerate(chunk.statements):
            if statement.prescribes:
                for word in statement.content:
                    self.clauses[_is_negative(statement), word].append((position, number))

    def rivals(self, constraint: Constraint) -> set[_Place]:
        """Return earlier constraints that may contradict one."""
        return {
            place
            for key in _sought_keys(constraint)
            for places in (self.constraints.get(key, ()),)
            if len(places) <= _EVERYWHERE
            for place in places
        }

    def opponents(self, statement: Statement) -> set[_Place]:
        """Return earlier clauses of the other polarity that share enough with one."""
        shared: dict[_Place, float] = defaultdict(float)
        for word, weight in statement.content.items():
            places = self.clauses.get((not _is_negative(statement), word), ())
            if len(places) <= _EVERYWHERE:
                for place in places:
                    shared[place] += weight
        return {place for place, weight in shared.items() if weight >= _SHARED}


def scan_conflicts(
    texts: Sequence[RuleText],
    lexicon: Lexicon,
    *,
    min_confidence: float = DEFAULT_MIN_CONFIDENCE,
    similarity: Similarity | None = None,
    language: Language | Literal["auto"] | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> tuple[ConflictGroup, ...]:
    """Return the groups of rules of a whole handbook that cannot all be obeyed, the surest first.

    Rules of one document are compared as well, and have to contradict each other more plainly than rules of two.

    Args:
        texts: All chunks, of all documents.
        lexicon: Words, value sets and units.
        min_confidence: Clashes below this confidence, 0 to 1, are dropped.
        similarity: Optional meaning-based similarity of two clauses, 0 to 1.
        language: In which values and explanations are told, `auto` for that of the rules; None for identifiers of the
            lexicon.
        on_progress: Called with the number of chunks done and of all chunks, after each chunk.
    """
    chunks: list[ChunkConstraints] = []
    index = _Index()
    clashes: list[Clash] = []
    for position, text in enumerate(texts):
        chunk = extract(text, lexicon)
        clashes.extend(_clashes(position, chunk, chunks, index, lexicon, min_confidence, similarity))
        chunks.append(chunk)
        index.add(position, chunk)
        if on_progress is not None:
            on_progress(position + 1, len(texts))
    return group(clashes, by_rule=True, wording=Wording(lexicon, language) if language else None)


def _clashes(  # noqa: PLR0917  # a chunk, what came before it, and how to compare them
    position: int,
    chunk: ChunkConstraints,
    before: Sequence[ChunkConstraints],
    index: _Index,
    lexicon: Lexicon,
    minimum: float,
    similarity: Similarity | None,
) -> Iterator[Clash]:
    claims: dict[int, list[tuple[Constraint, Constraint]]] = defaultdict(list)
    for constraint in chunk.constraints:
        for other, number in sorted(index.rivals(constraint)):
            claims[other].append((before[other].constraints[number], constraint))
    words: dict[int, list[tuple[Statement, Statement]]] = defaultdict(list)
    for statement in chunk.statements:
        if statement.prescribes:
            for other, number in sorted(index.opponents(statement)):
                words[other].append((before[other].statements[number], statement))
    for other in sorted(claims.keys() | words.keys()):
        rival = before[other]
        exemption = exemption_clashes(other, rival, position, chunk, minimum)
        if exemption or not are_in_force(rival, chunk):
            yield from exemption
            continue
        found = clashes_of(other, rival, position, chunk, claims[other], lexicon, minimum, similarity)
        found = found or polar_clashes(other, rival, position, chunk, words[other], lexicon, minimum, similarity)
        yield from (one for one in found if _is_close(one, lexicon))


def _is_close(clash: Clash, lexicon: Lexicon) -> bool:
    """Tell whether two rules of a whole handbook are plainly about one thing.

    Among thousands of rules many share a word by chance, so more is asked of them than of the rules of one answer.
    """
    a, b = clash.a.statement, clash.b.statement
    alone = lexicon.stands_alone(clash.attribute)
    values = _values(clash, lexicon) if alone else frozenset()
    found = agreement(a, b, values)
    told = clash.attribute in _TOLD_BY_WORDS or clash.attribute.startswith("choice-")
    if clash.attribute in ("presence", "polarity") and found.degree < _NEARLY_SAME:
        return False
    if told and clash.confidence < _SURE:
        return False
    degree, shared = (_DEGREE_BY_WORDS, _CLOSE_BY_WORDS) if told else (_DEGREE, _CLOSE)
    if alone:
        # The value set tells by itself what both rules are about.
        shared = _CLOSE_ALONE
    return (
        found.degree >= degree
        and found.shared >= shared
        and _is_stated(a, told)
        and _is_stated(b, told)
        and _names_subject(a, b)
        and _names_subject(b, a)
        and (not _are_plain_counts(clash) or _share_subject(a, b))
    )


def _values(clash: Clash, lexicon: Lexicon) -> frozenset[str]:
    one, two = clash.a.claim, clash.b.claim
    return ignored_items(one, two, lexicon) if one is not None and two is not None else frozenset()


def _are_plain_counts(clash: Clash) -> bool:
    claims = (clash.a.claim, clash.b.claim)
    return any(claim is not None and claim.attribute in _PLAIN_COUNTS for claim in claims)


def _share_subject(a: Statement, b: Statement) -> bool:
    """Tell whether two clauses about numbers name one thing: a word of either subject stands in the other's rule.

    Clauses of two languages share no words; what both name is then told by the lexicon alone.
    """
    if a.language != b.language:
        return True
    return _subject_in(a, b) and _subject_in(b, a)


def _subject_in(own: Statement, other: Statement) -> bool:
    heads = own.rule.source.headings[-1:] if not own.rule.subject else ()
    subject = normalise(" ".join((own.rule.subject or own.topic_text, *heads)))
    around = normalise(" ".join((other.rule.text, other.rule.subject, *other.rule.source.headings)))
    words = _SUBJECT_WORD.findall(subject)
    known = {name for word, names in own.topic_words.items() if word in subject for name in names}
    return any(word in around for word in words) or not known.isdisjoint(other.content.keys() | other.around)


def _is_stated(statement: Statement, told: bool) -> bool:
    """Tell whether a clause is worded as a rule; a claim read from words alone needs plain wording."""
    if statement.language != "ja":
        return True
    plain = _PLAIN_RULE.search(statement.rule.text) is not None
    return plain if told else plain or bool(statement.rule.label)


def _names_subject(row: Statement, other: Statement) -> bool:
    """Tell whether the other rule or its headings name what a table row is about."""
    subject = row.rule.subject
    if not subject:
        return True
    around = normalise(" ".join((other.rule.text, other.rule.subject, *other.rule.source.headings)))
    words = [word for word in _SUBJECT_WORD.findall(subject) if not word.isdigit()]
    # A subject of one character ("国") tells as well.
    return any(word in around for word in words or ([subject] if _ONE_HAN.fullmatch(subject) else []))


def _own_keys(constraint: Constraint) -> set[_Key]:
    """Return the keys under which a constraint is found."""
    claim = constraint.claim
    if isinstance(claim, InclusionClaim):
        return {*(("in", item) for item in claim.included), *(("out", item) for item in claim.excluded)}
    if isinstance(claim, PresenceClaim):
        return {*(("demand", item) for item in claim.demanded), *(("ban", item) for item in claim.banned)}
    if isinstance(claim, AbsenceClaim):
        return {("absence", name) for name in claim.properties}
    return _keys(claim, constraint) | _numbers(claim, "number")


def _sought_keys(constraint: Constraint) -> set[_Key]:
    """Return the keys of constraints that may contradict one."""
    claim = constraint.claim
    if isinstance(claim, InclusionClaim):
        return {*(("out", item) for item in claim.included), *(("in", item) for item in claim.excluded)}
    if isinstance(claim, PresenceClaim):
        return {*(("ban", item) for item in claim.demanded), *(("demand", item) for item in claim.banned)}
    if isinstance(claim, AbsenceClaim):
        return {("number", name) for name in claim.properties}
    return _keys(claim, constraint) | _numbers(claim, "absence")


def _numbers(claim: Claim, block: str) -> set[_Key]:
    """Return the keys by which a number and a rule that there is none find each other."""
    if not isinstance(claim, QuantityClaim):
        return set()
    return {(block, name) for name in claim.properties or claim.around}


def _keys(claim: Claim, constraint: Constraint) -> set[_Key]:
    if isinstance(claim, SlotClaim) and claim.attribute == "choice-kind":
        return {(claim.attribute, value[-_KIND_HEAD:]) for value in (*claim.allowed, *claim.denied)}
    block = block_of(claim)
    return {(block, item) for item in constraint.statement.content}


def _is_negative(statement: Statement) -> bool:
    return statement.denied or statement.duty == "optional"
