"""Where a rule holds, what it leaves out, and texts that state no rule at all."""

import re
from dataclasses import dataclass

from .facets import NO_FACETS, Facets
from .text import Hit

EXCEPTION_LEAD = re.compile(r"^(?:ただし|但し|但是|但|例外として|except|however)")
_TEXT_NOUN = re.compile(
    r"規則|規程|規約|基準|標準|ガイド|手順|要領|手引|本書|本章|本節|本項|この|版|規定|方針|资料|规范|规定|办法|标准|预案|制度|细则|指引|说明书|資料|文書|ルール|本文件|本节|本章|方案|要求|手册|指示書|仕様|設計書|契約書|通達"
    r"|standard|guide|rule|spec|document|section|manual|policy|procedure|version|chapter|addendum|annex|edition|clause|page|plan|this"
)
_YIELDS = re.compile(
    r"(?:相違|異なる|矛盾|食い違|定めがあ|定めのあ).{0,20}(?:従う|よる|準じる|(?:の方)?を優先)|(?:不一致|冲突|抵触).{0,12}(?:为准|执行)|以(?!.{0,8}(?:记录|纪要|影响|阅读|清晰|可读|数据|截图|结果|时间|登记|签收|邮件|工单|日志|实际|盖章)).{1,20}为准"
)

