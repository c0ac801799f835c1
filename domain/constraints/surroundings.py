"""What headings, document name and neighbouring sentences of a chunk say about each of its rules."""

import re
from dataclasses import dataclass, replace

from ..conflicts import RuleText
from .content import WEIGHT_BROADER, concepts_of, content_of
from .facets import Facets, find_facets
from .lexicon import Lexicon
from .scope import EXCEPTION_LEAD, find_places
from .splitting import Rule
from .text import Hit, Language, language_of, normalise, scan

_SUBJECT_OF_EXCEPTION = re.compile(r"([^はがをに、。(]{1,14})(?:を除|は除|は別|以外(?:は|の)|については別|除外)")


# "一般" is also a grade: of faults, or beside others in a list.
_GRADE_BEHIND = re.compile(  # a pattern stays in one line
    r"[、,，]|缺陷|问题|故障|事故|级|[一二两三四五六]|用户|人员|の?(?:不具合|障害|利用者|ユーザ)"
)
_GRADE_BEFORE = re.compile(r"[、,，]$|(?:级别?|等级|程度|重要度|深刻度|区分|类别|ランク)[:：] ?$")


# Where a rule stands is not what it is about ("付録A 書き方").
_APPENDIX = re.compile(
    r"^\s*(?:付録|別紙|別添|別表|附录|附件|Appendix|Annex)\s*[A-Za-z0-9０-９Ａ-Ｚ一二三四五六]*(?=[\s　:：.．]+\S)"
)
# An exception for what somebody has agreed to, and a text that says that somebody has.
_BY_APPROVAL = re.compile(
    r"許可|承認|同意|批准|许可|审批|\b(?:approv(?:al|ed)|permission|permitted|consent|agreed|authori[sz](?:ed|ation))\b"
)
_APPROVED = re.compile(
    r"(?:許可|承認|同意)[^。、]{0,24}(?:に基づ|を得て|を得た|を得てい|を受けて|を受けた|取得済|により)"
    r"|(?:已|业|经)[^，。]{0,14}(?:取得|获得|得到|获)[^，。]{0,12}(?:同意|批准|许可)|(?:根据|依据|凭)[^，。]{0,16}(?:同意|批准|许可)"
    r"|\b(?:under|with|by) (?:the |an? )?(?:written |prior )?(?:approval|permission|consent|authori[sz]ation)"
    r" (?:no|nr|#|of|from|granted|given|dated)"
    r"|\b(?:approval|permission|consent|authori[sz]ation)\b[^.;]{0,40}"
    r"\b(?:was|were|has been|have been) (?:obtained|granted|given|received)\b"
    r"|\b(?:obtained|received|granted)\b[^.;]{0,30}\b(?:approval|permission|consent)\b"
)
_DEMANDED = re.compile(
    r"\b(?:must|shall|unless|without|until|needs?)\b|除|限|必ず|こと|ない|须|应|未|方可|不得|场合|場合"
)
_PARENTHESES = re.compile(r"\([^()]*\)")
# An aside this long names its case in more words than one.
_LONG_ASIDE = 10
# Characters around a word such as "except" in which its case is named.
_NEAR = 24
_APPROVAL_GIVEN = "approval-given"


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Surroundings that all clauses of a chunk share."""

    headings: frozenset[str]
    heading_concepts: frozenset[str]
    document: frozenset[str]
    document_concepts: frozenset[str]
    exceptions: frozenset[str]
    open_exception: bool
    universal: bool
    places: frozenset[str]
    facets: Facets
    title: str

    @classmethod
    def of(cls, source: RuleText, scanned: list[tuple[Rule, tuple[Hit, ...]]], lexicon: Lexicon) -> "Surroundings":
        """Return the surroundings of a chunk, given its rules with their words."""
        language = scanned[0][0].language if scanned else language_of(source.document)
        headings, heading_concepts = read_text(
            " / ".join(_APPENDIX.sub("", heading) for heading in source.headings), language, lexicon
        )
        document, document_concepts = read_text(
            re.sub(r"\.\w{2,5}$", "", source.document).replace("_", " "), language, lexicon
        )
        exceptions: set[str] = set()
        for rule, hits in scanned:
            exceptions |= _exceptions(rule, hits, lexicon)
        if any(_APPROVED.search(rule.text) and not _DEMANDED.search(rule.text) for rule, _ in scanned):
            heading_concepts |= {_APPROVAL_GIVEN}
        heads = normalise(" / ".join((*source.headings, source.document)).replace("_", " "))
        return cls(
            frozenset(headings),
            heading_concepts,
            frozenset(document),
            document_concepts,
            frozenset(exceptions),
            open_exception=any(
                # What holds in principle is said of one rule; what is laid down elsewhere may be of any.
                hit.is_marker("elsewhere") and not names_grade(rule.text, hit)
                for rule, hits in scanned
                for hit in hits
            ),
            universal=any(hit.is_marker("universal") for _, hits in scanned for hit in hits),
            places=find_places(heads),
            facets=find_facets(heads, language, lexicon),
            title=source.document,
        )

    def joined(self, concepts: frozenset[str]) -> "Surroundings":
        """Return the surroundings of a later clause, which earlier ones have told what it is about."""
        return replace(self, heading_concepts=self.heading_concepts | concepts)


def read_text(text: str, language: Language, lexicon: Lexicon) -> tuple[dict[str, float], frozenset[str]]:
    """Return the weighted content of a text and the concepts it names."""
    normal = normalise(text)
    hits = scan(normal, lexicon.index(language))
    return content_of(normal, hits, (), lexicon, language), concepts_of(hits, lexicon)


# "帳票レイアウトのシートはこの限りでない"
_NOT_BOUND = re.compile(
    r"([^。、はが]{2,24})(?:は|については)、?(?:この|その)限り(?:で(?:は)?(?:ない|ありません)|にあらず)"
)


def _exceptions(rule: Rule, hits: tuple[Hit, ...], lexicon: Lexicon) -> set[str]:
    if free := _NOT_BOUND.search(rule.text):
        content, _ = read_text(free.group(1), rule.language, lexicon)
        return {item for item, weight in content.items() if weight > WEIGHT_BROADER}
    marker = next((hit for hit in hits if hit.is_marker("except")), None)
    if marker is None:
        return set()
    text = _excepted_text(rule, marker)
    inner = scan(text, lexicon.index(rule.language))
    content = content_of(text, inner, (), lexicon, rule.language)
    found = {item for item, weight in content.items() if weight > WEIGHT_BROADER}
    near = rule.text[max(0, marker.start - _NEAR) : marker.end + _NEAR]
    return found | {_APPROVAL_GIVEN} if _BY_APPROVAL.search(near) else found


def _excepted_text(rule: Rule, marker: Hit) -> str:
    """Return the part of a sentence that names what is excepted."""
    if EXCEPTION_LEAD.match(rule.text):
        return rule.text
    aside = next(
        (match for match in _PARENTHESES.finditer(rule.text) if match.start() < marker.start < match.end()), None
    )
    if aside is not None and len(aside.group()) > _LONG_ASIDE:
        # "(移行に用いる使い捨てのSQLを除く)": all of it says what is left out.
        return aside.group()
    subject = _SUBJECT_OF_EXCEPTION.search(rule.text)
    if subject:
        return subject.group(1)
    before, behind = rule.text[: marker.start], rule.text[marker.start :]
    if rule.language == "ja":
        return behind if EXCEPTION_LEAD.match(behind) else ""
    if rule.language == "zh":
        return re.split(r"[，。；（(]", before)[-1] if "除外" in rule.text else behind.split("，")[0]
    return re.split(r"[;,.]", rule.text[marker.end :])[0]


def names_grade(text: str, hit: Hit) -> bool:
    """Tell whether a word for "in general" names a grade ("致命、严重、一般", "一般缺陷")."""
    if text[hit.start : hit.end] != "一般":
        return False
    return bool(_GRADE_BEHIND.match(text, hit.end) or _GRADE_BEFORE.search(text[: hit.start]))
