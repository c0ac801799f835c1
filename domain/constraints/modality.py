"""How binding a rule is, and whether a word in it is affirmed or denied."""

import re
from typing import Literal

from .text import Hit, Language
from .wording import find_quoted

Modality = Literal["must", "should", "may"]
Duty = Literal["required", "optional", "unsaid"]

_INCLUSION = re.compile(
    r"(?:記入|記載|明記|添付|取得|実施|作成|登録|付与|提出)(?:する|し|$|。)|を(?:書く|書き|付ける|入れる|含め|設ける|置く)"
    r"|前(?:必?须|应|需)|写明|注明|填写|列出|附上|包含|设置|进行|contains?|includes?|records?|states?|lists?"
)
_LEFT_OUT = re.compile(
    r"(?:外し|省[いき]|抜い|除い|飛ばし|割愛し|省略し|削っ|削除し|なく|書かなく|付けなく|設けなく|載せなく)て(?:も|は)?(?:よい|良い|いい|構わ|かまわ|かまい|結構|差し支え|差支え|問題な|支障な)"
    r"|(?:要求|義務付け|義務づけ|強制)(?:は)?しない|(?:求め|問わ|要し|必要とし)(?:ない|ません)"
    r"|なくて(?:も)?(?:受け付け|受理|認め)|(?:各自|本人|作成者|担当者)の(?:判断|任意)(?:に|で|とする)"
    r"|(?:省略|割愛|省くことが)(?:できる|できます|可能)|(?:は|が|も)?(?:不要|免除)(?:とする|とします|です|である|[。.]?$)|を免除する"
    r"|(?:写|填|加|做|交|附)不(?:写|填|加|做|交|附)(?:都行|都可以|均可|皆可|随意)"
    r"|由[^，,。]{0,6}(?:自行)?决定|自行决定|自愿"
    r"|可(?:以)?(?:省略|不填|不写|略去|删去|删除|不设|免)|不(?:强制|作要求|要求|必)|无需|无须|不需要|免(?:于|填|签|审|评|除|去)"
    r"|\b(?:may|can) (?:be )?(?:left out|omit(?:ted)?|skip(?:ped)?|dropp?(?:ed)?|delet(?:ed?)|remov(?:ed?))|\b(?:is|are) (?:up to|at the discretion of)\b|\bneed(?:s)? no\b|\bneed not\b|\b(?:is|are) not (?:required|needed|necessary|mandatory|compulsory)"  # noqa: E501  # a pattern or list stays in one line
)
# "Nobody may leave it out" demands it.
_NOBODY = re.compile(
    r"(?:没有(?:一个|任何)?(?:人)?|无人|谁也不|均不|都不)[^，,。]{0,4}(?:可以|能|得)不|不(?:得|能|可)不|(?:省略|省い|なく)ては?(?:なら|いけ)ない"
    r"|\b(?:no one|nobody|none)\b[^.;]{0,20}\b(?:may|can) (?:skip|omit|leave out)"
)
_ALSO_NOT: dict[Language, re.Pattern[str]] = {
    "ja": re.compile(r"(?:ず|ない)、?(?:また|かつ|さらに)[^、。]{1,12}(?:ず|ない|ません)"),
    "zh": re.compile(r"(?:不|无需|不得|不必)[^不，,。]{1,6}(?:也|且|又|、|或|并)(?:不得|不必|无需|不)"),
    "en": re.compile(r"\bneither\b[^.;]{1,40}\bnor\b|\bnot\b[^.;]{1,40}\band (?:is|are|must|does|do)? ?not\b"),
}
# "Not only by hand" does not deny the hand.
# What is turned down beside what is told: "underneath, never on top", "tabs, not spaces, are used".
_CONTRAST_BEHIND = re.compile(r"(?<=\w), (?:and |but )?(?:never|not) (?:[\w'-]+ ?){1,4}(?:,|$)")
_NOT_ALONE = re.compile(r"[仅只]|单(?!独)|仅靠| (?:only|just|solely)\b")
# "without", said of how something is done that the rest of the clause tells.
_HOW = re.compile(r"(?:し)?(?:に|で)(?!する|は|も|ある|よい|良い|いい|くださ|下さ)[^。]{2,}|ず、?に(?!する)[^。]{2,}")
# "待たずに始めてよい": the negation says how, the predicate stands behind it.
_WITHOUT_DOING = re.compile(r"(?:ず、?に|いで、?)(?!する|す|し|よ|良|い|も|は|くださ|おく)(?=[^。]{3,})")
_CASE, _FIRST_PARTICLE = re.compile(r"[をにでへがは、]"), re.compile(r"^(?:を|は|が|も|の|や)")
_OF_A_PLACE = re.compile(r"の[^、。をは]{1,24}?(?:に|で|へ|から|と)は(?!な)[^。]*[をはがも]")
# A noun that nothing can be done with: "添付はできません" bans it, "この画面ではできません" only tells.
_NOT_POSSIBLE = re.compile(
    r"^([^。]{0,40}?(?:[一-龥々ァ-ヶー](?=(?:は|も)(?!じ))|[ぁ-ん]こと(?=は|も)))[はも](?:、[^。]{1,24})?(?:でき|行え|使え|認められ|許可され)(?:ません|ない)[。.]?$"
)
_NARRATIVE = 120
_LAST_ASIDE = re.compile(r"\s*\([^()]*\)[。.]?$")
# What tells of the text itself, of facts or of possibilities.
_NARRATED = re.compile(
    r"^(?:本(?:ガイド|書|資料|文書|章|節|項|研修|スライド)|これ(?:ら)?(?:は|により)|そのため|このため|また、これ|例えば|図\s?\d|表\s?\d)"
    r"|(?:のため(?!の|に(?!は))|ことから|ものの|一方で|うえで重要|でしょう|かもしれ|場合があ[るり]|ことがあ[るり]|可能性があ[るり]|恐れがあ[るり]|おそれがあ[るり])"
)
# A clause that only says that it makes no difference who or what ("社員か協力会社かを問わず", 无论大小).
_WHOEVER: dict[Language, re.Pattern[str]] = {
    "ja": re.compile(r"(?:を問わず|にかかわらず|に関わらず|によらず|を問わない)$"),
    "zh": re.compile(r"^(?:无论|不论|不管|不分)[^，。]{2,20}$"),
    "en": re.compile(r"^(?:regardless|irrespective) of [^,.;]*$"),
}
_TOPIC_MARK = re.compile(r"は(?!じめ|ん)|には|では|も、|を.{0,12}(?:に|で|と)")
_ADJACENT = 4
# Spaces between "no" inside a clause and the last word it may bear on.
_NO_REACH = 2
# "Stack traces never leave the server": the subject itself is denied, unlike that of "passwords never contain…".
_NEVER_HAPPENS = re.compile(
    r"never (?:be |been )?(?:(?:leave|appear|occur|reach|show up|turn up|get through|get into|end up)s?\b|(?!need|want|requir|contain)[a-z]{3,}ed\b"  # noqa: E501  # a pattern stays in one line
    r"|(?:written|shown|given|sent|put|kept|made|seen|drawn|set)\b)"
)
_FORWARD_ONLY = frozenset({"without", "no", "avoid", "avoids", "never", "neither", "不含", "不带", "无"})
_PREDICATE_REACH, _LONG, _LONG_ENGLISH = 14, 70, 160
_CELL_VERDICT = re.compile(r"(?:[ぁ-ん]|必須|必要|任意|可|要|禁止|推奨|対象|対象外|[○●◯×✕])[。.]?$")
"""How a table cell ends that says whether something is done: a verb, or a word or mark of yes and no."""
_PRESCRIPTION = re.compile(
    r"(?:[るうくすむつぬぶぐいとずん]|こと|ください|ます|ません|です|禁止|不可|必須|不要|のみ|可|なし|あり|以内|以上|以下|未満|まで|必要|準拠|とし|ダメ|だめ|駄目|ng|ok|[しきりみいけせ])[。.]?$"
)
# Bullets that end in the name of an act, with its object before ("資料は前日までに共有", "変更要求票を起票").
_NAMED_ACT = re.compile(
    r"(?:を|に|で|へ|から|まで|即|都度|必ず|毎回)[^、。をにへ]{0,8}?"
    r"(?:起票|着手|共有|提出|実施|報告|登録|削除|確認|連絡|更新|保存|保管|添付|記入|記載|明記|承認|配布|配付|展開|送付|送信|通知|回答|返却|廃棄|入室|退室"
    r"|申請|依頼|作成|修正|対応|表示|出力|採番|付与|設定|使用|利用|統一|固定|分割|結合|実行|停止|開始|終了|適用|反映|公開|格納|圧縮|暗号化|検査|測定|集計|印刷|押印|署名|貸与|返納)[。.]?$"
)
_PROHIBITION = re.compile(
    r"(?:(?<!では)(?<!が)(?<!は)(?<!でき)(?<!れ)(?:ない|ません)(?:こと|もの)?(?:とする|でください|ように)?(?:する|すること)?"
    r"|ならない|なりません|いけない|ください|禁止(?:する|とする)?|不可(?:とする)?"
    r"|ちゃ(?:ダメ|だめ|駄目)(?:です)?|(?:ダメ|だめ|駄目|ng)(?:です|とする)?|不要(?:とする|である|です)?|せず|避ける(?:こと)?|控える(?:こと)?|なし(?:とする)?)[。.]?(?:\([^()]*\))?$"
)
_DESCRIPTION = re.compile(
    r"(?:できない|できません|期待でき|状況に|ものではない|わけではない|と考えられ|されている|されています|となっている|となっています|れている|でしょう|でいう|をいう|と言え|かもしれ|ありません)[。.]?$"
    r"|^图\s?\d|^表\s?\d|^図表? ?\d"
)
_PARENTHESES = re.compile(r"\([^()]*\)")
_SEPARATOR = re.compile(r"[、，。;；]|, | so that | because | in order | since | to avoid ")
_COORDINATION = re.compile(
    r"^[\"「」』『]*(?:や|・|と|または|又は|もしくは|も|及び|および|or|and|、|和|或|,|/|\+|\s)*[\"「」『』]*$"
)
_OTHER_THAN_AFTER = re.compile(r"^[」』\")]?\s*(?:以外|之外)")
_OTHER_THAN_BEFORE = re.compile(r"(?:other than|except|but|(?<![削解免排控清])除了?)\s*[「『\"]?$")