_PLACE = re.compile(
    r"([\u30a1-\u30fc\u4e00-\u9fff]{2,8}?)(?:サブシステム|拠点(?!と|から|へ|間)|支社|工場|子系统|分公司)"
    r"|\b(?:sub-?system|site|release|project|team|plant|branch office) ([a-z](?![a-z])|\d[\d.]*|[a-z]+-\d+)"
)
# A pointer to another text, and sentences that tell of what is or was.
_REFERENCE = re.compile(
    r"(?:(?<!で)参照|ご覧|確認)(?:して|の上|のこと|ください|下さい|願います|すること|する|します|を)*(?:ください|下さい)?[。.]?$(?<!確認)(?<!確認する)(?<!確認すること)(?<!確認します)"
    r"|(?:参见|请参阅|参阅|详见)[^，。]*$|^(?:see|for details)\b|^refer to\b(?! (?:the |an? )?(?:\"?user|reader|ticket|issue|customer|product|person)s?\b)"  # noqa: E501  # a pattern or list stays in one line
)
# A text that names another text from which its cases are exempt.
_EXEMPTED = re.compile(
    r"\bexempt(?:ed)? from (?:the|this|that) (?:[a-z]+ )?(?:guide|standard|rules?|polic(?:y|ies)|guidelines?|handbook)"
    r"|(?:基準|規程|標準|ガイド|規約)の適用(?:外|を受けない|対象外)|不(?:受|适用)[^，。]{2,10}(?:规范|标准|规定|办法)"
)
# When something is out of force, not that it is: "after the product is withdrawn", 廃止後.
_WHEN = re.compile(r"\b(?:after|once|when|until|before|if|from the day)\b[^,.;]*$")
_AFTERWARDS = re.compile(r"^(?:の?(?:後|日|とき|際|時)|した(?:後|日|とき|際|場合)|之?后|之日|时)")
# Rules that do not hold for somebody are in force for the rest ("協力会社には適用しない").
_FOR_SOME = re.compile(
    r"[^、。]{2,}(?<!期間)(?:に対し(?:て)?|に|へ|まで)(?:は、?(?:本[^、。は]{1,8}(?:を|は))?)?$|\bfor [a-z][^.;]{2,30}$"
)
_CLOSE = 2
_LANGUAGE_VERSION = re.compile(
    r"以(?:中文|英文|日文|中|英|日)(?:版|本|语版)?(?:文本)?为准|(?:日本語|英語|中国語|和文|英文|中文)(?:版)?を(?:正|優先)|(?:english|japanese|chinese) (?:text|version)(?: alone)? (?:is|prevails|governs|takes|shall)"  # noqa: E501  # a pattern stays in one line
)
_BEING = re.compile(r"\b(?:is|are|was|were|be|been|being|has|have|hereby|now)(?: [a-z]+ly)? ?$")
# Behind a word for "out of force": the thing that is out of force, where that is no text of rules.
_WHICH = re.compile(
    r"(?:し|され|する|予定|済み?|と(?:し|なっ))?(?:た|の|な)?(?!規|基準|標準|手順|要領|文書|資料|本書|ガイド)[一-龥ァ-ヶ]|(?:予定|済み?)の|的(?!规|标准|文件|版本|办法|制度)"
)
# What an earlier edition said ("V1.0规定日志用GBK输出", "第1版では…").
_EARLIER_EDITION = re.compile(
    r"^(?:v(?:er(?:sion)?)? ?\d+(?:\.\d+)*|第?\d+(?:\.\d+)*版|初版|旧版|in (?:version )?\d+\.\d+)(?:规定|中规定|中|时|では|まで|までは|の頃は|,? )(?!以降|以上|起)"  # noqa: E501  # a pattern stays in one line
)
_TOLD = re.compile(
    # A path through a tree or a flow, as drawings are read out.
    r"(?: > [^>]+){2,}|"
    # What has been reached or met is a criterion.
    r"(?<!達し)(?<!満たし)(?<!合格し)(?<!完了し)(?:てい|でい)(?:る|ます|ました|た|ません|ない)(?:こと(?:が|も)[^。]{0,12})?[。.]?$|(?<!と)(?:しました|ました|された|でした|だった|であった)[。.]?$"
    r"|(?:考えられ|思われ|言われ|いわれ|期待され|求められ|知られ|見られ|みられ|挙げられ)(?:る|ます|ている|ています)[。.]?$"
    r"|(?:できるようにな|可能にな|ようにな|ことにな|ことがあ)(?:る|ります)[。.]?$|(?:重要|有効|必要不可欠|大切|一般的|効果的|有用|便利|容易|困難)(?:です|である|だ|となる|になる|となります)[。.]?$"
    # What was until a year is past.
    r"|\b(?:until|before|up to|through|prior to) (?:(?:the )?(?:end|start|beginning) of )?(?:[a-z]+ )?(?:19|20)\d\d\b[^.;]*\b(?:was|were|had)\b"  # noqa: E501  # a pattern stays in one line
    r"|\b(?:was|were|had)\b[^.;]*\b(?:until|before|up to|through|prior to) (?:[a-z]+ )?(?:19|20)\d\d\b"
    r"|(?:19|20)\d\d年(?:\d{1,2}月)?(?:まで|以前)は[^。]*(?:た|だった)[。.]?$|(?:19|20)\d\d年(?:\d{1,2}月)?(?:之前|以前)[^。]*(?:曾|采用过|一直)"
    r"|(?:と|を)(?:いいます|言います|指します|呼びます|意味します|指す|意味する)[。.]?$|(?:でしょう|ますか|ですか|(?<!いずれ)(?<!どれ)(?<!どちら)か)[。?？]?$"
)
# Cells of remarks, and words that tell that a remark is about another thing than its row.
_REMARK = re.compile(r"^(?:備考|注記?|状態|状況|备注|状态|说明|notes?|remarks?|status|comments?): ?")
_OTHER_THING = re.compile(r"[はが]|も(?!って)|\b(?:the|a|an|this|that)\b|[\u4e00-\u9fff]{2,}(?=已|被)")
# Options that a text weighs against each other, and verdicts on them; a title may carry the verdict.
_OPTION = re.compile(
    r"^(?:[^:]{0,6}(?:方案|案|プラン)\s?[a-z0-9甲乙丙丁一二三四]|[a-z甲乙丙丁]案|(?:option|alternative) [a-z0-9])"
)
_TURNED_DOWN = re.compile(
    r"未采纳|不采纳|未采用|未被采用|被否决|不予采用|见送|見送|不採用|採用しな|採らな|却下|没案|廃案|取り下げ"
    r"|\brejected\b|\bturned down\b|\bdecided against\b|\bnot adopted\b|\bdiscarded\b"
)
# The same as a title says it; "採用しない列" is what a section is about.
_TITLE_TURNED_DOWN = re.compile(
    r"未采纳|不采纳|未采用|未被采用|被否决|不予采用|見送り|不採用|却下|没案|廃案|\brejected\b|\bturned down\b|\bnot adopted\b|\bdiscarded\b"  # noqa: E501  # a pattern stays in one line
)
_NO_PLACE = re.compile(r"^(?:本|当|全|各|新|旧|同|他|該|该|所有|其他)")


