"""The built-in minimum rules: what holds where no handbook was ever built (requirements, rag-layer §10.1)."""

from .chunks import Category, RuleChunk, content_hash
from .names import BUILTIN_VERSION, chunk_id

_DOCUMENT = "kisoku 最小規則"
_RULES: dict[Category, tuple[tuple[str, str], ...]] = {
    "write": (
        (
            "1 出典",
            "記述した内容は、根拠となる要件または規則まで追跡できるようにする。出典のない数値や仕様を書かない。",
        ),
        ("2 未確定事項", "決まっていない事項は推測で埋めず、未確定であることと確認先を明記する。"),
        ("3 用語", "同じものは文書全体で同じ用語で呼ぶ。略語は初出で正式名称を示す。"),
        ("4 識別子", "画面・機能・テーブルなどの要素は、定めた ID で一意に参照する。"),
        ("5 構成", "見出しは階層順に並べ、番号を飛ばさない。図と表には番号と題名を付け、本文から参照する。"),
    ),
    "design": (
        ("1 要件との対応", "設計要素は、対応する要件を少なくとも一つ示す。要件に根拠のない機能を加えない。"),
        ("2 影響範囲", "要素を変更するときは、それを参照するすべての要素への影響を確かめて記録する。"),
        ("3 安全", "認証情報や個人情報を設計書の例に実データで書かない。"),
    ),
}


def minimum_rules(category: Category) -> tuple[RuleChunk, ...]:
    """Return the built-in rules of a category as chunks of version v0."""
    return tuple(
        RuleChunk(
            chunk_id=chunk_id(category, BUILTIN_VERSION, number),
            doc_id=_DOCUMENT,
            doc_type="builtin",
            content=text,
            headings=(heading,),
            source_uri=f"{_DOCUMENT}#見出し!{heading.split()[0]}",
            position=number - 1,
            token_count=len(text),
            category=category,
            content_hash=content_hash(text, (heading,)),
        )
        for number, (heading, text) in enumerate(_RULES.get(category, ()), start=1)
    )