def modality_of(hits: tuple[Hit, ...]) -> Modality:
    """Return the modality of a clause from its markers; a plain statement is a must."""
    if any(hit.is_marker("should") for hit in hits):
        return "should"
    denied = any(hit.is_marker("not", "enough") for hit in hits)
    if not denied and any(hit.is_marker("may") for hit in hits) and not any(hit.is_marker("must") for hit in hits):
        return "may"
    return "must"


def is_affirmed(
    text: str, hits: tuple[Hit, ...], span: tuple[int, int], language: Language, rivals: tuple[Hit, ...]
) -> bool:
    """Tell whether a word is demanded (True) or denied (False).

    Negations that bear on the word are counted; an even number affirms ("must not be omitted", "nothing but").

    Args:
        text: The normalised clause.
        hits: All words of the clause.
        span: Offsets of the word and behind it.
        language: Japanese negates behind the word, Chinese and English before it or in a predicate behind it.
        rivals: Words of the same kind, which keep a negation to themselves.
    """
    start, end = span
    negations = [
        hit
        for hit in unquoted(text, hits, start)
        if hit.is_marker("not", "contrast", "reject")
        and not start <= hit.start < end
        and not _NOT_ALONE.match(text, hit.end)
    ]
    bearing = (
        _behind(text, negations, end, rivals) if language == "ja" else _around(text, negations, start, end, rivals)
    )
    if language == "ja" and text[end - 1] == "で" and text.startswith("はな", end):
        # "チャットではなく": the word of the lexicon has swallowed the particle.
        return False
    if _OTHER_THAN_AFTER.match(text[end : end + 5]) or _OTHER_THAN_BEFORE.search(text[max(0, start - 14) : start]):
        bearing += 1
    return bearing % 2 == 0


