"""What a lookup says to an agent in one sentence."""

from typing import Final, Literal

from .notices import Language

LookupMessage = Literal["found", "partial", "repeated", "already_given", "no_evidence", "refused"]

_TEXTS: Final[dict[LookupMessage, dict[Language, str]]] = {
    "found": {
        "ja": "規則ハンドブック {version} から根拠を {count} 件返します。",
        "zh": "从规则手册 {version} 返回 {count} 条依据。",
        "en": "Evidence from rule handbook {version}: {count}.",
    },
    "partial": {
        "ja": "規則ハンドブック {version} から根拠を {count} 件返します。ほかの {left} 件は文字数の上限を超えます。",
        "zh": "从规则手册 {version} 返回 {count} 条依据，另有 {left} 条超出字数上限。",
        "en": "Evidence from rule handbook {version}: {count}. {left} more did not fit into the budget.",
    },
    "repeated": {
        "ja": "規則ハンドブック {version} から新しい根拠を {count} 件返します。ほかの {left} 件は提示済みです。",
        "zh": "从规则手册 {version} 返回 {count} 条新依据，另外 {left} 条在本会话中已提供。",
        "en": "New evidence from rule handbook {version}: {count}. {left} more were given earlier in this session.",
    },
    "already_given": {
        "ja": "該当する根拠はこのセッションですべて提示済みです。先に受け取った内容を使うか、質問を変えてください。",
        "zh": "相关依据在本会话中均已提供，请使用先前的内容或更换查询。",
        "en": "All evidence on this was given earlier in this session. Use it, or ask something else.",
    },
    "no_evidence": {
        "ja": "規則ハンドブック {version} に根拠はありません。推測で補わず、規則がないものとして扱ってください。",
        "zh": "规则手册 {version} 中没有找到依据。请勿自行推测，按没有相应规则处理。",
        "en": "Rule handbook {version} holds no evidence on this. Do not guess; treat it as not ruled.",
    },
    "refused": {
        "ja": "規則ハンドブック {version} に質問と十分関連する規則がないため、根拠を返しません（{gate}）。",
        "zh": "规则手册 {version} 中没有与查询足够相关的规则，未返回依据（{gate}）。",
        "en": "No rule of handbook {version} is related closely enough, so no evidence is given ({gate}).",
    },
}


def lookup_message(  # one parameter per blank of the sentences
    code: LookupMessage, language: Language, *, version: str, count: int = 0, left: int = 0, gate: str = ""
) -> str:
    """Return the sentence of a code in a language."""
    return _TEXTS[code][language].format(version=version, count=count, left=left, gate=gate)
