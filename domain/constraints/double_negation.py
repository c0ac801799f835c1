"""Rewriting of sentences that forbid something unless something else is there: they demand that other thing."""

import re

from .text import Language

_JAPANESE = re.compile(
    r"^(.{2,60}?)(?:が|の)?(?:なければ(?!なら|いけ)|ないと(?!なら|いけ|す|し)|なくては(?!なら|いけ)|ない限り|なしには?|なしでは"
    r"|を(?:得|経|受け|済ませ|取ら|通さ)(?:ずに|ないで|ないまま)|がないまま)、?"
    r"(.{0,40}?)(?:でき(?:ない|ません)|てはならない|てはなりません|てはいけない|(?:ない|ません)(?:こと|もの)?(?:とする)?|認めない|不可(?:とする)?|禁止(?:する|とする)?)[。.]?$"
)
# What is done, with its object: "受入テストを行わ", "外部ライブラリを追加し".
_DONE_TO = re.compile(r"^([^、。はがをに]{2,24})(?:を|に|へ)[^、。をに]{1,10}$")
# "表紙のない設計書は受け付けない", "代替テキストのない画像がないこと", "レビュー済みでないケースを実行してはならない".
_JAPANESE_LACK = re.compile(
    r"^([^、。はがを]{2,24}?)(?:(?:の|が)(?:ない|無い|付いていない|記載されていない)|済みで(?:は)?ない|を(?:付けて|受けて|経て|記載して)いない)([^、。はがを]{2,20})"
    r"(?:は|を|が)、?(?:[^、。]{0,8}(?:受け付け|受理|認め|許可し|承認し|納品し|提出し|実行し|リリースし|登録し|使用し|公開し|マージし)(?:ない|ません|てはならない|てはなりません|てはいけない)"
    r"|(?:(?:[一1]つも|ひとつも|[一1]件も|一切|全く)、?)?(?:ない|存在しない|残っていない|見当たらない)(?:こと|ようにする)|(?:一律)?(?:差し?戻す|差し戻しとする|却下する|不合格とする|不可とする|返却する|無効(?:とする|である)?|拒否する|受け入れない|扱わない))[。.]?$"
)
# "業務部門以外はマスタデータを変更してはならない": nobody else may.
_JAPANESE_ELSE = re.compile(
    r"^([^、。はがを]{2,24}?)以外(?:の(?:者|人|部門|部署|担当|メンバー))?(?:は|が|には)、?([^。]{2,40}?)"
    r"(?:ては(?:なら|いけ)(?:ない|ません)|て(?:も)?はいけません|ちゃ(?:だめ|ダメ|いけない)|ることは?でき(?:ない|ません)|ることを禁(?:止する|ずる))[。.]?$"
)
_CHINESE_ELSE = re.compile(
    r"^(?:除([^，。]{2,16}?)(?:以?外|之外)|([^，。除]{2,16}?)(?:以外|之外)(?:的(?:人员?|部门|岗位|用户))?)[，,]?(?:其他(?:人员?|部门|任何人)?|任何人)?(?:均|一律|都)?(?:不得|不能|不可|禁止|无权|不允许)([^，。]{2,30})$"
)
_ENGLISH_ELSE = re.compile(
    r"^(?:nobody|no one|none) (?:but|other than|except(?: for)?|apart from) (.{3,40}?) (may|can|is allowed to|is permitted to|shall|must) (.{3,80})$"  # noqa: E501  # a pattern stays in one line
)
_ENGLISH_NOBODY = re.compile(
    r"^(?:nobody|no one)(?! (?:but|other|else|except|apart))(?: (?:may|can|shall|must|is allowed to|is permitted to|is to))? (?:ever )?(.{3,80})$"  # noqa: E501  # a pattern stays in one line
)
_ENGLISH_SKIPPED = re.compile(r"^(?:skip|omit|bypass|leave out|dispense with)s? (.{3,60}?)\.?$")
_ENGLISH_NONE_WITHOUT = re.compile(
    r"^no ([a-z][^.,;]{2,30}?) (?:is|are|goes?|may|can|shall|leaves?|gets?|passes?|will)\b[^.,;]{0,30}? without (?:an? |the |any )?([^.,;]{3,50})\.?$"  # noqa: E501  # a pattern stays in one line
)
_CHINESE = re.compile(r"未经(.{1,24}?)[，,]?\s*(?:一律|均)?(?:不得|不能|不可|不允许|严禁|禁止|不予)(.{0,30})$")
_CHINESE_ONLY = re.compile(r"(?:没有|无|缺少)(.{1,20}?)的?[，,]\s*(?:一律|均)?(?:不得|不能|不可|不允许|不予)(.{0,30})$")


# "出现Tab即退回" forbids what turns up.
_CHINESE_TURNS_UP = re.compile(
    r"(?:出现|含有|使用|发现)([^，。、]{1,14}?)(?:的)?[，,]?(?:即|就|则|一律|均)?(?:予以)?(?:退回|驳回|打回|不通过|不予通过|判不合格|不合格)$"
)
_CHINESE_LACK = re.compile(
    r"(?:没有|未带|不带|不含|缺少|未附|未写|未填)([^，。、]{1,16})的(?:[^，。、]{0,8})?[，,]?\s*(?:一律|均)?(?:不得|不能|不可|不允许|不予|退回|驳回|拒绝)([^，。]{0,10})$"
)
_ENGLISH = re.compile(
    r"^(.{3,50}?),? (?:without|that lacks?|lacking|with no) (?:an? |the |any )?(.{3,50}?) "
    r"(?:(?:must|may|shall|will|can|is|are) not(?: be)?|cannot be|(?:is|are|will be) (?=rejected|refused|returned|sent back|closed)) ?(.{0,60}?)\.?$"  # noqa: E501  # a pattern stays in one line
)


