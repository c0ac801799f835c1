"""Yes and no in answers: with their question they are a rule ("表紙は必要ですか。" "いいえ。")."""

import re

from .text import Language

_YES: dict[Language, re.Pattern[str]] = {
    "ja": re.compile(
        r"^(?:はい|ええ|その通り(?:です)?|そうです|可能です|できます|必要です|必須です|ok(?:です)?|よいです|構いません)(?=[、。.,!]|$)[、。.,!]*"
    ),
    "zh": re.compile(r"^(?:是的?|对|可以的?|需要的?|必须的?|允许|能|要|应当)(?=[，。,.！]|$)[，。,.！]*"),
    "en": re.compile(r"^(?:yes|yep|indeed|of course|certainly|correct)\b[,.;:!]*\s*"),
}
_NO: dict[Language, re.Pattern[str]] = {
    "ja": re.compile(
        r"^(?:いいえ|いえ|だめです|ダメです|不可(?:です)?|できません|不要です|必要ありません|要りません|いりません|ngです|禁止です|なりません|いけません)(?=[、。.,!]|$)[、。.,!]*"
    ),
    "zh": re.compile(
        r"^(?:不是|否|不|不可以|不行|不能|不需要|不用|不必|无需|不允许|没有必要)(?=[，。,.！]|$)[，。,.！]*"
    ),
    "en": re.compile(r"^(?:no|nope|never|not at all|by no means)\b[,.;:!]*\s*"),
}
# Questions, and what yes and no to them mean; the question's own words stand for the braces.
_QUESTIONS: dict[Language, tuple[tuple[re.Pattern[str], str, str], ...]] = {
    "ja": (
        (
            re.compile(r"^(.{2,50}?)(?:は|が|も)(?:必要|必須|要)(?:です|でしょう|な(?:の)?でしょう|なの(?:です)?)?か$"),
            "{}を必須とする。",
            "{}は不要とする。",
        ),
        (
            re.compile(r"^(.{2,50}?)(?:する|行う|付ける|書く)?必要(?:は|が)あります?か$"),
            "{}を必須とする。",
            "{}は不要とする。",
        ),
        (
            re.compile(
                r"^(.{2,50}?[てで])も?(?:よい|良い|いい|構わない|かまわない|大丈夫|ok)(?:です|でしょう|の(?:です|でしょう))?か$"
            ),
            "{}よい。",
            "{}はならない。",
        ),
        (
            re.compile(
                r"^([^はを]{2,30})(?:は|を)[^は]{0,20}(?:なけれ|なく)(?:ば|ては)(?:なり|いけ)ません(?:でしょう)?か$"
            ),
            "{}を必須とする。",
            "{}は不要とする。",
        ),
        (
            re.compile(r"^(.{2,50}?)(?:しなけれ|なけれ|しなく|なく)(?:ば|ては)(?:なり|いけ)ません(?:でしょう)?か$"),
            "{}を必須とする。",
            "{}は不要とする。",
        ),
        (
            re.compile(
                r"^(.{2,50}?)(?:は|が)(?:でき(?:ます|る(?:の)?でしょう)|可能(?:です|でしょう)|認められ(?:ます|る)|許され(?:ます|る)|使え(?:ます|る))か$"
            ),
            "{}は認める。",
            "{}は禁止する。",
        ),
        (
            re.compile(r"^(.{2,50}?)(?:は|を)(?:使って|用いて|利用して|使用して)も?(?:よい|いい)(?:です)?か$"),
            "{}は使用してよい。",
            "{}は使用しないこと。",
        ),
        (
            re.compile(r"^(.{2,50}?)(?:は|を)(?:使い|用い|付け|設け|作り|行い|書き|入れ|残し|出し|取り)ますか$"),
            "{}を付ける。",
            "{}は使用しないこと。",
        ),
        (re.compile(r"^(.{2,50}?)しますか$"), "{}すること。", ""),
    ),
    "zh": (
        (re.compile(r"^(.{2,40}?)(?:是否)?(?:是)?(?:需要|必须|必要|必填|要)(?:的)?吗$"), "必须有{}", "无需{}"),
        (re.compile(r"^(?:是否)?(?:需要|必须|要)(.{2,40}?)吗?$"), "必须{}", "无需{}"),
        (re.compile(r"^(.{2,30}?)(?:是否需要|需要|必须|要)(.{2,30}?)吗?$"), "{}必须{}", "{}无需{}"),
        (re.compile(r"^(?:可以|能|能否|可否|是否可以|是否允许|允许)(.{2,40}?)吗?$"), "允许{}", "不得{}"),
        (re.compile(r"^(.{2,30}?)(?:可以|能|能否|可否|是否可以|是否允许|允许)(.{2,30}?)吗?$"), "{}可以{}", "{}不得{}"),
    ),
    "en": (
        (
            re.compile(
                r"^(?:is|are) (.{2,60}?) (?:required|needed|mandatory|necessary|compulsory|obligatory)(.{0,40})$"
            ),
            "{} is mandatory{}",
            "{} is not required{}",
        ),
        (
            re.compile(r"^(?:is|are) (.{2,60}?) (?:allowed|permitted|acceptable|ok|okay|fine|possible)(.{0,40})$"),
            "{} is permitted{}",
            "{} is not permitted{}",
        ),
        (
            re.compile(
                r"^(?:may|can|are) (?:i|we|you|one|people|staff|developers|authors|users)(?: allowed to)? (.{3,70})$"
            ),
            "you may {}",
            "you must not {}",
        ),
        (
            re.compile(
                r"^(?:must|do|does|should|shall) (?:i|we|you|one|people|staff|developers|authors|users|it|they|the author)(?: have to| need to)? (.{3,70})$"  # noqa: E501  # a pattern stays in one line
            ),
            "you must {}",
            "you need not {}",
        ),
        (
            re.compile(r"^(?:do|does) (.{2,40}?) (?:need|require|have to have) (.{2,40})$"),
            "{} must have {}",
            "{} does not require {}",
        ),
    ),
}
_POLITE = re.compile(r"(?:教えてください|知りたい)$")
_END = " 。.?？!！"


def with_question(question: str, answer: str, language: Language) -> str:
    """Return what yes or no, with which a normalised answer begins, says of its question, "" where it tells neither.

    >>> with_question("表紙は必要ですか。", "いいえ。", "ja"), with_question("may we merge cells?", "no.", "en")
    ('表紙は不要とする。', 'you must not merge cells')
    """
    affirmed = _YES[language].match(answer) is not None
    if not affirmed and not _NO[language].match(answer):
        return ""
    asked = _POLITE.sub("", question.strip(_END)).strip(_END)
    for pattern, yes, no in _QUESTIONS[language]:
        if match := pattern.match(asked):
            # What is not done as asked may be done otherwise: no tells nothing there.
            return (yes if affirmed else no).format(*(part.strip() for part in match.groups()))
    return ""


def without_yes_or_no(answer: str, language: Language) -> str:
    """Return the rest of a normalised answer behind the yes or no with which it begins.

    >>> without_yes_or_no("いいえ、残したままでよい。", "ja")
    '残したままでよい。'
    """
    for pattern in (_YES[language], _NO[language]):
        if match := pattern.match(answer):
            return answer[match.end() :].strip()
    return answer
