"""Rewriting of sentences that forbid something unless something else is there: they demand that other thing."""

import re

from .text import Language

_JAPANESE = re.compile(
    r"^(.{2,60}?)(?:が|の)?(?:なければ(?!なら|いけ)|ないと(?!なら|いけ|す|し)|なくては(?!なら|いけ)|ない限り|なしには?|なしでは|を得ずに|を経ずに|がないまま)、?"
    r"(.{0,40}?)(?:でき(?:ない|ません)|てはならない|てはなりません|てはいけない|(?:ない|ません)(?:こと|もの)?(?:とする)?|認めない|不可(?:とする)?|禁止(?:する|とする)?)[。.]?$"
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
    if language == "ja" and (match := _JAPANESE.match(text)):
        return (
            f"{match.group(1)}を必須とし、{match.group(2)}。" if match.group(2) else f"{match.group(1)}を必須とする。"
        )
    if language == "zh":
        for pattern in (_CHINESE, _CHINESE_ONLY):
            if match := pattern.search(text):
                return f"{text[: match.start()]}须经{match.group(1)}方可{match.group(2)}"
        if match := _CHINESE_TURNS_UP.search(text.rstrip("。.")):
            return f"{text[: match.start()]}不得使用{match.group(1)}"
        if match := _CHINESE_LACK.search(text):
            return f"{text[: match.start()]}须有{match.group(1)}方可{match.group(2)}"
    if language == "en" and (match := _ENGLISH.match(text)):
        return f"{match.group(1)} must have {match.group(2)}"
    return text
