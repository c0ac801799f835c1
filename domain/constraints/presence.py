"""Claims that something has to be there or has to be done, or must not, whatever it is.

The lexicon knows some features by name; rules ban and demand many more ("do not add a summary block", 単位を書かない,
不得手工键入). What a negation bans is read from where it stands: behind its object in Japanese, before it in Chinese
and English.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from .content import WEIGHT_BROADER, content_of
from .lexicon import Lexicon
from .modality import duty_of, is_denied, is_prohibition, modality_of, unquoted, what_is_impossible
from .switches import off_words
from .text import Hit, Language, scan
from .values import find_quantities

_JA_OBJECT = re.compile(
    r"([^、。,;:はがをにでもとへ\s]{1,16})(?:は|が|を|も|に|で|へ|と|には|では)?([^、。はがをにでもへ]{0,8})$"
)
# The object before its place ("本番データを試験の環境に持ち込まない").
_JA_OBJECT_PUT = re.compile(
    r"([^、。,;:はがをにでもとへ\s]{1,16})を[^、。はがを]{1,14}(?<!ごと)(?<!毎)(?:に|へ)([^、。はがをにでもへ]{1,8})$"
)
# "XはYに使ってはならない" bans X, for Y.
_JA_USE_FOR = re.compile(
    r"^(.{2,40}?)は(?!じめ|ん)、?.*?[^、。はがを]{1,12}に(?:は|も)?、?(?:用い|使用|利用|使[っわ]|流用|転用|充て|含め|入れ|載せ|残)[^、。にを]*$"
)
# A verb behind its object, and the verbs by whose ban the object itself is banned.
_JA_ACT = re.compile(
    r"を[^、。を]{0,6}?([一-龥][一-龥ぁ-ん]{0,5})$"
    # "コメントは削除しない" is about comments that are there.
    r"|は[^、。を]{0,4}?((?:削除|翻訳|編集|変更|修正|移動|分割|結合|加工|改変|複製|圧縮|解除|消|外|隠)[一-龥ぁ-ん]{0,3})$"
)
_JA_PUTTING = re.compile(
    r"使|用い|利用|付|書|記|入れ|入$|入力|挿|設|置|持|含|行|実施|出|示|作|許|認|残|採|加|足|追加|定義|添|印|引|打|貼|載|施|施す|適用|埋|並|描|押|取|与|備|求|課|有$|要|必要|名乗|積|組|送"
)
_JA_PLACE = re.compile(r"([^、。をは]{1,20})(?:に|へ)(?:は|も)?、?[^、。をはに]{1,20}[をは][^、。をに]{0,8}$")
_PLACE_BEHIND: dict[Language, re.Pattern[str]] = {
    "zh": re.compile(r"(?:在|于|以|用|通过|经由)([^，。、]{2,14}?)(?:中|里|内|上|下|形式|方式)"),
    "en": re.compile(
        r" (?:be )?[a-z]+(?: (?!in |into |to |from |on |with |as |at |over |via )[a-z-]+){1,4} (?:in|into|to|from|on|with|as|at|over|via) ([^.,;]{3,40})"  # noqa: E501  # a pattern stays in one line
    ),
}
# The same of a whole clause, with the negation.
_WAY: dict[Language, re.Pattern[str]] = {
    "ja": re.compile(
        r"([^、。はをがに]{1,16})で(?:は|も)?([^、。をがでに]{1,10})(?:ない|ません|ず|禁止|不可)[^、。]{0,8}[。.]?$"
    ),
    "zh": re.compile(
        r"(?:不得|禁止|严禁|不要|不能|不可|避免)(?:在|于|以|用|通过)([^，。、]{2,14}?)(?:中|里|内|上|下|形式|方式)"
    ),
    "en": re.compile(
        r"\b(?:not|never) [a-z]+(?: (?!in |to |from |on |with |as |at |over |via |by )[a-z-]+){1,4} (?:in|into|to|from|on|with|as|at|over|via|by) ([^.,;]{3,40})"  # noqa: E501  # a pattern stays in one line
    ),
}
# What something does or does not do of itself is no rule ("空白では動作しない").
_JA_STATE = re.compile(r"(?:動作|機能|成立|一致|存在|影響|対応|起動|反応|意味をな)(?:は|が|も)?(?:し|さ)?$")
_NO_INSIDE: dict[Language, re.Pattern[str]] = {
    "ja": re.compile(r"ない|ません|なし|無し|ず$|ず、|不要|禁止"),
    "zh": re.compile(r"不(?!同|足|良|明)|无|没有|禁止|未|免"),
    "en": re.compile(r"\b(?:no|not|never|without|none|nothing)\b|n't\b"),
}
# "XをYにしてはならない" bans X as Y, and no Y.
_JA_MADE_INTO = re.compile(
    r"([^、。はがを]{1,20})を([^、。はがを]{1,16})に(?:は)?(?:し|する|使|用い|設定|指定|採用)[^、。]*$"
)
_JA_AUXILIARY = re.compile(
    r"(?:ては|では|ちゃ|て)?(?:なら|いけ|おか|いか)$|こと(?:は|が|を)?$|の(?:は|を)$|もの(?:は|を)$"
)
_STOP = {
    "zh": re.compile(r"[，。；;,、（(]|以外|之外|(?<!^)(?:的情况|时)"),
    "en": re.compile(r"[,.;:(]| (?:by|when|if|unless|except|other|until|because|since|so|but|and then) "),
}
# A clause that only says when something holds.
_CONDITIONAL = {
    "ja": re.compile(r"(?:場合|とき|時|まで|たら|なら|れば|もの)(?:は|に|に限り|のみ)?、?$"),
    "zh": re.compile(r"(?:的|时|者|的情况|之前|前)$|^(?:如|若|当|凡)"),
    "en": re.compile(r"^(?:if|when|where|unless|until|once|as long as) "),
}
# What is only decided has not been demanded nor banned ("切り戻すかどうかは…が決める").
WHETHER: dict[Language, re.Pattern[str]] = {
    "ja": re.compile(
        r"(?:かどうか|か否か|の要否|の可否|の有無)(?:は|を|について)[^。]{0,30}(?:決め|判断|決定|判定|検討)"
    ),
    "zh": re.compile(r"(?:是否|要不要)[^，。]{1,16}(?:由|须由|应由)[^，。]{1,16}(?:决定|判断|确定)"),
    "en": re.compile(r"\bwhether\b[^.;]{0,60}\b(?:is|are|decides?|judges?|determines?)\b"),
}
_PASSIVE = {
    "zh": re.compile(
        r"^(?:被|予以?)?(?:[\u4e00-\u9fff]{0,2}(?:入|到|进|在|于)[\u4e00-\u9fff]|使用$|采用$|出现$|接受$|启用$|保留$|添加$|显示$|设置$)"
    ),
    "en": re.compile(
        r"^ ?(?:be |been |being )?(?:added|included|inserted|attached|printed|displayed|defined|accepted|contained|placed"  # noqa: E501  # a pattern or list stays in one line
        r"|written|shown|given|kept|put|drawn|set|made|used|allowed|permitted|needed|required|supported|applied|created|exposed|logged|stored|sent|returned|published)\b"
    ),
}
# A ban at the end of a clause, and where its subject ends.
_AT_THE_END: dict[Language, re.Pattern[str]] = {
    "zh": re.compile(r"(?:严格)?(?:禁止|严禁|不予允许|不被允许|不允许|不可|不得|不行)[。.]?$"),
    "en": re.compile(
        r"(?:prohibited|forbidden|banned|disallowed|unacceptable|barred|not (?:allowed|permitted|acceptable|ok))\b"
    ),
    "ja": re.compile(r"(?!)"),
}
_SUBJECT_ALONE: dict[Language, re.Pattern[str]] = {
    "zh": re.compile(r"(?:一律|均|都|严格|完全)$|(?:在|于)[^，。]{2,12}(?:中|里|内|上|时)?$"),
    "en": re.compile(r" (?:is|are|be|in|on|at|into|to|from|during|by|for|with|within|outside|inside|without)\b"),
    "ja": re.compile(r"$"),
}
# A ban that holds only for a time or place, or that leaves something out, is no ban of the thing as such.
_LIMITED = {
    "ja": re.compile(r"^[^、]{2,20}(?:期間中|の間|のあいだ|中)は|だけ(?:で|に頼|に依)|まま(?:で|の|に)"),
    "zh": re.compile(r"^(?:在)?[^，,]{2,12}(?:期间|时段)|(?:以外|之外)的|不(?:得|能|可|应|要)(?:仅|只|单)"),
    "en": re.compile(
        r"^(?:during|in the last|on (?:weekends|holidays)|between|outside)\b|\b(?:other than|except|unless|not only|not just|not alone)\b"  # noqa: E501  # a pattern stays in one line
    ),
}
# What only says when something has to be done: it demands nothing itself.
_OCCASION: dict[Language, re.Pattern[str]] = {
    "ja": re.compile(
        r"^[^、。]{2,24}?(?:場合(?:は|には)?|(?:とき|際|時)(?:は|には)|た(?:ら|後は?)|後は|前に(?:は)?)、?(?=[^、。]{2,})"
    ),
    "zh": re.compile(
        r"^[^，,。]{2,20}?(?:(?<!最|今|然|先|前|以|背)(?:之|以)?后|(?<!及|按|实|同|定|临)时(?!间|长|限|区|钟|刻)|(?<!目|当|提|以)(?:之)?前(?!端|缀|台|后))"
        r"(?:[，,]|(?=必须|应|须|要|需|再|才|方可|立即|统一|一律|由|均))"
    ),
    "en": re.compile(r"^(?:after|before|if|when|once|during|on|in|for|at|until) [^,]{3,60}, "),
}
# A Chinese clause that only says when.
_ZH_OCCASION = re.compile(r"^[^，。]{2,12}?(?:之后|以后|后|时|之前|前)(?=[\u4e00-\u9fff])")
_ZH_WHEN = re.compile(r"(?:后|时|前)$")
_ZH_LINKS = "的在为用是和与或及将把以于之每各此该按带含有从到"
_HAN = re.compile(r"[\u3400-\u9fff]")
_DETERMINERS = frozenset({"no", "without", "无", "不带", "不含"})
_LONGEST = {"zh": 14, "en": 48}
_PREFIXED = {
    "ja": re.compile(r"[非未無不]([\u4e00-\u9fff]{2})"),
    "zh": re.compile(r"[非未无不]([\u4e00-\u9fff]{2})"),
    "en": re.compile(r"\b(?:un(?!der|i|til|less)|non-?)([a-z]{4,})"),
}
# What is too general to be banned as such.
_GENERAL = frozenset(
    {
        "item", "document", "screen", "user", "name", "file", "page", "status", "number", "list", "table", "design-doc",
        "deliverable", "source-code", "database", "api", "system", "date", "message", "author", "shown", "enabled",
        "update-action", "register-action", "deadline", "retention", "approval", "review",
        "u:場合", "u:以外", "u:方法", "u:内容", "u:処理", "u:文字", "u:情報", "u:影響", "u:必要", "u:変更", "u:使用",
        "u:其他", "u:情况", "u:方式", "u:超过", "u:超過", "u:直接", "u:確認", "u:可能", "u:当該",
    }
)  # fmt: skip
# What is done with things: a ban of one says nothing without the thing.
ACTS = frozenset(
    {"changing", "backup", "login", "in-house-work", "deploy", "check-it", "u:add", "u:own", "u:追加", "u:另行"}
)
_LEAST = 0.6
# Spaces in " add a block" and longer objects: their first word is the verb.
_VERB_AND_OBJECT = 2
_LONGEST_CLAUSE = 160
# Weight from which a banned thing tells by itself what the rule is about.
_TELLING = 1.0
# All, as far as sums of fractions are exact.
_ALL = 0.99


@dataclass(frozen=True, slots=True)
class PresenceClaim:
    """Things that a clause demands, or things that it bans.

    Attributes:
        attribute: Always `presence`.
        demanded: What an affirmative clause names, with weights.
        banned: What a negation bears on, with weights.
        duty: Whether the clause says that something has to be there.
        sets: The closed sets that named or banned values belong to.
        act: Stem of the verb that is banned with its object; "" where the object as such is banned.
        said: What a demand says, to look the verb up in.
        place: Where a Japanese clause bans its object ("ログに個人情報を残さない"); with a place it is no ban as such.
    """

    attribute: str
    demanded: Mapping[str, float]
    banned: Mapping[str, float]
    duty: str = "unsaid"
    sets: frozenset[str] = frozenset()
    act: str = field(default="", compare=False)
    said: str = field(default="", compare=False)
    place: frozenset[str] = field(default=frozenset(), compare=False)


def presence_in(text: str, hits: tuple[Hit, ...], language: Language, lexicon: Lexicon) -> Iterator[PresenceClaim]:
    """Yield what a normalised, prescriptive clause demands or bans as such."""
    if WHETHER[language].search(text) or text.endswith(("ではなく", "でなく", "而不是", "而非")):
        # What is only decided, or set against what is done, is not demanded.
        return
    if len(text) > _LONGEST_CLAUSE or modality_of(hits) == "should" or _CONDITIONAL[language].search(text):
        return
    negations = [hit for hit in unquoted(text, hits) if hit.is_marker("not", "reject")]
    banned = _banned(text, hits, negations, language, lexicon)
    if banned:
        act = _act(text, negations, language)
        place = _place(text, negations, banned, language, lexicon)
        yield PresenceClaim("presence", {}, banned, sets=_sets(banned, lexicon), act=act, place=place)
    elif not negations and not off_words(text, language) and not _says_no(text, hits, language, lexicon):
        prefixed: dict[str, float] = {}
        duty = duty_of(text, hits)
        for match in _PREFIXED[language].finditer(text):
            # What may be left undone (可以不修改) is not banned.
            if duty == "optional" or any(hit.start <= match.start() and match.end() <= hit.end for hit in hits):
                # 無操作 is a word of its own, and no ban of 操作.
                continue
            prefixed |= named_things(match.group(1), lexicon, language)
        said = _OCCASION[language].sub("", text)
        demanded = {
            item: weight for item, weight in named_things(said, lexicon, language).items() if item not in prefixed
        }
        yield PresenceClaim("presence", demanded, prefixed, duty, _sets(demanded, lexicon), said=text)


def _says_no(text: str, hits: tuple[Hit, ...], language: Language, lexicon: Lexicon) -> bool:
    """Tell whether a clause names a value that itself says no ("見出し行は付けない"): it demands nothing it names."""
    return any(
        _NO_INSIDE[language].search(text[hit.start : hit.end])
        for hit in hits
        if any(name in lexicon.enum_of or name in lexicon.flag_set for name in hit.ids)
    )


def _banned(
    text: str, hits: tuple[Hit, ...], negations: list[Hit], language: Language, lexicon: Lexicon
) -> dict[str, float]:
    """Return what the negations of a clause ban."""
    lists = [hit for hit in negations if text[hit.start : hit.end] in _DETERMINERS]
    if len(lists) > 1 and len(lists) == len(negations) and len({text[hit.start : hit.end] for hit in lists}) == 1:
        # "no dates, no initials": each bans what follows it.
        return {
            item: weight
            for negation in lists
            for item, weight in named_things(_object(text, negation, language), lexicon, language).items()
        }
    if (
        _LIMITED[language].search(text)
        or not is_prohibition(text, language)
        or not is_denied(text, hits, language)
        or len(negations) != 1
        or duty_of(text, hits) == "optional"
    ):
        return {}
    purpose = (_JA_USE_FOR.match(text) or _JA_MADE_INTO.search(text)) if language == "ja" else None
    impossible = what_is_impossible(text) if language == "ja" else ""
    if impossible.endswith("こと"):
        done = _JA_OBJECT.search(impossible.removesuffix("こと"))
        impossible = f"{done.group(1)} {done.group(2)}" if done else ""
    thing = impossible or (purpose.group(1) if purpose else _object(text, negations[0], language))
    states = language == "ja" and _JA_STATE.search(text[: negations[0].start])
    if states or find_quantities(thing, lexicon):
        # What something does of itself, or a bound on a number, not a ban.
        return {}
    banned = named_things(thing, lexicon, language)
    if language == "ja":
        return banned
    if not negations[0].is_marker("not"):
        # "returned for correction": what follows a refusal is not what is refused.
        return {}
    return _banned_behind(text, negations[0], thing, banned, language, lexicon)


def _banned_behind(  # noqa: PLR0917  # a negation, what follows it, and how to read them
    text: str, negation: Hit, thing: str, banned: dict[str, float], language: Language, lexicon: Lexicon
) -> dict[str, float]:
    """Return what a negation bans in a language that negates before the verb: the subject, or what follows."""
    said = text[: negation.start]
    if _AT_THE_END[language].match(text, negation.start):
        # "Taking pictures in the office is prohibited", 拍照一律禁止: the subject is banned, without its place.
        return named_things(_SUBJECT_ALONE[language].split(said, maxsplit=1)[0], lexicon, language)
    topic = named_things(said, lexicon, language)
    if _PASSIVE[language].match(thing):
        # "Emoji must not be used", 版本号不写入文件名: the subject is banned.
        if language == "zh":
            # "用例废弃后编号不再使用" bans the use of numbers, when test cases are given up.
            said = _ZH_OCCASION.sub("", text[: negation.start])
            return {} if not said or _ZH_WHEN.search(said) else named_things(said, lexicon, language)
        return topic
    if language == "en":
        topic |= named_things(thing.split(" ")[1], lexicon, language) if thing.count(" ") > _VERB_AND_OBJECT else {}
    # What the clause is about is not what it bans.
    return {item: weight for item, weight in banned.items() if item not in topic}


def _act(text: str, negations: list[Hit], language: Language) -> str:
    """Return the stem of the verb that a Japanese clause bans with its object ("例外を握りつぶさない"), "" for others.

    Verbs of putting and using ban the thing; others only what is done with it.
    """
    if language != "ja" or len(negations) != 1:
        return ""
    match = _JA_ACT.search(_JA_AUXILIARY.sub("", text[: negations[0].start]))
    act = (match.group(1) or match.group(2)) if match else ""
    return "" if _JA_PUTTING.search(act) else act


def _place(
    text: str, negations: list[Hit], banned: Mapping[str, float], language: Language, lexicon: Lexicon
) -> frozenset[str]:
    """Return what a clause names as the place from which something is banned, or the way in which it is not done."""
    if len(negations) != 1:
        return frozenset()
    if language == "ja":
        match = _JA_PLACE.search(text[: negations[0].start])
        return frozenset(named_things(match.group(1), lexicon, language)) - banned.keys() if match else frozenset()
    match = _PLACE_BEHIND[language].match(text, negations[0].end)
    return frozenset(named_things(match.group(1), lexicon, language)) if match else frozenset()


def way_of_ban(text: str, language: Language, lexicon: Lexicon) -> frozenset[str]:
    """Return what a normalised ban names as the way or place it is about ("口頭で報告しない"), empty for others."""
    match = _WAY[language].search(text)
    return frozenset(named_things(match.group(1), lexicon, language)) if match else frozenset()


def _sets(items: Mapping[str, float], lexicon: Lexicon) -> frozenset[str]:
    return frozenset(name for item in items for name in lexicon.enum_of.get(item, ()))


def _object(text: str, negation: Hit, language: Language) -> str:
    if language == "ja":
        before = _JA_AUXILIARY.sub("", text[: negation.start])
        match = _JA_OBJECT_PUT.search(before) or _JA_OBJECT.search(before)
        return f"{match.group(1)} {match.group(2)}" if match else ""
    behind = text[negation.end : negation.end + _LONGEST[language]]
    return _STOP[language].split(behind, maxsplit=1)[0]


def named_things(text: str, lexicon: Lexicon, language: Language) -> dict[str, float]:
    """Return what a normalised text names that can be demanded or banned, with weights."""
    hits = scan(text, lexicon.index(language))
    if language == "zh":
        # A single character inside a compound ("图" in "位图") is not what the compound is.
        hits = tuple(hit for hit in hits if hit.end - hit.start > 1 or not _inside_compound(text, hit.start))
    found = content_of(text, hits, (), lexicon, language)
    return {item: weight for item, weight in found.items() if item not in _GENERAL and weight >= WEIGHT_BROADER}


def _inside_compound(text: str, start: int) -> bool:
    before = text[start - 1] if start else " "
    return _HAN.match(before) is not None and before not in _ZH_LINKS


def is_whole(a: PresenceClaim, b: PresenceClaim, common: frozenset[str], lexicon: Lexicon) -> bool:
    """Tell whether the ban says nothing beside what the other rule demands, so that no further agreement is needed."""
    if common <= ACTS | lexicon.light_set:
        return False
    banned = a.banned or b.banned
    weight = sum(banned[item] for item in common if item in banned)
    return weight >= _TELLING and weight >= _ALL * sum(banned.values())


def is_elsewhere(a: PresenceClaim, b: PresenceClaim) -> bool:
    """Tell whether a thing is banned from a place that the other rule, which demands it, does not name."""
    place, demanded = (a.place, b.demanded) if a.banned else (b.place, a.demanded)
    return bool(place) and place.isdisjoint(demanded)


def _values_of(items: Iterable[str], sets: frozenset[str], lexicon: Lexicon) -> bool:
    return any(not sets.isdisjoint(lexicon.enum_of.get(item, ())) for item in items)


def contradicted(a: PresenceClaim, b: PresenceClaim, lexicon: Lexicon) -> frozenset[str]:
    """Return what one claim demands and the other bans, empty when that is nothing of substance."""
    best: frozenset[str] = frozenset()
    for one, two in ((a, b), (b, a)):
        common = one.demanded.keys() & two.banned.keys()
        if two.act and two.act[0] not in one.said:
            # "Do not swallow exceptions" bans no exceptions: the other rule has to do the same with them.
            continue
        if one.sets & two.sets and not _values_of(common, one.sets & two.sets, lexicon):
            # What is banned is a value, and the other rule demands another one: they agree.
            continue
        if sum(max(one.demanded[item], two.banned[item]) for item in common) >= _LEAST:
            best |= frozenset(common)
    return best
