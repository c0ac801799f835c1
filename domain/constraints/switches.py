"""Features that a rule turns off without a negation, and words that only tell of what else is done with a thing."""

import re

from .text import Hit, Language

# Predicates by which something is not there, although no word of them says no.
_OFF: dict[Language, re.Pattern[str]] = {
    "ja": re.compile(
        r"無効化|無効(?=(?:に|と)(?:する|し|なって|しておく|設定)|[。.]?$|であること|で固定)"
        r"|オフ(?=(?:に|と)(?:する|し|なって)|[。.]?$)|(?:使用|利用)(?:を|は)?(?:停止|中止)(?=する|し|と|[。.]?$)|取りやめ|廃止(?=する|とする|し、)"
        r"|オフ(?=の(?:まま|状態))"
        r"|(?:を|は)(?:切る|切って|切り|やめ|止め)(?=[るて、。]|$)|: ?off$"
        r"|(?:を|は|: ?)(?:すべて|全て|必ず)?(?:解除|外[しすさ]|取り外|取り除|非表示|クリア)(?=[しすされてるいとに、。]|$)"  # noqa: E501  # a pattern stays in one line
        r"|(?<=[をは])(?:すべて|全て|必ず|速やかに|その場で)?(?:削除|除去|撤去|消去)(?:する|し、|すること|します)?(?=[。.]?$)"
    ),
    "zh": re.compile(
        r"(?<!负责)(?<!后)(?<!方可)(?<!单)(?<!问题)(?<!缺陷)(?<!风险)(?<!人)关闭(?![的了状按时权])|停用|关掉|屏蔽|取消(?=使用|启用|该|此|自动|显示|勾选|[。.]?$)|不开启|: ?(?:关|off)$"  # noqa: E501  # a pattern stays in one line
    ),
    "en": re.compile(
        r"\b(?:(?:is|are|be|been|stays?|remains?|keep|kept|set) (?:to )?(?:off|disabled|deactivated|suppressed)|disabled?|deactivated?"  # noqa: E501  # a pattern stays in one line
        r"|(?:turn|switch)(?:ed|es|s)? off)\b(?! (?:buttons?|fields?|controls?|items?|users?|accounts?|state)\b)|: (?:off|disabled)$"  # noqa: E501  # a pattern stays in one line
    ),
}
_NO_RIGHT = re.compile(r"无权(?!限)|(?:无|没有|不具备|不享有)[^，。、]{0,6}(?:权限|权力|资格|权(?!重|衡))(?![的者时])")
# What is done with a thing that is there all the same: a ban of it bans no thing.
_TREATED: dict[Language, re.Pattern[str]] = {
    "ja": re.compile(
        r"^(?:の[^、。をは]{1,8})?を[^、。を]{0,10}?(?:書き換え|書換|変更|変え|修正|改変|編集|削除|入れ子|ネスト|置き換|流用|共有|動か|崩[しさ]|消[しさ]|外[しさ]"
        r"|[^、。を]{0,6}意味で|混在|混同|兼ね|分割|戻[しさ]|隠[しさ]|超え|無視|上書)"
    ),
    "zh": re.compile(
        r"(?:修改|变更|更改|改动|改变|编辑|删除|嵌套|替换|共用|挪用|混用|移动|隐藏|覆盖|忽略|遗漏|省略)[^，。、]{0,6}$"
    ),
    "en": re.compile(
        r"\b(?:chang|modif|edit|delet|nest|replac|shar|mov|reus|mix|overwrit|ignor|hid|remov|alter|reset|omit|skip|forget)[a-z]*"
        r"(?: [a-z]+){0,3} ?$"
    ),
}
_TREATED_BEHIND = re.compile(
    r"^(?: [a-z]+){0,2} (?:must|may|shall|should|can|is|are) (?:not|never) (?:be )?(?:chang|modif|edit|delet|nest|replac|shar|mov|reus"  # noqa: E501  # a pattern stays in one line
    r"|mix|overwrit|ignor|hid|remov|alter|reset|omit|skip)"
)

