"""Claims about what comes first: "A before B", "B after A", "in the order A, B"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise

from .content import concepts_of, content_of
from .lexicon import Lexicon
from .text import Language, scan

_ZH_FIRST = re.compile(r"先(.{1,20}?)[，,]?\s*(?:后|再|然后|方可)(.{1,20})")
_ZH_ONLY_AFTER = re.compile(
    r"([^，,。；;:]{2,24}?)(?:之后|以后|后)[，,]?\s*(?:方可|才可|才能|方能|再)([^，,。；;]{2,20})"
)
_JA_FIRST = re.compile(
    r"(?:先に|まずは?、?|最初に)(.{1,20}?)、(?:次に|その後に?|続いて|それから)(.{1,20}?)(?:の順|を|、|。|$)"
)
_JA_PLACED = re.compile(
    r"([^、。]{2,16}?)(?:を|は)(?:前|先)に(?:置|書|載|行|記|示|並べ|出|実施)[^、。]{0,6}、([^、。]{2,16}?)(?:を|は)(?:その)?(?:後|あと|次)"
)
_JA_AHEAD = re.compile(
    r"([^、。]{2,16}?)を先に[^、。]{1,8}、(?:[^、。]{1,20}?(?:うえで|上で|てから|た後に?))?、?([^、。]{2,16}?)(?:を|に)[^、。]{2,12}(?:する|します|こと)?[。.]?$"
)
_JA_UNTIL = re.compile(
    r"([^、。]{2,20}?)(?:が|を)(?:完了|終了|終え|済|終わ|承認|合格|得|受け)[^、。]{0,6}まで(?:は|、)*([^、。]{2,20}?)(?:を|は|に)[^、。]{0,8}ない"
)
# "Aを突き止めるまでBに着手しない"
_JA_UNTIL_DOING = re.compile(
    r"([^、。は]{2,20}?)(?:を|が)[^、。はを]{1,8}(?:る|う|く|す|つ|む)まで(?:は|、)*([^、。を]{2,20}?)(?:を|は|に)(?:着手|開始|始め|実施|行|進)[^、。]{0,6}(?:ない|ません)"
)
# "Aを適用し終えてからB", "Aを適用し、結果を確かめた後にB"
_JA_FINISHED = re.compile(
    r"([^、。は]{2,20}?)を[一-龥]{0,4}(?:し)?(?:終え|終わっ|済ませ|完了し)(?:て|た)?(?:から|後に?)、?([^、。]{2,24}?)(?:を|に|へ)"
)
_JA_AND_CHECKED = re.compile(
    r"([^、。は]{2,20}?)を[^、。を]{1,8}し、[^、。]{2,20}(?:た後に?|てから)、?([^、。]{2,24}?)(?:を|に|へ)"
)
# "Aに合格したものだけがBに進める", "A前にBを始めてはならない", "Bは、Aが全て終わった後に、…行う"
_JA_ONLY_PASSED = re.compile(
    r"([^、。はが]{2,20}?)(?:に|を)(?:合格|完了|終了|通過|済ま)[^、。]{0,4}(?:もの|プログラム|機能|成果物|モジュール)(?:だけ|のみ)(?:が|を)、?([^、。]{2,20}?)(?:に(?:進|回|出|掛|か)|を)"
)
_JA_NOT_BEFORE = re.compile(
    r"([^、。は]{2,20}?)(?:の)?(?:より)?前(?:に|は|には)([^、。は]{2,20}?)(?:を|に)(?:始め|開始|着手|実施|行)[^、。]{0,10}(?:ない|ません|禁止|不可)"
)
_JA_TOPIC_AFTER = re.compile(
    r"([^、。は]{2,20}?)は、?([^。は]{2,24}?)(?:が|を)(?:全て|すべて)?(?:終わっ|完了し|終了し|済ん|合格し|終え)た後に?、[^。]{0,16}(?:行|実施|出|始め|着手)"
)
# "XはYより先に行う", "原因調査より復旧を優先する"
_JA_SOONER = re.compile(r"([^、。は]{2,20}?)は、?([^、。は]{2,20}?)より(?:も)?(?:先|前)に")
_JA_PREFERRED = re.compile(r"([^、。は]{2,20}?)より(?:も)?([^、。はを]{2,20}?)を(?:最)?優先")
# "設計書を更新しないままコードに手を入れてはならない", "承認前の文書を翻訳に出してはならない"
_JA_NOT_WITHOUT = re.compile(
    r"([^、。は]{2,20}?)(?:が|を|の|は)(?:[一-龥]{0,4}(?:さ|し|から|で|い)?)?(?:ない|いない|無い)(?:まま|うちに)、?([^、。]{2,24}?)(?:を|に)[^。]{0,14}(?:ては(?:なら|いけ)|ない|禁止)"
)
_JA_NOT_YET = re.compile(
    r"([^、。は]{2,20}?)の?(?:前|済んで(?:い)?ない|終わって(?:い)?ない|完了して(?:い)?ない)の?([^、。をに]{1,12})を([^、。に]{2,16}?)(?:に|へ)[^。]{0,10}(?:ては(?:なら|いけ)|ない|禁止)"
)
# "AをXに先立って完了し" is read as such; "Aを終え、…そろってからB"
_JA_ENDED_THEN = re.compile(
    r"([^、。は]{2,20}?)を(?:終え|済ませ|完了し)、[^。]{0,30}?(?:てから|た後に?)、?([^、。]{2,20}?)を"
)
# "用例评审在编码完成以后进行"
_ZH_AFTER_DONE = re.compile(
    r"([^，,。；在]{2,14}?)(?:应|须|必须|安排)?在([^，,。；]{2,14}?)(?:完成|结束|通过)?(?:以后|之后|后)(?:再|才)?(?:进行|开展|安排|实施|启动)"
)
_ARROW = re.compile(r"→|⇒|->|➡")
_SEQUENCE_LABEL = re.compile(r"順|手順|流れ|フロー|経路|步骤|流程|路径|order|sequence|steps|route|flow")
_JA_HAVING = re.compile(
    r"([^、。]{2,20}?)(?:を|が|に)(?:終え|完了し|でき(?:上がっ|あがっ)|出来上がっ|仕上がっ|そろっ|揃っ|終わっ|合格し|済ませ|受け|通し|通っ|実施し)て?から(?:は|、)*([^、。]{2,20}?)(?:を|に|は)(?:更新|始め|開始|着手|行|実施|書|登録|提出|し)"
)
_JA_LATER = re.compile(r"([^、。]{2,20}?)は、?([^、。は]{2,14}?)の?(?:完了|終了|合格|承認)後に")
# "B is begun once A is done": what is begun is named first.
_JA_ONCE_DONE = re.compile(
    r"([^、。]{2,20}?)(?:への着手|の着手|の開始|の実施)?は、?([^。は]{2,24}?)(?:が|を)?(?:すべて|全て)?(?:解消|完了|終了|合格|承認|終わ|済)[^、。]{0,8}(?:後|あと)"
    r"(?:とする|に行う|に限る|に始める|に着手|に実施)"
)
_JA_PASSED_ON = re.compile(
    r"(?:まずは?|先に|最初に)、?(.{2,20}?)(?:を|に)(?:実施|行|かけ|通)[^、。]{0,4}、(?:合格|完了|終了|通過)したもの(?:だけ|のみ)?を(.{2,20}?)に(?:かけ|回|渡|進)"
)
_EN_ONCE_UP = re.compile(
    r"(?:^|[.;] ?)([^.;,]{4,60}?) first ?[;,.] ?([^.;,]{4,60}?) (?:once|after|when|as soon as) (?:it|that|this|they) (?:is|are|has|have)\b"  # noqa: E501  # a pattern stays in one line
)
_ZH_NOT_WITHOUT = re.compile(
    r"(?:未|没有)(?:完成|通过|经|进行|做)(.{2,12}?)(?:的[^，,。]{0,6}|之?前|时)?[，,]?(?:不得|不能|不可|不允许|严禁)(?:开展|进行|开始|启动|实施|提交|做)?(.{2,14})"
)
_EN_THEN = re.compile(
    r"(?:^|[.;] ?)([^.;]{4,80}?) first[,;. ]+(?:only then|then|and then|afterwards|after that)\b([^.;]{4,80})"
)
_EN_NOT_UNTIL = re.compile(r"(?:\bnot\b|\bno\b|\bnever\b|\bcannot\b)([^.;,]{4,60}?) (?:until|before) ([^.;,]{4,60})")
# "BはAの前に行う", "Bは(Aの)承認前に着手してよい": what is spoken of comes first.
_JA_TOPIC_BEFORE = re.compile(
    r"^([^、。は]{2,20}?)は、?([^。はを]{2,24}?)(?:の|する|される|を行う)?(?:実施|開始|着手|作業)?(?:の)?(?:より)?前(?:に|でも|の段階で)(?!は)[^。をがの]{0,14}[。.]?$"
)
# "A後にB", "Aの完了後にB", "Aが終わってからB", "Aが終わり次第B": A comes first.
_JA_AFTERWARDS = re.compile(
    r"([^、。はを]{2,20}?)(?:の|が|を)?(?:すべて|全て)?(?:完了|終了|終わ(?:っ|り)|済(?:ん|み|ませ)|承認(?:され|を得)?|合格|実施|作成|確定|通過|リリース)?(?:し|した|を得た)?"
    r"(?:後に(?!は)|後、|後で|(?:て|で)から、?|次第、?)([^、。]{2,24}?)(?:を|に|へ|する|し|行|の|が|[。.]|$)"
)
_JA_AHEAD_OF = re.compile(
    r"([^、。はを]{2,20}?)(?:に先立(?:って|ち)|より(?:も)?(?:先|前)に)、?([^、。は]{2,20}?)(?:を|に|へ|する|し|行)"
)
_JA_AND_THEN = re.compile(
    r"([^、。はが]{2,20}?)(?:を|は|から)(?:先|最初)に[^、。]{0,8}、(?:その後|そのあと|次)(?:に|で)?、?([^、。]{2,20}?)(?:を|に|する|し|[。.]|$)"
)
# "Aの承認を待たずにB": B may come first.
_JA_NOT_AWAITING = re.compile(
    r"([^、。はが]{2,20}?)(?:の(?:完了|終了|承認|結果|合格))?を待た(?:ずに|ないで|ず、)、?([^、。]{2,20}?)(?:を|に)"
)
_ZH_AHEAD = re.compile(
    r"([^，。；]{2,16}?)(?:之|以)?前(?:就|即)?(?:可以?|即可|必须|应|须|需|先)(?!不)(?:开始|启动|进行|完成|先)?([^，。；]{2,16})"
)
_ZH_NOT_AHEAD = re.compile(
    r"([^，。；]{2,16}?)(?:之|以)?前[，,]?(?:不得|不能|不可|严禁|禁止)(?:开始|启动|进行|开展)?([^，。；]{2,16})"
)
# What only says that something starts: the row's subject is what starts.
_STARTS = re.compile(r"^(?:开始|启动|进行|执行|実施|開始|着手)[^\u4e00-\u9fff]*$")
_PATTERNS: dict[Language, tuple[re.Pattern[str], ...]] = {
    "ja": (
        _JA_FIRST,
        _JA_PLACED,
        _JA_AHEAD,
        _JA_UNTIL,
        _JA_UNTIL_DOING,
        _JA_FINISHED,
        _JA_AND_CHECKED,
        _JA_SOONER,
        _JA_ENDED_THEN,
        _JA_NOT_WITHOUT,
        _JA_ONLY_PASSED,
        _JA_NOT_BEFORE,
        _JA_HAVING,
        _JA_PASSED_ON,
        _JA_TOPIC_BEFORE,
        _JA_AFTERWARDS,
        _JA_AND_THEN,
    ),
    "zh": (_ZH_FIRST, _ZH_ONLY_AFTER, _ZH_NOT_WITHOUT, _ZH_NOT_AHEAD),
    "en": (_EN_THEN, _EN_ONCE_UP),
}
_NO_STEPS = frozenset(
    {"item", "document", "user", "screen", "page", "number", "file", "name", "list", "message", "string"}
)
_LIST_GAP = re.compile(r"[、,，]|→|->|⇒")


@dataclass(frozen=True, slots=True)
class OrderClaim:
    """One thing comes before another.

    Attributes:
        attribute: Always `order`.
        earlier: Concepts of what comes first.
        later: Concepts of what follows.
    """

    attribute: str
    earlier: frozenset[str]
    later: frozenset[str]


def orders_in(sentence: str, language: Language, lexicon: Lexicon, subject: str = "") -> Iterator[OrderClaim]:
    """Yield the orders that a normalised sentence states; what starts in a table row is the row's subject."""
    found: list[OrderClaim] = []
    for first, second in _ordered_texts(sentence, language, lexicon):
        if subject and _STARTS.match(second.strip()):
            second = subject  # noqa: PLW2901  # the bare verb stands for it
        claim = order_of(first, second, language, lexicon)
        if claim is not None:
            found = _with(claim, found)
    yield from found


