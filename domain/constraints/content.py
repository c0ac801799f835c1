"""What a piece of text is about: weighted concepts of the lexicon and words it does not know."""

import re
from collections.abc import Iterable, Mapping

from .lexicon import Lexicon
from .text import Hit, Language

_CJK_WORD = re.compile(r"[\u30a1-\u30fa\u30fc]{2,}|[\u3400-\u9fff々]+")
# A word such as 綴じ代 or 受け渡し.
# A word such as 取り込み, which is also written 取込み: known by its Han characters.
_MIXED_WORD = re.compile(r"([\u3400-\u9fff])(?:[りきけえしみいちれせぎびげべめねてじ]|わせ|らせ)(?=([\u3400-\u9fff]))")
_LATIN_WORD = re.compile(r"[a-z][a-z0-9_+#.]*[a-z0-9+#]")
_ZH_FUNCTION = re.compile(
    r"[的是在和与及或用使采为以将应由其各每该等中对按时后前并于了所个有也都者内被把从到给让就上下]"
)
_ASIDE = re.compile(r"(?<=.)\([^()]*\)")
_JA_FUNCTION = re.compile(r"[的中内等各毎時際]$")
# Single characters that are words of their own.
_SINGLE = frozenset("値列行章節語文字色枠線軸欄版桁鍵札印型式")
_EN_FUNCTION = frozenset(
    re.findall(
        r"\w+",
        """
        the an of is are be been was in on for with and or to by it its this that these those from as at all
        any use uses used using write written put placed place set sets shall has have had which who whom
        whose when where while if than then so such there their they them we you your our into out do does
        done make made each per both same also may can will would before after only must should not first
        give given show shown keep see about ever until
        one two three four five six seven eight nine ten fifteen twenty thirty forty fifty sixty ninety hundred
        """,
    )
)
# A run of two Han characters is a word; longer runs are compared by their pairs.
_WORD_LENGTH = 2
WEIGHT_BROADER = 0.2
# Less than what a ban is read from.
_WEIGHT_INSIDE = 0.19
_WEIGHT_CONCEPT, WEIGHT_ATTRIBUTE, _WEIGHT_VALUE, _WEIGHT_WORD, _WEIGHT_BIGRAM = 1.0, 0.7, 0.3, 0.6, 0.35
# The least by which two clauses can be about one thing.
_WEIGHT_LIGHT = 0.5


def concepts_of(hits: Iterable[Hit], lexicon: Lexicon) -> frozenset[str]:
    """Return the concepts of a text, with their broader concepts."""
    found: set[str] = set()
    for hit in hits:
        for identifier in hit.ids:
            if not identifier.startswith(("m.", "op.")) and identifier not in ("stop", "plain"):
                found.add(identifier)
                found.update(lexicon.broader.get(identifier, ()))
    return frozenset(found)


def content_of(
    text: str, hits: tuple[Hit, ...], masked: Iterable[tuple[int, int]], lexicon: Lexicon, language: Language
) -> dict[str, float]:
    """Return the weighted content of a normalised text; unknown words are keyed `u:…`.

    Args:
        text: The text.
        hits: The lexicon's words in it.
        masked: Spans to leave out (numbers, quoted terms).
        lexicon: The lexicon.
        language: Of the text.
    """
    content: dict[str, float] = {}
    index = lexicon.index(language)
    asides = _limiting_asides(text, hits)
    for hit in hits:
        if any(start < hit.start and hit.end < end for start, end in asides):
            continue
        for identifier in hit.ids:
            if identifier.startswith(("m.", "op.")) or identifier in ("stop", "plain"):
                continue
            weight = _weight(identifier, lexicon)
            content[identifier] = max(weight, content.get(identifier, 0.0))
            for wider in lexicon.broader.get(identifier, ()):
                content.setdefault(wider, WEIGHT_BROADER)
        for thing in index.things_in(text[hit.start : hit.end]):
            content.setdefault(thing, _WEIGHT_INSIDE)
    rest = list(text)
    for start, end in [*masked, *((hit.start, hit.end) for hit in hits if hit.ids != ("plain",))]:
        rest[start:end] = " " * (end - start)
    content.update(_unknown_words(_ASIDE.sub(" ", "".join(rest)), language))
    return content