def _behind(text: str, negations: list[Hit], end: int, rivals: tuple[Hit, ...]) -> int:
    count = 0
    for negation in negations:
        if negation.start < end or _only_says_how(text, negation, end):
            continue
        between = [rival for rival in rivals if end <= rival.start and rival.end <= negation.start]
        if negation.is_marker("contrast") and (between or negation.start - end > _ADJACENT):
            # "XではなくY" denies X alone.
            continue
        edge = end
        for rival in between:
            if not _COORDINATION.match(text[edge : rival.start]) or text[negation.start : negation.end] in (
                "なし",
                "無し",
            ):
                break
            edge = rival.end
        else:
            count += 1
    return count


def _only_says_how(text: str, negation: Hit, end: int) -> bool:
    """Tell whether a Japanese negation says how something is done, and of another thing ("A4で余白なしに").

    Such a negation bears on what stands right before it, whatever its particle.
    """
    if not _HOW.match(text, negation.end) and not _HOW.match(text, negation.end - 1):
        return False
    return _CASE.search(_FIRST_PARTICLE.sub("", text[end : negation.start])) is not None


def names_setting(text: str, end: int, language: Language) -> bool:
    """Tell whether a Japanese word ending at `end` only says whose part is spoken of ("PDFの帳票の名前には…を")."""
    return language == "ja" and _OF_A_PLACE.match(text, end) is not None