def _with(claim: OrderClaim, found: list[OrderClaim]) -> list[OrderClaim]:
    """Return orders with one more; where two readings of a sentence tell of the same steps, they are one."""
    for place, other in enumerate(found):
        if claim.earlier & other.earlier and claim.later & other.later:
            earlier, later = claim.earlier | other.earlier, claim.later | other.later
            return [*found[:place], OrderClaim("order", earlier - later, later - earlier), *found[place + 1 :]]
    return [*found, claim]


def order_of(first: str, second: str, language: Language, lexicon: Lexicon) -> OrderClaim | None:
    """Return the order of two normalised steps, None when they do not name different things."""
    a, b = (_steps(text, language, lexicon) for text in (first, second))
    a, b = (_activities(found, lexicon) for found in (a - b, b - a))
    return OrderClaim("order", a, b) if a and b else None


def _steps(text: str, language: Language, lexicon: Lexicon) -> frozenset[str]:
    """Return the concepts and unknown words of a step."""
    hits = scan(text, lexicon.index(language))
    words = content_of(text, hits, (), lexicon, language)
    pairs = content_of(text, (), (), lexicon, language) if language != "en" else words
    return concepts_of(hits, lexicon) | {word for word in (*words, *pairs) if word.startswith("u:")}


def _activities(concepts: frozenset[str], lexicon: Lexicon) -> frozenset[str]:
    """Drop what is no step of a process: properties, values, flags."""
    return frozenset(
        name
        for name in concepts
        if name not in lexicon.attributes
        and name not in lexicon.enum_of
        and name not in lexicon.flag_set
        and name not in _NO_STEPS
    )