@dataclass(frozen=True, slots=True)
class Scope:
    """Scope of a clause.

    Attributes:
        concepts: Concepts the clause itself names.
        words: Words of the clause that the lexicon does not know.
        context: Concepts of headings and table row.
        document: Concepts of the document's name.
        exceptions: Concepts and words that the chunk excepts from its rules.
        open_exception: The chunk allows for exceptions defined elsewhere, or speaks of the general case only.
        universal: The rule says that it knows no exceptions.
        nested: Targets inside other targets (whole, part).
        places: Named subsystems, sites, releases the clause is about.
        places_around: The same from headings and document name.
        exceptional: The clause is itself an exception.
        title: The document's name.
        facets: Cases the clause itself names.
        facets_around: Cases that headings and document name.
    """

    concepts: frozenset[str]
    words: frozenset[str]
    context: frozenset[str]
    document: frozenset[str]
    exceptions: frozenset[str]
    open_exception: bool
    universal: bool
    nested: frozenset[tuple[str, str]]
    places: frozenset[str]
    places_around: frozenset[str]
    exceptional: bool
    title: str = ""
    facets: Facets = NO_FACETS
    facets_around: Facets = NO_FACETS


def find_places(text: str) -> frozenset[str]:
    """Return the names of subsystems, sites and releases in a normalised text."""
    found = (match.group(1) or match.group(2) for match in _PLACE.finditer(text))
    return frozenset(name for name in found if not _NO_PLACE.match(name))


def states_no_rule(text: str, hits: tuple[Hit, ...]) -> bool:
    """Tell whether a sentence is history, an example or a rejected alternative."""
    if _REFERENCE.search(text) or _TOLD.search(text) or _EARLIER_EDITION.match(text):
        return True
    told = [hit for hit in hits if hit.is_marker("history", "example", "rejected")]
    # What must not become history is a rule ("请勿改为竖版").
    return any(not any(hit.is_marker("not") and 0 <= one.start - hit.end <= _CLOSE for hit in hits) for one in told)


def weighs_options(line: str) -> bool:
    """Tell whether a normalised line tells of options of which it turns some down."""
    return _TURNED_DOWN.search(line) is not None


def is_option(text: str) -> bool:
    """Tell whether a normalised sentence describes one of several options."""
    return _OPTION.search(text) is not None


def is_void(text: str, hits: tuple[Hit, ...]) -> bool:
    """Tell whether a sentence declares a text of rules void."""
    withdrawn = any(hit.is_marker("void") and hit.start == 0 for hit in hits)
    return (withdrawn or _TEXT_NOUN.search(text) is not None) and any(
        hit.is_marker("void") and not _qualifies(text, hit) for hit in hits
    )


def is_withdrawn_row(text: str, hits: tuple[Hit, ...]) -> bool:
    """Tell whether the remark of a table row declares that row void ("備考: 第2期の開始をもって効力を失う")."""
    remark = _REMARK.match(text)
    return remark is not None and any(
        hit.is_marker("void") and not _qualifies(text, hit) and not _OTHER_THING.search(text[remark.end() : hit.start])
        for hit in hits
    )


def _qualifies(text: str, hit: Hit) -> bool:
    """Tell whether a word for "out of force" only says which thing is meant ("廃止予定の版", "deprecated methods")."""
    behind = text[hit.end :]
    if _FOR_SOME.search(text[: hit.start]):
        return True
    if _WHEN.search(text[: hit.start]) or _AFTERWARDS.match(behind):
        return True
    if text[hit.start].isascii():
        return re.match(r" (?!by\b|and\b|as\b|since\b|on\b|with\b|in\b|from\b)[a-z]", behind) is not None and (
            _BEING.search(text[: hit.start]) is None
        )
    return _WHICH.match(behind) is not None


def is_turned_down(title: str) -> bool:
    """Tell whether a title says that its text was not adopted ("改定案(不採用)")."""
    return _TITLE_TURNED_DOWN.search(title) is not None


def states_precedence(text: str, hits: tuple[Hit, ...]) -> bool:
    """Tell whether a sentence says which of two texts prevails."""
    if _LANGUAGE_VERSION.search(text):
        # Which of two languages counts is itself a rule.
        return False
    marked = any(hit.is_marker("precedence") for hit in hits) and _TEXT_NOUN.search(text) is not None
    return marked or _YIELDS.search(text) is not None or _EXEMPTED.search(text) is not None
