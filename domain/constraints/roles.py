"""Who does something, as tables and other wordings tell: label cells, tables of duties, 起票した人."""

import re

_ROLE_LABEL = re.compile(
    r"(?:^|の)(?:担当者?|責任者|承認者?|作成者?|実施者?|変更者|決裁者|管理者|主管|窓口|起票者|[^:]{1,10}(?:する|した)(?:人|者)|誰が)$"
    r"|(?:责任人|负责人|审批人|批准人|编写人|执行人|主办|主责|责任部门|承办)$"
    r"|^(?:owner|responsible|approver|approved by|decided by|decision|done by|who|author|assignee|in charge|performed by|signed by)$"  # noqa: E501  # a pattern stays in one line
)
_PARTY = re.compile(
    r"^[一-龥々ァ-ヶーa-z]{0,8}(?:者|側|部|課|室|係|長|会|社|員|チーム|担当|ベンダー?|甲方|乙方|方|人|组|处|科|team|vendor|client|customer|supplier|contractor|lead|manager)$"
)
_YES, _NO = (
    re.compile(r"^(?:◎|主|主担当|r|a/r|主责|実施|●)$"),
    re.compile(r"^(?:[-―ー—×✕✗無无]|なし|不可|n/a|none|no)$"),
)
_WHO_DID = re.compile(r"([一-龥]{1,4})(?:する|した)(?:人|者|担当)$")
_ASIDE = re.compile(r"\s*\([^()]*\)")
_LONGEST = 20


def is_party(label: str) -> bool:
    """Tell whether the normalised label of a cell names somebody ("発注者", "client")."""
    return _PARTY.match(label) is not None


def role_name(text: str) -> str:
    """Return one form of a name for somebody.

    >>> role_name("起票した人"), role_name("発注者側"), role_name("the release manager")
    ('起票者', '発注者', 'release manager')
    """
    return re.sub(r"(?<=[者方])側$|^(?:the|a|an) ", "", _WHO_DID.sub(r"\1者", text.strip()))


def is_refused(label: str, text: str) -> bool:
    """Tell whether a cell `label: value` only says no of what its label names ("発注者: －")."""
    return bool(label) and _NO.match(_ASIDE.sub("", text.partition(":")[2]).strip(" 。.")) is not None


def role_of_cell(label: str, value: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """Return who does something and who does not, from a cell `label: value` of a table; None for other cells."""
    said = _ASIDE.sub("", value).strip(" 。.")
    if _PARTY.match(label):
        if _YES.match(said):
            return frozenset({role_name(label)}), frozenset()
        if _NO.match(said):
            return frozenset(), frozenset({role_name(label)})
    if _ROLE_LABEL.search(label) and 0 < len(said) <= _LONGEST and not re.search(r"[。、,，/・]|\d", said):
        return frozenset({role_name(said)}), frozenset()
    return None
