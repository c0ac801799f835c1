"""The words around documents and sessions, in the languages of the user."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...domain.notices import Language


@dataclass(frozen=True, slots=True)
class Words:
    """Words of one language; braces are filled in."""

    status: Mapping[str, str]
    step: Mapping[str, str]
    columns: tuple[str, str, str, str, str]
    sessions: tuple[str, str, str, str, str, str]
    document: str
    version: str
    decide: str
    retry: str
    onward: str
    written: str
    none: str
    finished: str
    unfinished: str
    decisions: str
    no_document: str


WORDS: "dict[Language, Words]" = {
    "ja": Words(
        status={"waiting": "未着手", "open": "作業中", "blocked": "決定待ち", "failed": "失敗", "finished": "完了"},
        step={"write": "執筆", "infer": "影響調査", "check": "検査"},
        columns=("番号#", "章", "状態", "検査回数#", "指摘#"),
        sessions=("セッション", "版", "開始", "完了", "文書", "未決の矛盾#"),
        document="文書：{title}（{status}）",
        version="セッション {session}、規則の版 {version}、開始 {created}",
        decide="決定する：kisoku conflicts decide --session {session}",
        retry="失敗：{title}：{error}",
        onward="続ける：kisoku generate --session {session}",
        written="{path} に書き出しました。",
        none="セッションはまだありません。",
        finished="セッション {session} を完了にしました。",
        unfinished="完了していない章があります：{chapters}",
        decisions="決定",
        no_document="（文書なし）",
    ),
    "zh": Words(
        status={"waiting": "未开始", "open": "进行中", "blocked": "待决定", "failed": "失败", "finished": "完成"},
        step={"write": "撰写", "infer": "影响分析", "check": "检查"},
        columns=("编号#", "章", "状态", "检查次数#", "意见#"),
        sessions=("会话", "版本", "开始", "完成", "文档", "未决冲突#"),
        document="文档：{title}（{status}）",
        version="会话 {session}，规则版本 {version}，开始于 {created}",
        decide="作出决定：kisoku conflicts decide --session {session}",
        retry="失败：{title}：{error}",
        onward="继续：kisoku generate --session {session}",
        written="已写入 {path}。",
        none="还没有会话。",
        finished="会话 {session} 已标记为完成。",
        unfinished="尚未完成的章：{chapters}",
        decisions="决定",
        no_document="（无文档）",
    ),
    "en": Words(
        status={"waiting": "waiting", "open": "open", "blocked": "blocked", "failed": "failed", "finished": "finished"},
        step={"write": "writing", "infer": "impact", "check": "checking"},
        columns=("#", "chapter", "status", "checks#", "findings#"),
        sessions=("session", "version", "started", "finished", "document", "undecided#"),
        document="Document: {title} ({status})",
        version="Session {session}, rule version {version}, started {created}",
        decide="Decide: kisoku conflicts decide --session {session}",
        retry="Failed: {title}: {error}",
        onward="Go on: kisoku generate --session {session}",
        written="Written to {path}.",
        none="There are no sessions yet.",
        finished="Session {session} is finished.",
        unfinished="Chapters that are not finished: {chapters}",
        decisions="Decisions",
        no_document="(no document)",
    ),
}
