"""An exception that one text foresees by somebody's leave, and a second text that has that leave.

"USB memory is forbidden. Work approved in writing by the head is excepted." beside "This work moves the data on USB
memory with the written approval of the head": the second is the case that the first leaves open.
"""

import re

from .statements import ChunkConstraints
from .text import Language

# Who may allow an exception, in the text that foresees it.
_FORESEEN: dict[Language, tuple[re.Pattern[str], ...]] = {
    "ja": (
        re.compile(
            r"(?P<who>[一-龥々ァ-ヶー]{2,12})(?:が|の)(?:[^、。がの]{1,8}[でに]|書面による|事前の|文書による)?"
            r"(?:許可|承認|了承|同意|認可|認め)[^、。]{0,14}、?(?:この限り|対象外|適用外|除[くき外]|例外|認める|できる|よい)"
        ),
    ),
    "zh": (
        re.compile(
            r"(?:经(?!理|办)|获|得到|由)(?P<who>[一-龥]{2,10}?)(?:书面|事先)?(?:批准|同意|许可|核准)(?:的|后|者)?[^。，]{0,10}，?"
            r"(?:除外|不在此限|不受此限|例外|可)"
        ),
    ),
    "en": (
        re.compile(
            r"\b(?:unless|except (?:where|when|if|with|for))\b[^.;]{0,40}"
            r"\b(?:approv|permit|allow|agree)[a-z]* (?:in writing )?by (?:the )?(?P<who>[a-z -]{3,24})"
        ),
        re.compile(
            r"\b(?:without|except with|only with|unless with) (?:the )?(?:written |prior )?"
            r"(?:approval|permission|consent|leave) (?:of|from) (?:the )?(?P<who>[a-z -]{3,24})"
        ),
        re.compile(r"\bthe (?P<who>[a-z -]{3,24}) (?:may|can) (?:allow|grant|approve|permit)[^.;]{0,20}\bexceptions?"),
    ),
}
# That leave was given, in the text of the exception.
_GIVEN: dict[Language, re.Pattern[str]] = {
    "ja": re.compile(
        r"(?:許可|承認|了承|同意|認可)(?:[(（][^()（）]*[)）])?(?:を(?:既に)?(?:得て|得た|受けて|受けた|取得)|済み?|のうえ|の上で|により)"
    ),
    "zh": re.compile(r"(?:已|业已)?(?:经(?!理|办)|获|得到|取得)[^，。不无未]{2,14}?(?:批准|同意|许可|核准)"),
    "en": re.compile(
        r"\b(?:approved|permitted|allowed|agreed)(?: in writing)? by\b"
        r"|\bwith (?:the )?(?:written |prior )?(?:approval|permission|consent|leave) (?:of|from)\b"
    ),
}
_HEAD = 2


def has_leave(general: ChunkConstraints, special: ChunkConstraints) -> bool:
    """Tell whether one chunk is the exception that the other foresees, with the leave of the person it names."""
    given = [s.text for s in special.statements if _GIVEN[s.language].search(s.text)]
    return bool(given) and any(
        _head(match["who"], statement.language) in text
        for statement in general.statements
        for pattern in _FORESEEN[statement.language]
        for match in pattern.finditer(statement.text)
        for text in given
    )


def _head(name: str, language: Language) -> str:
    """Return the end of a person's title, which two texts are most likely to share (部長, "manager")."""
    return name.rsplit(maxsplit=1)[-1] if language == "en" else name[-_HEAD:]
