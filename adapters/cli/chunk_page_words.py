"""The words of the chunk page in the three languages of messages."""

from collections.abc import Mapping
from dataclasses import dataclass

from ...domain.notices import Language


@dataclass(frozen=True, slots=True)
class Words:
    """Labels; those with braces are formats.

    Attributes:
        kinds: Names of chunk kinds.
        reasons: Name and meaning of each reason for leaving text out.
    """

    outline: str
    read_by: str
    chunks: str
    tokens: str
    length_unit: str
    spread: str
    coverage: str
    figures: str
    unknown: str
    gap: str
    gap_cause: str
    part_of: str
    slide: str
    left_out: str
    reason: str
    meaning: str
    texts: str
    size: str
    characters: str
    no_place: str
    kinds: Mapping[str, str]
    reasons: Mapping[str, tuple[str, str]]


_EN = Words(
    outline="Outline",
    read_by="Read by",
    chunks="Chunks",
    tokens="Tokens per chunk",
    length_unit="tokens",
    spread="least {least}, median {median}, most {most}",
    coverage="Coverage",
    figures="{all} characters: {chunked} in chunks ({share} %), {omitted} left out",
    unknown="unknown: this chunker does not hand over the text it read",
    gap="Text lost: {count} characters are neither in a chunk nor left out for a reason.",
    gap_cause="This is a fault of the chunker {chunker}, not of the document.",
    part_of="part of",
    slide="slide",
    left_out="Left out",
    reason="Reason",
    meaning="Meaning",
    texts="Texts",
    size="Characters",
    characters="{count} characters",
    no_place="Without a place among the chunks",
    kinds={
        "text": "text",
        "table": "table",
        "list": "list",
        "slide": "slide",
        "notes": "notes",
        "boilerplate": "boilerplate",
        "parent": "parent",
    },
    reasons={
        "boilerplate": ("boilerplate", "page headers and footers, contents, covers, change history"),
        "hidden": ("hidden", "hidden sheets, rows, columns, slides or text"),
        "duplicate": ("duplicate", "stored twice in the file"),
        "deleted": ("deleted", "deleted with change tracking"),
        "comment": ("comment", "review comments"),
        "empty-label": ("empty label", "labels whose value is empty"),
        "unreadable": ("unreadable", "not readable as text"),
        "field-code": ("field code", "instructions of fields, whose result is kept"),
    },
)
_JA = Words(
    outline="見出し一覧",
    read_by="読み取り",
    chunks="チャンク",
    tokens="1チャンクのトークン数",
    length_unit="トークン",
    spread="最小 {least}、中央値 {median}、最大 {most}",
    coverage="網羅率",
    figures="全 {all} 文字のうち、チャンク内 {chunked} 文字（{share} %）、除外 {omitted} 文字",
    unknown="不明：このチャンカーは読み取った本文を渡しません",
    gap="本文の欠落：{count} 文字が、チャンクにも除外一覧にもありません。",
    gap_cause="文書ではなく、チャンカー {chunker} の不具合です。",
    part_of="親",
    slide="スライド",
    left_out="除外した文字列",
    reason="理由",
    meaning="意味",
    texts="件数",
    size="文字数",
    characters="{count} 文字",
    no_place="チャンクの並びの中に位置がないもの",
    kinds={
        "text": "本文",
        "table": "表",
        "list": "箇条書き",
        "slide": "スライド",
        "notes": "ノート",
        "boilerplate": "定型",
        "parent": "親チャンク",
    },
    reasons={
        "boilerplate": ("定型", "ヘッダー・フッター、目次、表紙、変更履歴"),
        "hidden": ("非表示", "非表示のシート・行・列・スライド・文字"),
        "duplicate": ("重複", "ファイル内に二重に保存されているもの"),
        "deleted": ("削除済み", "変更履歴で削除されたもの"),
        "comment": ("コメント", "校閲コメント"),
        "empty-label": ("値なし", "値が空の項目名"),
        "unreadable": ("読み取り不可", "文字として読めないもの"),
        "field-code": ("フィールドコード", "フィールドの命令（結果はチャンクにあります）"),
    },
)
_ZH = Words(
    outline="大纲",
    read_by="读取",
    chunks="分块",
    tokens="每块词元数",
    length_unit="词元",
    spread="最少 {least}，中位数 {median}，最多 {most}",
    coverage="覆盖率",
    figures="共 {all} 字，其中分块内 {chunked} 字（{share} %），排除 {omitted} 字",
    unknown="未知：该分块器不提供其读取的文本",
    gap="文本丢失：{count} 字既不在分块中，也不在排除列表中。",
    gap_cause="这是分块器 {chunker} 的缺陷，与文档无关。",
    part_of="父块",
    slide="幻灯片",
    left_out="排除的文本",
    reason="原因",
    meaning="含义",
    texts="条数",
    size="字数",
    characters="{count} 字",
    no_place="在分块序列中没有位置的文本",
    kinds={
        "text": "正文",
        "table": "表格",
        "list": "列表",
        "slide": "幻灯片",
        "notes": "备注",
        "boilerplate": "固定内容",
        "parent": "父块",
    },
    reasons={
        "boilerplate": ("固定内容", "页眉页脚、目录、封面、变更记录"),
        "hidden": ("隐藏", "隐藏的工作表、行、列、幻灯片或文字"),
        "duplicate": ("重复", "文件中保存了两次"),
        "deleted": ("已删除", "修订中删除的内容"),
        "comment": ("批注", "审阅批注"),
        "empty-label": ("无值", "值为空的项目名"),
        "unreadable": ("无法读取", "不能作为文字读取"),
        "field-code": ("域代码", "域的指令，其结果已保留"),
    },
)
WORDS: Mapping[Language, Words] = {"en": _EN, "ja": _JA, "zh": _ZH}
