"""From rules to constraints: what is claimed about which property of which thing (spec: conflicts, steps 2 and 3)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from ..conflicts import RuleText
from .claims import Claim, claims_of
from .content import concepts_of, content_of
from .lexicon import Lexicon
from .modality import Duty, Modality, duty_of, is_denied, is_prescription, is_prohibition, modality_of
from .scope import Scope, find_places, is_void, states_no_rule, states_precedence
from .splitting import Rule, split_rules
from .text import Hit, Language, language_of, normalise, scan
from .values import find_date_patterns, find_quantities, find_quoted

_NEW_TOPIC = re.compile(r"^.{1,24}?(?:は(?!じめ)|については|には|では)")
_PREDICATE_END = re.compile(r"[しいりきてずせべえくるう]$|する$|とし$")
_TOPIC = re.compile(r"^(.{1,40}?)(?:は(?!じめ|ん)|について|には|では(?!な))")
# Weight of what a clause takes over from the clause before it.
_INHERITED = 0.6
_MAIN_CLAUSE = re.compile(r"^(.{12,}?)\b(?:when|if|because|unless|since|so that|which|that)\b")
_INSIDE = re.compile(r"(?:の?中|内|部分)?(?:の|的|里的|中的|内的)")
_INSIDE_ENGLISH = re.compile(r" (?:in|inside|within|of) (?:a |the |any )?")
_REASON = re.compile(r"(?:ので|ため|ことから)[、,]$|^(?:由于|因为|为避免|为了).*，$")
_EMPTY_TOPIC = re.compile(r"^(?:それ|これ|その|この)|(?:もの|こと|場合|とき)$")
_EXCEPTION_LEAD = re.compile(r"^(?:ただし|但し|但是|但|例外として|except|however)")
_SUBJECT_OF_EXCEPTION = re.compile(r"([^はがをに、。(]{1,14})(?:を除|は除|は別|以外(?:は|の)|については別|除外)")


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
        duty: Whether it says that something has to be there.
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


def extract(source: RuleText, lexicon: Lexicon) -> ChunkConstraints:
    """Return the constraints that a chunk states."""
    rules = split_rules(source)
    scanned = [(rule, scan(rule.text, lexicon.index(rule.language))) for rule in rules]
    frame = _Frame.of(source, scanned, lexicon)
    statements: list[Statement] = []
    constraints: list[Constraint] = []
    before: Statement | None = None
    for rule, hits in scanned:
        if states_no_rule(rule.text, hits):
            continue
        for position, (statement, own_hits) in enumerate(_statements(rule, frame, before, lexicon)):
            first = position == 0
            before = statement
            statements.append(statement)
            constraints.extend(
                Constraint(statement, claim)
                for claim in claims_of(
                    statement.text,
                    rule.text,
                    rule.quote,
                    own_hits,
                    statement.language,
                    statement.scope.concepts | statement.around | statement.content.keys(),
                    rule.label,
                    first,
                    lexicon,
                )
            )
    heads = normalise(" ".join((*source.headings, source.document)))
    head_hits = scan(heads, lexicon.index(language_of(heads)))
    return ChunkConstraints(
        source,
        tuple(statements),
        tuple(constraints),
        yields=any(states_precedence(rule.text, hits) for rule, hits in scanned),
        void=any(is_void(rule.text, hits) for rule, hits in scanned) or is_void(heads, head_hits),
    )


@dataclass(frozen=True, slots=True)
class _Frame:
    """Surroundings that all clauses of a chunk share."""

    headings: frozenset[str]
    heading_concepts: frozenset[str]
    document: frozenset[str]
    document_concepts: frozenset[str]
    exceptions: frozenset[str]
    open_exception: bool
    universal: bool
    places: frozenset[str]

    @classmethod
    def of(cls, source: RuleText, scanned: list[tuple[Rule, tuple[Hit, ...]]], lexicon: Lexicon) -> "_Frame":
        language = scanned[0][0].language if scanned else language_of(source.document)
        headings, heading_concepts = _read(" / ".join(source.headings), language, lexicon)
        document, document_concepts = _read(
            re.sub(r"\.\w{2,5}$", "", source.document).replace("_", " "), language, lexicon
        )
        exceptions: set[str] = set()
        for rule, hits in scanned:
            exceptions |= _exceptions(rule, hits, lexicon)
        return cls(
            frozenset(headings),
            heading_concepts,
            frozenset(document),
            document_concepts,
            frozenset(exceptions),
            open_exception=any(hit.is_marker("elsewhere", "principle") for _, hits in scanned for hit in hits),
            universal=any(hit.is_marker("universal") for _, hits in scanned for hit in hits),
            places=find_places(normalise(" / ".join((*source.headings, source.document)).replace("_", " "))),
        )


def _read(text: str, language: Language, lexicon: Lexicon) -> tuple[dict[str, float], frozenset[str]]:
    normal = normalise(text)
    hits = scan(normal, lexicon.index(language))
    return content_of(normal, hits, (), lexicon, language), concepts_of(hits, lexicon)


def _exceptions(rule: Rule, hits: tuple[Hit, ...], lexicon: Lexicon) -> set[str]:
    markers = [hit for hit in hits if hit.is_marker("except")]
    if not markers:
        return set()
    if _EXCEPTION_LEAD.match(rule.text):
        text = rule.text
    else:
        subject = _SUBJECT_OF_EXCEPTION.search(rule.text)
        if subject:
            text = subject.group(1)
        elif rule.language == "ja":
            text = rule.text[markers[0].start :] if rule.text[markers[0].start :].startswith(("ただし", "但し")) else ""
        elif rule.language == "zh":
            text = (
                re.split(r"[，。；（(]", rule.text[: markers[0].start])[-1]
                if "除外" in rule.text
                else rule.text[markers[0].start :].split("，")[0]
            )
        else:
            text = re.split(r"[;,.]", rule.text[markers[0].end :])[0]
    inner = scan(text, lexicon.index(rule.language))
    return {item for item, weight in content_of(text, inner, (), lexicon, rule.language).items() if weight > 0.2}  # noqa: PLR2004  # not the broader concepts


def _statements(
    rule: Rule, frame: _Frame, before: Statement | None, lexicon: Lexicon
) -> Iterator[tuple[Statement, tuple[Hit, ...]]]:
    index = lexicon.index(rule.language)
    subject, subject_concepts = _read(rule.subject, rule.language, lexicon) if rule.subject else ({}, frozenset[str]())
    lead: dict[str, float] = {}
    lead_topic: dict[str, float] = {}
    if before is not None and not rule.subject and _continues(rule, before):
        lead_topic = {
            item: _INHERITED * weight
            for item, weight in (before.content if rule.language == "ja" else before.topic).items()
        }
        # A sentence without a topic of its own goes on about the one before.
        lead = {item: _INHERITED * weight for item, weight in before.content.items()}
        frame = replace(
            frame,
            heading_concepts=frame.heading_concepts | frozenset(item for item in lead if not item.startswith("u:")),
        )
    whole = scan(rule.text, index)
    sentence_modality = modality_of(whole)
    for position, text in enumerate(split_clauses(rule.text, rule.language)):
        hits = scan(text, index)
        quantities = find_quantities(text, lexicon)
        masked = [(item.start, item.end) for item in (*quantities, *find_quoted(text), *find_date_patterns(text))]
        content = content_of(text, hits, masked, lexicon, rule.language)
        marked = (
            _TOPIC.match(text) if rule.language == "ja" else _MAIN_CLAUSE.match(text) if rule.language == "en" else None
        )
        topic = content
        if marked:
            end = marked.end(1)
            topic = (
                content_of(
                    text[:end],
                    tuple(hit for hit in hits if hit.end <= end),
                    [span for span in masked if span[1] <= end],
                    lexicon,
                    rule.language,
                )
                or content
            )
        scope = Scope(
            concepts=concepts_of(hits, lexicon) | subject_concepts,
            context=frame.heading_concepts,
            document=frame.document_concepts,
            exceptions=frame.exceptions,
            open_exception=frame.open_exception,
            universal=frame.universal,
            nested=_nested(text, hits, lexicon),
            places=find_places(text),
            places_around=frame.places,
            exceptional=_EXCEPTION_LEAD.match(rule.text) is not None,
        )
        modality = modality_of(hits)
        content = {**lead, **subject, **content}
        topic = lead_topic if lead_topic and not marked and position else {**lead_topic, **subject, **topic}
        statement = Statement(
            rule,
            text,
            rule.language,
            content,
            topic,
            frame.headings | frame.document | subject.keys(),
            scope,
            sentence_modality if modality == "must" and sentence_modality == "should" else modality,
            is_denied(text, hits, rule.language),
            bool(quantities),
            duty_of(text, hits),
            is_prescription(text, rule.language, bool(rule.label)),
            is_prohibition(text, rule.language),
        )
        yield statement, hits
        if position == 0:
            lead = lead | {item: _INHERITED * weight for item, weight in topic.items()}
            lead_topic = dict(topic)
            frame = replace(
                frame,
                heading_concepts=frame.heading_concepts
                | (concepts_of(hits, lexicon) if not marked else frozenset(k for k in topic if not k.startswith("u:"))),
            )


def _continues(rule: Rule, before: Statement) -> bool:
    same_line = any(before.rule.quote in line and rule.quote in line for line in rule.source.text.splitlines())
    topic = _TOPIC.match(rule.text) if rule.language == "ja" else None
    return same_line and (topic is None or _EMPTY_TOPIC.search(topic.group(1)) is not None)


def _nested(text: str, hits: tuple[Hit, ...], lexicon: Lexicon) -> frozenset[tuple[str, str]]:
    """Return pairs of targets of which one is part of the other ("headings in figures", 図の中の見出し)."""
    found: set[tuple[str, str]] = set()
    targets = [
        hit for hit in hits if "part" in {family for item in hit.ids for family in lexicon.families_of.get(item, ())}
    ]
    for first, second in pairwise(targets):
        gap = text[first.end : second.start]
        if _INSIDE.fullmatch(gap):
            found.update((one, two) for one in first.ids for two in second.ids)
        elif _INSIDE_ENGLISH.fullmatch(gap):
            found.update((two, one) for one in first.ids for two in second.ids)
    return frozenset(found)


def split_clauses(text: str, language: Language) -> tuple[str, ...]:
    """Return the clauses of a normalised sentence.

    A comma parts clauses where a new topic follows or a predicate ends; enumerations stay together.
    """
    separator = (
        r"(?<=[;；])|(?<=[。])(?![」』\"])"
        + {"ja": r"|(?<=、)|(?<=,)(?!\d)", "zh": r"|(?<=，)|(?<=,)(?!\d)", "en": r"|, (?=and |but |while |whereas )"}[
            language
        ]
    )
    pieces = [piece for piece in re.split(separator, text) if piece and piece.strip()]
    if len(pieces) > 1 and not any("(" in piece for piece in pieces):
        pieces = [piece for piece in pieces if not _REASON.search(piece)] or pieces
    clauses: list[str] = []
    for piece in pieces:
        if clauses and not _parts(clauses[-1], piece, language):
            clauses[-1] += piece
        else:
            clauses.append(piece)
    return tuple(clause.strip(" 、，;；。.") for clause in clauses if clause.strip(" 、，;；。."))


def _parts(left: str, right: str, language: Language) -> bool:
    if left.count("(") > left.count(")"):
        return False
    if language == "ja" and left.rstrip("、,").endswith(("は", "も")):
        return False
    if language == "en" or left.endswith((";", "；", "。")):
        return True
    if language == "zh":
        return len(right) > 3  # noqa: PLR2004  # a shorter piece is a member of an enumeration
    return _NEW_TOPIC.match(right) is not None or (
        _PREDICATE_END.search(left.rstrip("、,")) is not None and len(right) > 4
    )  # as above