def _limiting_asides(text: str, hits: tuple[Hit, ...]) -> list[tuple[int, int]]:
    """Return the spans in parentheses that only say what is not possible ("固定(引数で変更不可)"): no targets."""
    refusals = [hit for hit in hits if hit.is_marker("not", "reject")]
    return [
        match.span()
        for match in _ASIDE.finditer(text)
        if any(match.start() < hit.start and hit.end < match.end() for hit in refusals)
    ]


def _weight(identifier: str, lexicon: Lexicon) -> float:
    if identifier in lexicon.enum_of:
        return _WEIGHT_VALUE
    if identifier in lexicon.light_set:
        return _WEIGHT_LIGHT
    return WEIGHT_ATTRIBUTE if identifier in lexicon.attributes or identifier in lexicon.flag_set else _WEIGHT_CONCEPT


def _unknown_words(text: str, language: Language) -> dict[str, float]:
    words: dict[str, float] = {}
    for match in _LATIN_WORD.finditer(text):
        if match.group() not in _EN_FUNCTION:
            words["u:" + (_stem(match.group()) if language == "en" else match.group())] = _WEIGHT_WORD
    if language == "zh":
        text = _ZH_FUNCTION.sub(" ", text)
    if language == "ja":
        words.update(("u:" + match[1] + match[2], _WEIGHT_WORD) for match in _MIXED_WORD.finditer(text))
    for match in _CJK_WORD.finditer(text):
        run = match.group() if language == "zh" else _JA_FUNCTION.sub("", match.group())
        if run and "\u30a1" <= run[0] <= "\u30fc":
            words["u:" + run.rstrip("ー")] = _WEIGHT_WORD
        else:
            if len(run) == 1 and language == "ja" and run in _SINGLE:
                words["u:" + run] = _WEIGHT_BIGRAM
            weight = _WEIGHT_WORD if len(run) == _WORD_LENGTH else _WEIGHT_BIGRAM
            for position in range(len(run) - 1):
                words["u:" + run[position : position + 2]] = weight
    return words


def _stem(word: str) -> str:
    for ending in ("ings", "ing", "ied", "ies", "ed", "es", "s", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:  # noqa: PLR2004  # what is left must still be a word
            return word[: -len(ending)]
    return word


def alignment(
    a: Mapping[str, float],
    b: Mapping[str, float],
    around_a: frozenset[str],
    around_b: frozenset[str],
    ignored: frozenset[str],
) -> tuple[float, float]:
    """Return how far two texts speak of the same thing.

    Args:
        a: Content of one.
        b: Content of the other.
        around_a: Content of a's surroundings (headings, table row, document), which can supply
            what the text itself leaves out.
        around_b: The same for b.
        ignored: Items that do not count: the values themselves.

    Returns:
        Agreement 0 to 1 (the mean of both coverages, the better one weighing more), and the weight of items
        both texts name.
    """
    cover_a, shared_a = _coverage(a, b, around_b, ignored)
    cover_b, shared_b = _coverage(b, a, around_a, ignored)
    if cover_a is None or cover_b is None:
        # One side names nothing but the value; what it is about stands around it.
        return cover_a or cover_b or 0.0, max(shared_a, shared_b)
    high, low = max(cover_a, cover_b), min(cover_a, cover_b)
    return 0.55 * high + 0.45 * low, max(shared_a, shared_b)


def _coverage(
    content: Mapping[str, float], other: Mapping[str, float], around: frozenset[str], ignored: frozenset[str]
) -> tuple[float | None, float]:
    total = covered = shared = 0.0
    for item, weight in content.items():
        if item in ignored and not (item in other and weight >= _WEIGHT_CONCEPT):
            continue
        total += weight
        if item in other:
            covered += weight
            shared += weight
        elif item in around:
            covered += 0.7 * weight
            shared += 0.5 * weight
    return (covered / total if total else None), shared