def _around(text: str, negations: list[Hit], start: int, end: int, rivals: tuple[Hit, ...]) -> int:
    count = 0
    for negation in negations:
        if negation.end <= start:
            gap = text[negation.end : start]
            if negation.start and text[negation.start : negation.end] == "no" and gap.count(" ") > _NO_REACH:
                # "volumes that hold no personal data unencrypted": the determiner bears on its own noun.
                continue
            between = [rival for rival in rivals if negation.end <= rival.start and rival.end <= start]
            coordinated = not between or bool(_COORDINATION.match(text[between[-1].end : start]))
            count += not _SEPARATOR.search(re.sub(r"[\"」』]\s*,\s*", "", gap)) and coordinated
        elif text[negation.start : negation.end] in _FORWARD_ONLY and not _NEVER_HAPPENS.match(text, negation.start):
            continue
        elif not negation.is_marker("contrast") and not _SEPARATOR.search(text[end : negation.start]):
            count += not any(rival.start >= negation.end for rival in rivals) and _joined(text, end, negation, rivals)
    return count


def _joined(text: str, end: int, negation: Hit, rivals: tuple[Hit, ...]) -> bool:
    """Tell whether only coordinated words stand between a word and a negation ("procedures and triggers are not")."""
    edge = end
    for rival in rivals:
        if end <= rival.start < negation.start:
            if not _COORDINATION.match(text[edge : rival.start]):
                return False
            edge = rival.end
    return True


def duty_of(text: str, hits: tuple[Hit, ...]) -> Duty:
    """Tell whether a clause requires something to be there, or says that it may be missing."""
    if _NOBODY.search(text):
        return "required"
    if _LEFT_OUT.search(text) and not any(hit.is_marker("only") for hit in hits):
        return "optional"
    if any(hit.is_marker("optional") for hit in hits):
        # "Only X may be left out" says nothing about X beside the rest.
        return "unsaid" if any(hit.is_marker("only") for hit in hits) else "optional"
    if any(hit.is_marker("required") for hit in hits) or _INCLUSION.search(text):
        return "required"
    return "unsaid"


def waiver_in(text: str, hits: tuple[Hit, ...]) -> tuple[int, int] | None:
    """Return the offsets of the words by which a clause says that something may be missing, None where it does not."""
    if duty_of(text, hits) != "optional":
        return None
    if match := _LEFT_OUT.search(text):
        return match.span()
    return next((hit.start, hit.end) for hit in hits if hit.is_marker("optional"))


def is_denied(text: str, hits: tuple[Hit, ...], language: Language) -> bool:
    """Tell whether the predicate of a clause as a whole is negative; a Japanese predicate stands at the end."""
    first = len(text) - _PREDICATE_REACH if language == "ja" else 0
    contrast = _CONTRAST_BEHIND.search(text) if language == "en" else None
    negations = sum(
        hit.is_marker("not", "reject") and not _NOT_ALONE.match(text, hit.end)
        for hit in unquoted(text, hits)
        if hit.end >= first
        and not (language == "ja" and _WITHOUT_DOING.match(text, hit.end - 1))
        and not (contrast and contrast.start() <= hit.start and hit.end <= contrast.end())
    )
    # "neither written nor handed in" denies both; it does not affirm.
    return (negations - len(_ALSO_NOT[language].findall(text))) % 2 == 1