def _ordered_texts(sentence: str, language: Language, lexicon: Lexicon) -> Iterator[tuple[str, str]]:
    yield from _worded(sentence, language)
    if language == "ja" and (_JA_PLACED.search(sentence) or _JA_TOPIC_BEFORE.search(sentence)):
        # "AをXの前に" is another thing than "Aを前に置き、Bを後に": the pattern has read it.
        return
    inverted = _EN_NOT_UNTIL.search(sentence) if language == "en" else None
    if inverted:
        yield inverted.group(2), inverted.group(1)
        return
    for hit in scan(sentence, lexicon.index(language)):
        left, right = sentence[: hit.start], sentence[hit.end :]
        if hit.is_marker("in-order"):
            items = _LIST_GAP.split(left)
            yield from pairwise(items)
        elif hit.is_marker("before-verb"):
            if language == "en":
                later, earlier = _halves(right)
                yield (left, right) if left.strip() else (earlier, later)
            else:
                yield right, _tail(left)
        elif hit.is_marker("after-verb"):
            if language == "en":
                yield (right, left) if left.strip() else _halves(right)
            else:
                yield _tail(left), right


# Patterns that name the later step first.
_LATER_FIRST: dict[Language, tuple[re.Pattern[str], ...]] = {
    "ja": (_JA_PREFERRED, _JA_LATER, _JA_ONCE_DONE, _JA_TOPIC_AFTER, _JA_AHEAD_OF, _JA_NOT_AWAITING),
    "zh": (_ZH_AHEAD, _ZH_AFTER_DONE),
    "en": (),
}


def _worded(sentence: str, language: Language) -> Iterator[tuple[str, str]]:
    for pattern in _PATTERNS[language]:
        for match in pattern.finditer(sentence):
            yield match.group(1), match.group(2)
    if len(_ARROW.findall(sentence)) and _SEQUENCE_LABEL.search(sentence):
        # Steps with arrows between them, perhaps behind a label.
        steps = [step.rpartition(":")[2].strip() for step in _ARROW.split(sentence)]
        yield from combinations([step for step in steps if step], 2)
    if language == "ja":
        for match in _JA_NOT_YET.finditer(sentence):
            yield match.group(1), match.group(3)
    for pattern in _LATER_FIRST[language]:
        for match in pattern.finditer(sentence):
            yield match.group(2), match.group(1)


def _tail(text: str) -> str:
    """Return the last part of a text, which the marker behind it governs."""
    return re.split(r"[。；;，]", text)[-1]


def _halves(text: str) -> tuple[str, str]:
    first, _, second = text.partition(",")
    return first, second