# A ban that ends once something was done says when, not whether.
_UNTIL: dict[Language, re.Pattern[str]] = {
    "ja": re.compile(
        r"(?:[るた]|終了|完了|承認|合格)まで[^。、]{0,24}(?:ない|ません|ず|禁止|不可)|(?:(?<!これ)(?<!それ)(?<!日)(?<!分)まで|(?:する|の)前)(?:は|に)[^。]{0,20}(?:ない|ず|禁止|不可)"
    ),
    "zh": re.compile(r"(?<!以)(?:之前|前)[，,]?[^，,。]{0,6}(?:不得|不能|不可|禁止|严禁)"),
    "en": re.compile(r"\b(?:no|not|never|nothing)\b[^.;]{3,50}\b(?:before|until)\b"),
}
# The same where the clause before says until when ("承認されるまで、着手してはならない").
_UNTIL_BEFORE: dict[Language, re.Pattern[str]] = {
    "ja": re.compile(r"(?:[るた]|終了|完了|承認|合格)まで(?:の間)?(?:は)?[、,]?$|(?:る|の)前(?:は|に)[、,]?$"),
    "zh": re.compile(r"(?:之前|前)[，,]?$"),
    "en": re.compile(r"^(?:until|before) [^.;]*,?\s*$"),
}


def is_temporary(text: str, sentence: str, language: Language) -> bool:
    """Tell whether a normalised clause of a sentence bans something only until something else is done.

    >>> is_temporary("基本設計に着手してはならない", "要件定義書が承認されるまで、基本設計に着手してはならない", "ja")
    True
    """
    if _UNTIL[language].search(text):
        return True
    before = sentence[: max(0, sentence.find(text))].rstrip()
    return _UNTIL_BEFORE[language].search(before) is not None


def off_words(text: str, language: Language) -> tuple[Hit, ...]:
    """Return the predicates of a normalised clause that turn something off, as negations.

    >>> [hit.start for hit in off_words("autocomplete is turned off", "en")]
    [16]
    """
    return tuple(
        Hit(("m.not",), match.start(), match.end(), frozenset({"not"})) for match in _OFF[language].finditer(text)
    )


def without_right(text: str, hits: tuple[Hit, ...], language: Language) -> tuple[Hit, ...]:
    """Return the words by which a Chinese clause denies somebody the right to do something, as negations."""
    if language != "zh":
        return ()
    known = [hit for hit in hits if hit.is_marker("not") and text[hit.start : hit.end] not in ("无", "没有")]
    return tuple(
        Hit(("m.not",), match.start(), match.end(), frozenset({"not"}))
        for match in _NO_RIGHT.finditer(text)
        if not any(hit.start < match.end() and match.start() < hit.end for hit in known)
    )


# What is so in a case that changes nothing, or of which the rule comes later: the value belongs to the case.
_CONCEDED = re.compile(
    r"^(?:(?!ても|でも|、)[^。]){0,12}(?:[しっいきりみえけれせべめてねじ]ても|[んい]でも|場合(?:に)?も|(?:押下|選択|クリック|入力|タップ|操作)(?:する|した)と)、(?=[^。]{4,})"
    r"|^(?:時|の?際)に(?=[^。]{4,})|^[^。、]{0,12}場合(?:は|には)?、(?:下記|以下|次)の"
)


def is_conceded(text: str, end: int, language: Language) -> bool:
    """Tell whether a Japanese value only names a case, as one that makes no difference ("even where it is chosen").

    >>> text = "テキスト入力部を選択しても、候補一覧を表示しない"
    >>> is_conceded(text, 7, "ja"), is_conceded("チェックボックスにする", 8, "ja")
    (True, False)
    """
    return language == "ja" and _CONCEDED.match(text[end:]) is not None


def is_only_treated(text: str, start: int, end: int, language: Language) -> bool:
    """Tell whether a clause bans what is done with a thing, not the thing itself ("do not edit the page number").

    >>> is_only_treated("グローバル変数を直接書き換えない", 0, 7, "ja"), is_only_treated("マクロを使わない", 0, 3, "ja")
    (True, False)
    """
    if language == "ja":
        return _TREATED["ja"].match(text[end:]) is not None
    if _TREATED[language].search(text[:start]) is not None:
        return True
    return language == "en" and _TREATED_BEHIND.match(text[end:]) is not None