def is_prescription(text: str, language: Language, labelled: bool) -> bool:
    """Tell whether a clause is worded as a rule: short, with a predicate that prescribes rather than describes."""
    if language == "en":
        return len(text) <= _LONG_ENGLISH
    if language == "ja":
        text = _LAST_ASIDE.sub("", text)
        if len(text) <= _LONG and _NOT_POSSIBLE.search(text):
            return True
    if len(text) > _LONG or _DESCRIPTION.search(text):
        return False
    if labelled and language == "ja":
        # A cell that only names something ("一覧表: 機能一覧") neither demands nor forbids it.
        return _PRESCRIPTION.search(text) is not None or _CELL_VERDICT.search(text) is not None
    if language == "zh" and text.endswith(("的", "者", "时")):
        return False
    return labelled or language == "zh" or _PRESCRIPTION.search(text) is not None or _NAMED_ACT.search(text) is not None


def makes_no_difference(text: str, language: Language) -> bool:
    """Tell whether a normalised clause only says that it makes no difference who or what ("大小を問わず")."""
    return _WHOEVER[language].search(text) is not None


_BEYOND: dict[Language, re.Pattern[str]] = {
    "ja": re.compile(
        r"\d[^、。はが]{0,5}?(?:以上|以下|未満|を?超え|より(?:多|長|大|少|短)|を(?:上|下)回)[^、。]*(?:ない|ません|禁止|不可|ず)"
    ),
    "zh": re.compile(r"(?:不得|禁止|不能|不可|不应)[^，。]{0,12}\d[^，。]{0,3}(?:以上|以下|以内)"),
    "en": re.compile(r"\b(?:not|never)\b[^,.;]{0,30}\b(?:more|less|fewer|longer|shorter) than\b"),
}


def bans_beyond(text: str, language: Language) -> bool:
    """Tell whether a normalised clause bans only what goes beyond a number ("3回以上再実行してはならない")."""
    return _BEYOND[language].search(text) is not None


def states_something(text: str, language: Language, labelled: bool) -> bool:
    """Tell whether a clause can state a rule at all: it has a predicate or says something of a topic.

    A Japanese fragment (a title, a file name, a caption) and a long narrative do neither.
    """
    if makes_no_difference(text, language):
        return False
    if language != "ja" or labelled:
        return True
    if len(text) > _NARRATIVE or _NARRATED.search(text):
        return False
    told = _LAST_ASIDE.sub("", text)
    return any(
        pattern.search(said) for pattern, said in ((_TOPIC_MARK, text), (_PRESCRIPTION, told), (_NAMED_ACT, told))
    )


def unquoted(text: str, hits: tuple[Hit, ...], place: int = -1) -> tuple[Hit, ...]:
    """Return the words outside quotation marks and of parentheses that do not hold `place`.

    A quoted word is mentioned, not used; an aside does not negate the sentence around it.
    """
    spans = [(term.start, term.end) for term in find_quoted(text)]
    spans += [match.span() for match in _PARENTHESES.finditer(text) if not match.start() < place < match.end()]
    return (
        tuple(hit for hit in hits if not any(start < hit.start and hit.end < end for start, end in spans))
        if spans
        else hits
    )


def what_is_impossible(text: str) -> str:
    """Return what a Japanese clause says that nobody can do, "" for other clauses.

    >>> what_is_impossible("メールへの添付はできません"), what_is_impossible("この画面ではできません")
    ('メールへの添付', '')
    """
    match = _NOT_POSSIBLE.search(text)
    return match.group(1) if match else ""


def is_prohibition(text: str, language: Language) -> bool:
    """Tell whether a negative clause is worded as a prohibition, not as a negative fact."""
    return language != "ja" or _PROHIBITION.search(text) is not None or _NOT_POSSIBLE.search(text) is not None