def without_double_negation(text: str, language: Language) -> str:
    """Return a normalised sentence with "no X without Y" put as "X needs Y"; other sentences as they are."""
    if language == "ja":
        return _japanese(text)
    if language == "zh":
        if match := _CHINESE_ELSE.search(text.rstrip("。.")):
            return f"只有{match.group(1) or match.group(2)}可以{match.group(3)}"
        for pattern in (_CHINESE, _CHINESE_ONLY):
            if match := pattern.search(text):
                return f"{text[: match.start()]}须经{match.group(1)}方可{match.group(2)}"
        if match := _CHINESE_TURNS_UP.search(text.rstrip("。.")):
            return f"{text[: match.start()]}不得使用{match.group(1)}"
        if match := _CHINESE_LACK.search(text):
            return f"{text[: match.start()]}须有{match.group(1)}方可{match.group(2)}"
    return _english(text) if language == "en" else text


# "教育を受けていない者にはアカウントを渡さない": they have to have had it.
_JAPANESE_UNTRAINED = re.compile(
    r"^([^、。はが]{2,24}?)を?(?:受け|終え|済ませ|修了し|取得し|提出し)て(?:い)?ない(?:者|人|担当者?|要員|メンバー)に(?:は)?、?([^。]{2,30}?)(?:ない|ません)(?:こと)?[。.]?$"
)


# "欄に「●」以外の文字が表示されることがあってはならない", "伏せ字になっていない氏名が1件も見つからないこと"
_JAPANESE_NOTHING_ELSE = re.compile(
    r"^(.{2,30}?)(?:に|には)([^、。]{1,14}?)以外の[^、。]{1,14}が[^、。]{1,14}(?:ことがあって|あって)は(?:ならない|なりません|いけない)(?:こと)?[。.]?$"
)
_JAPANESE_NONE_UNDONE = re.compile(
    r"^(.{2,20}?)に(?:なって|されて)いない([^、。がを]{2,30})[がは]、?[^。]{0,16}?(?:見つからない|存在しない|残っていない|ない)(?:こと)?[。.]?$"
)
# "回帰テストを省かない" and "回帰テストを省略する"
_JAPANESE_KEPT = re.compile(
    r"^(.{2,50}?)[をは](?:省か|省略し|省い|省略せ)(?:ない|ません|ず|ては(?:なら|いけ)(?:ない|ません))(?:こと|ものとする)?[。.]?$"
)
_JAPANESE_OMITTED = re.compile(r"^(.{2,50}?)[をは](?:省略する|省く|省きます|省略します)(?:こと|ものとする)?[。.]?$")
# "検査を省いてよい場合はない"
_JAPANESE_NEVER_LEFT_OUT = re.compile(
    r"^(.{2,50}?)を(?:省い|省略し|抜い|怠っ|飛ばし)て(?:も)?(?:よい|良い|構わない)(?:場合|とき|例外)は(?:一切)?(?:ない|ありません|存在しない)(?:こと)?[。.]?$"
)


# Sentences that say no twice, and how they are put; the first that fits counts.
_JAPANESE_PUT = (
    (_JAPANESE_NOTHING_ELSE, "{0}は{1}のみとする。"),
    (_JAPANESE_NONE_UNDONE, "{1}は必ず{0}にする。"),
    (_JAPANESE_KEPT, "{0}を必須とする。"),
    (_JAPANESE_OMITTED, "{0}は行わない。"),
    (_JAPANESE_NEVER_LEFT_OUT, "{0}を必須とする。"),
    (_JAPANESE_UNTRAINED, "{1}には{0}を必須とする。"),
    (_JAPANESE_ELSE, "{0}のみが{1}てよい。"),
    (_JAPANESE_LACK, "{1}には{0}を必須とする。"),
)


def _japanese(text: str) -> str:
    for pattern, put in _JAPANESE_PUT:
        if match := pattern.match(text):
            return put.format(*match.groups())
    match = _JAPANESE.match(text)
    if match is None:
        return text
    needed, done = match.group(1), match.group(2)
    thing = _DONE_TO.match(done)
    if thing:
        return f"{thing.group(1)}には{needed}を必須とする。"
    return f"{needed}を必須とし、{done}。" if done else f"{needed}を必須とする。"


_ENGLISH_KEPT_OUT = re.compile(r"^keep (.{3,50}?) out of (.{3,60}?)(?=[;,.]|$)")


def _english(text: str) -> str:
    if match := _ENGLISH_KEPT_OUT.match(text):
        return f"{match.group(1)} must not be put in {match.group(2)}{text[match.end() :]}"
    if match := _ENGLISH_ELSE.match(text):
        return f"only {match.group(1)} may {match.group(3)}"
    if match := _ENGLISH_NOBODY.match(text):
        skipped = _ENGLISH_SKIPPED.match(match.group(1))
        return f"{skipped.group(1)} is mandatory" if skipped else f"do not {match.group(1)}"
    if match := _ENGLISH_NONE_WITHOUT.match(text) or _ENGLISH.match(text):
        return f"{match.group(1)} must have {match.group(2)}"
    return text
