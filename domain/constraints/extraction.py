"""From rules to constraints: what is claimed about which property of which thing (spec: conflicts, steps 2 and 3)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise

from ..conflicts import RuleText
from .claims import claims_of
from .clauses import reason_of, split_clauses
from .content import WEIGHT_ATTRIBUTE, concepts_of, content_of
from .facets import find_facets
from .lexicon import Lexicon
from .measures import tells_line_length
from .modality import duty_of, is_denied, is_prescription, is_prohibition, makes_no_difference, modality_of
from .procedures import orders_of
from .scope import (
    EXCEPTION_LEAD,
    Scope,
    find_places,
    is_option,
    is_turned_down,
    is_void,
    is_withdrawn_row,
    states_no_rule,
    states_precedence,
    weighs_options,
)
from .splitting import Rule, split_rules
from .statements import ChunkConstraints, Constraint, Statement
from .surroundings import Surroundings, names_grade, read_text
from .switches import is_temporary
from .targets import topic_text
from .text import Hit, Language, language_of, normalise, scan
from .values import find_quantities
from .wording import find_date_patterns, find_quoted

_TOPIC = re.compile(r"^(.{1,40}?)(?:は(?!じめ|ん)|について|には|では(?!な))")
# Weight of what a clause takes over from the clause before it.
_INHERITED = 0.6
_MAIN_CLAUSE = re.compile(r"^(.{12,}?)\b(?:when|if|because|unless|since|so that|which|that)\b")
# "目安ではなく規則として": what is said to be no advice.
_NO_ADVICE = re.compile(
    r"(?:目安|推奨|努力目標|参考)では(?:なく|ない)|不是(?:建议|参考)|\bnot (?:a |mere )?(?:guideline|recommendation|advice)"  # noqa: E501  # a pattern stays in one line
)
_LAST_ASIDE = re.compile(r"(?<=.{8})\([^()]*\)[。.]?$")
# Concepts whose words are units as well.
_UNIT_WORDS = frozenset({"minutes", "kanji-script", "chinese"})
# "結合テスト以降": a case with all that follow it.
_FROM_ON = ("以降", "以後", "及以后", "以后各", " and later", " onwards")
_INSIDE = re.compile(r"(?:の?中|内|部分)?(?:の|的|里的|中的|内的)")
_INSIDE_ENGLISH = re.compile(r" (?:in|inside|within|of) (?:a |the |any )?")
# Labels of cells about all that the row does not name.
_REST = re.compile(r"^(?:他|その他|ほか|其他|其它|other)")
_CASE_ENDS = ("的", "者", "时", "ものは", "場合は", "ときは")
_EMPTY_TOPIC = re.compile(r"^(?:それ|これ|その|この)|(?:もの|こと|場合|とき)$")
_NOTHING: tuple[dict[str, float], frozenset[str]] = ({}, frozenset())


def extract(source: RuleText, lexicon: Lexicon) -> ChunkConstraints:
    """Return the constraints that a chunk states."""
    rules = split_rules(source)
    scanned = [(rule, scan(rule.text, lexicon.index(rule.language))) for rule in rules]
    around = Surroundings.of(source, scanned, lexicon)
    statements: list[Statement] = []
    constraints: list[Constraint] = []
    before: Statement | None = None
    options = _lines_of_options(source)
    lines: dict[int, frozenset[str]] = {}
    for rule, hits in scanned:
        lines[rule.line] = lines.get(rule.line, frozenset()) | concepts_of(hits, lexicon)
    withdrawn = {rule.line for rule, hits in scanned if rule.label and is_withdrawn_row(rule.text, hits)}
    for rule, hits in scanned:
        if (
            rule.line in withdrawn
            or states_no_rule(rule.text, hits)
            or any(is_option(rule.text) and rule.quote in line for line in options)
        ):
            continue
        for position, (statement, own_hits) in enumerate(_statements(rule, around, before, lexicon)):
            before = statement
            statements.append(statement)
            named = statement.scope.concepts | statement.around | statement.content.keys()
            claims = claims_of(
                statement.text, rule, own_hits, named, lexicon, first=position == 0, beside=lines[rule.line]
            )
            constraints.extend(Constraint(statement, claim) for claim in claims)
    if rules and before is not None:
        told = {statement.rule.line: statement for statement in reversed(statements)}
        constraints.extend(
            Constraint(told[line], claim)
            for line, claim in orders_of(source, rules[0].language, lexicon)
            if line in told
        )
    heads = normalise(" ".join((*source.headings, source.document)))
    head_hits = scan(heads, lexicon.index(language_of(heads)))
    return ChunkConstraints(
        source,
        tuple(statements),
        tuple(constraints),
        yields=any(states_precedence(rule.text, hits) for rule, hits in scanned),
        void=any(is_void(rule.text, hits) for rule, hits in scanned)
        or is_void(heads, head_hits)
        or is_turned_down(heads),
    )


def _lines_of_options(source: RuleText) -> tuple[str, ...]:
    """Return the lines that weigh options and turn some down; they tell why a rule is what it is."""
    return tuple(line for line in source.text.splitlines() if weighs_options(normalise(line)))


def _statements(
    rule: Rule, around: Surroundings, before: Statement | None, lexicon: Lexicon
) -> Iterator[tuple[Statement, tuple[Hit, ...]]]:
    index = lexicon.index(rule.language)
    subject, subject_concepts = _NOTHING if not rule.subject else read_text(rule.subject, rule.language, lexicon)
    lead: dict[str, float] = {}
    lead_topic: dict[str, float] = {}
    if before is not None and not rule.subject and _continues(rule, before):
        # A sentence without a topic of its own goes on about the one before.
        lead = _inherited(before.content)
        lead_topic = lead if rule.language == "ja" else _inherited(before.topic)
        around = around.joined(frozenset(item for item in lead if not item.startswith("u:")))
    reason = reason_of(rule.text, rule.language)
    if reason:
        given, _ = read_text(reason, rule.language, lexicon)
        lead = {**{item: weight for item, weight in _inherited(given).items() if item not in lexicon.enum_of}, **lead}
    case = False
    opened = ""
    # Where a rule holds may be said at its end ("三级不超过5个，方可结束系统测试").
    whole = concepts_of(scan(rule.text, index), lexicon)
    around = around.joined(
        frozenset(n for n in whole if any(lexicon.families[f].role == "scope" for f in lexicon.families_of.get(n, ())))
    )
    principled = any(hit.is_marker("principle") and not names_grade(rule.text, hit) for hit in scan(rule.text, index))
    if principled:
        around = replace(around, open_exception=True)
    advised = modality_of(scan(rule.text, index)) == "should" and _NO_ADVICE.search(rule.text) is None
    for position, text in enumerate(split_clauses(rule.text, rule.language)):
        hits = _without_units(text, scan(text, index), lexicon)
        own, marked = _content_and_topic(text, hits, lexicon, rule.language)
        duty = duty_of(text, hits)
        left_out = _LEFT_OUT_OBJECT.search(text) if duty == "optional" and rule.language == "ja" else None
        if left_out:
            marked, _ = read_text(left_out.group(1).rpartition("から")[2], rule.language, lexicon)
        topic = (
            lead_topic if lead_topic and marked is None and position else {**lead_topic, **subject, **(marked or own)}
        )
        named = topic_text(text, rule.language)
        if position == 0:
            opened = "" if named == text else named
        elif named == text and opened:
            # A clause without a topic of its own goes on about the sentence's.
            named = opened
        about = f"{rule.subject} {named}".strip()
        aside = _LAST_ASIDE.search(text)
        # An aside behind the rule adds to it; it does not say for whom the rule holds.
        concepts = concepts_of(
            (
                hit
                for hit in hits
                if (aside is None or hit.end <= aside.start()) and not text.startswith(_FROM_ON, hit.end)
            ),
            lexicon,
        )
        purpose = _PURPOSE.search(text) if rule.language == "en" else None
        modality = modality_of(tuple(hit for hit in hits if hit.end <= purpose.start()) if purpose else hits)
        yield (
            Statement(
                rule=rule,
                text=text,
                language=rule.language,
                content={**lead, **subject, **own},
                inherited=frozenset(lead.keys() - subject.keys() - own.keys()),
                topic=topic,
                around=around.headings | around.document | subject.keys(),
                scope=_scope(
                    text,
                    hits,
                    concepts | subject_concepts,
                    around,
                    lexicon,
                    words=frozenset(item for item in own if item.startswith("u:")),
                    exceptional=EXCEPTION_LEAD.match(rule.text) is not None,
                    subject=rule.subject,
                    language=rule.language,
                ),
                modality="should" if modality == "must" and advised else modality,
                denied=is_denied(text, hits, rule.language),
                numbers=bool(find_quantities(text, lexicon)),
                duty=duty,
                prescribes=is_prescription(text, rule.language, bool(rule.label))
                and not _REST.match(rule.label)
                and not (case and any(hit.is_marker("reject") for hit in hits)),
                forbids=is_prohibition(text, rule.language)
                and not (is_denied(text, hits, rule.language) and is_temporary(text, rule.text, rule.language)),
                topic_text=about,
                topic_words=_whole_words(about, lexicon, rule.language),
            ),
            hits,
        )
        # What is refused where something is missing has to be there.
        case = is_denied(text, hits, rule.language) and text.endswith(_CASE_ENDS)
        if rule.language == "zh" and position:
            # Chinese clauses drop the subject: what was named before goes on.
            lead = {**_inherited(own), **lead}
        if position == 0 and not makes_no_difference(text, rule.language):
            lead = lead | _inherited(topic)
            lead_topic = dict(topic)
            around = around.joined(
                concepts if marked is None else frozenset(item for item in topic if not item.startswith("u:"))
            )


# What follows says what a rule is good for, not how binding it is.
_PURPOSE = re.compile(r"(?<=.{12})\b(?:so that|so as to|in order (?:to|that)|since|because)\b")
_LEFT_OUT_OBJECT = re.compile(r"([^、。はをがに]{2,30})(?:を|は|も)[^をは、]{0,16}$")


def _whole_words(topic: str, lexicon: Lexicon, language: Language) -> Mapping[str, tuple[str, ...]]:
    """Return the words of a topic that the lexicon knows, with their concepts: synonyms are no other kinds."""
    return {
        topic[hit.start : hit.end]: hit.ids
        for hit in scan(topic, lexicon.index(language))
        if hit.ids[0] not in ("stop", "plain")
    }


def _inherited(content: Mapping[str, float]) -> dict[str, float]:
    return {item: _INHERITED * weight for item, weight in content.items()}


def _content_and_topic(
    text: str, hits: tuple[Hit, ...], lexicon: Lexicon, language: Language
) -> tuple[dict[str, float], dict[str, float] | None]:
    """Return the content of a clause, and of its topic where one is marked."""
    masked = [(quantity.start, quantity.end) for quantity in find_quantities(text, lexicon)]
    masked += [(quoted.start, quoted.end) for quoted in (*find_quoted(text), *find_date_patterns(text))]
    content = content_of(text, hits, masked, lexicon, language)
    if tells_line_length(text):
        content.setdefault("line-length", WEIGHT_ATTRIBUTE)
    pattern = {"ja": _TOPIC, "en": _MAIN_CLAUSE}.get(language)
    match = pattern.match(text) if pattern is not None else None
    if match is None:
        return content, None
    end = match.end(1)
    inside = tuple(hit for hit in hits if hit.end <= end)
    return content, content_of(
        text[:end], inside, [span for span in masked if span[1] <= end], lexicon, language
    ) or content


def _without_units(text: str, hits: tuple[Hit, ...], lexicon: Lexicon) -> tuple[Hit, ...]:
    """Drop words that only are the unit of a number ("15 minutes" names no minutes of a meeting, 15个汉字 no script)."""  # noqa: E501  # a pattern stays in one line
    numbers = find_quantities(text, lexicon)
    return tuple(
        hit
        for hit in hits
        if _UNIT_WORDS.isdisjoint(hit.ids) or not any(n.start < hit.start and hit.end == n.end for n in numbers)
    )


def _scope(
    text: str,
    hits: tuple[Hit, ...],
    concepts: frozenset[str],
    around: Surroundings,
    lexicon: Lexicon,
    *,
    words: frozenset[str],
    exceptional: bool,
    subject: str,
    language: Language,
) -> Scope:
    return Scope(
        concepts=concepts,
        words=words,
        context=around.heading_concepts,
        document=around.document_concepts,
        exceptions=around.exceptions,
        open_exception=around.open_exception,
        universal=around.universal,
        nested=_nested(text, hits, lexicon),
        places=find_places(text),
        places_around=around.places,
        exceptional=exceptional,
        title=around.title,
        facets=find_facets(f"{subject} {text}" if subject else text, language, lexicon),
        facets_around=around.facets,
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
