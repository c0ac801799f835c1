"""The words of conflict tables, prompts and pages, in the languages of the user."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...domain.notices import Language


@dataclass(frozen=True, slots=True)
class Words:
    """Words of one language; braces are filled in."""

    title: str
    summary: str
    chunks: str
    documents: str
    found: str
    confidence: str
    unread: str
    none_found: str
    none_in_session: str
    none_pending: str
    pending: str
    decided: str
    adopted: str
    annotated: str
    prompt: str
    again: str
    skipped: str
    comparing: str
    carried: str
    lapsed: str
    page: str


WORDS: "dict[Language, Words]" = {
    "ja": Words(
        title="規則の矛盾",
        summary="{documents} 文書の間に {conflicts} 件の矛盾があります。",
        chunks="チャンク {chunks} 個、比較 {seconds:.1f} 秒",
        documents="文書",
        found="番号",
        confidence="確信度",
        unread="読めなかったファイル",
        none_found="矛盾する規則は見つかりませんでした。",
        none_in_session="セッション {session} に矛盾はありません。",
        none_pending="セッション {session} に未決の矛盾はありません。",
        pending="未決",
        decided="決定済み",
        adopted="採用：{document}「{value}」",
        annotated="すべて残し、人による確認の印を付けます。",
        prompt="採用する規則の番号、a = すべて残して注記、s = 後で、q = 終了",
        again="{answer!r} は選べません。",
        skipped="未決のままです。",
        comparing="比較中",
        carried="{count} 件の決定を {target} に引き継ぎました。",
        lapsed="{topic}：規則が変わったため引き継げません（{rules}）。",
        page="{path} に書き出しました。",
    ),
    "zh": Words(
        title="规则冲突",
        summary="{documents} 份文档之间发现 {conflicts} 处冲突。",
        chunks="共 {chunks} 个片段，比较用时 {seconds:.1f} 秒",
        documents="文档",
        found="编号",
        confidence="置信度",
        unread="未能读取的文件",
        none_found="未发现相互冲突的规则。",
        none_in_session="会话 {session} 没有冲突。",
        none_pending="会话 {session} 没有待定的冲突。",
        pending="待定",
        decided="已决定",
        adopted="采用：{document}「{value}」",
        annotated="全部保留，并标注由人工确认。",
        prompt="输入要采用的规则编号,a = 全部保留并标注,s = 稍后,q = 退出",
        again="不能选择 {answer!r}。",
        skipped="仍为待定。",
        comparing="比较中",
        carried="已将 {count} 项决定沿用到 {target}。",
        lapsed="{topic}：规则已变更，无法沿用（{rules}）。",
        page="已写入 {path}。",
    ),
    "en": Words(
        title="Conflicting rules",
        summary="{conflicts} conflicts among {documents} documents.",
        chunks="{chunks} chunks, compared in {seconds:.1f} s",
        documents="documents",
        found="number",
        confidence="confidence",
        unread="could not be read",
        none_found="No rules contradict each other.",
        none_in_session="Session {session} has no conflicts.",
        none_pending="Session {session} has no conflicts to decide.",
        pending="pending",
        decided="decided",
        adopted='adopted: {document}, "{value}"',
        annotated="All are kept, marked for a person to look at.",
        prompt="Number of the rule to adopt, a = keep all and annotate, s = later, q = quit",
        again="{answer!r} is none of the choices.",
        skipped="Left pending.",
        comparing="comparing",
        carried="{count} decisions carried over to {target}.",
        lapsed="{topic}: not carried over, since a rule changed ({rules}).",
        page="Written to {path}.",
    ),
}
