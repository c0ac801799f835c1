"""Notices: what a caller must know about an answer, in the user's language."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

Language = Literal["ja", "zh", "en"]
LANGUAGES: tuple[Language, ...] = ("ja", "zh", "en")
GateCode = Literal["no_docs_matched", "bm25_low_recall", "vector_low_score", "rerank_low_score", "low_relevance"]
"""Why a search was refused; each is a notice too. `low_relevance` is the calibrated gate of the hybrid pipeline."""
GATE_CODES: tuple[GateCode, ...] = ("no_docs_matched", "bm25_low_recall", "vector_low_score", "rerank_low_score")
NoticeCode = Literal[
    "no_rule_constraints",
    "embedding_unavailable",
    "keyword_unavailable",
    "sentences_unavailable",
    "rerank_failed",
    "rerank_deadline",
    "category_missing",
    "low_relevance",
    "conflicts_unavailable",
    "conflict_model_unavailable",
    "plugin_failed",
    "recording_failed",
    "analyzer_changed",
    "query_model_unavailable",
    "no_docs_matched",
    "bm25_low_recall",
    "vector_low_score",
    "rerank_low_score",
    "answer_unavailable",
    "answer_uncited",
    "answer_citation_removed",
    "answer_truncated",
    "chat_provider_skipped",
]

_TEXTS: dict[NoticeCode, dict[Language, str]] = {
    "no_rule_constraints": {
        "ja": "規則ハンドブックがないため、組み込みの最小規則だけで回答しました（規則による制約なし）。",
        "zh": "没有规则手册，仅以内置最小规则集作答（无规则约束）。",
        "en": "There is no rule handbook; only the built-in minimum rules answered (no rule constraints).",
    },
    "embedding_unavailable": {
        "ja": "意味検索が使えないため、キーワード検索だけで回答しました。",
        "zh": "语义检索暂不可用，已降级为关键词检索。",
        "en": "Semantic search is unavailable; keyword search alone answered.",
    },
    "keyword_unavailable": {
        "ja": "キーワード検索が使えないため、意味検索だけで回答しました。",
        "zh": "关键词检索暂不可用，仅以语义检索作答。",
        "en": "Keyword search is unavailable; semantic search alone answered.",
    },
    "sentences_unavailable": {
        "ja": "文と語のベクトルが読めないため、類義語なしで検索し、文はその場で比較しました。",
        "zh": "句子与词语的向量无法读取：未使用近义词，句子向量为临时计算。",
        "en": "Vectors of sentences or words cannot be read; related words were left out, sentences embedded anew.",
    },
    "rerank_failed": {
        "ja": "再順位付けに失敗したため、融合順のまま返しました。",
        "zh": "精排失败，已按融合顺序返回。",
        "en": "Reranking failed; results are in fused order.",
    },
    "rerank_deadline": {
        "ja": "再順位付けが時間内に終わらなかったため、融合順のまま返しました。",
        "zh": "精排超时，已按融合顺序返回。",
        "en": "Reranking did not finish in time; results are in fused order.",
    },
    "category_missing": {
        "ja": "この版には対象の分類の文書がありません。",
        "zh": "该版本没有所查类别的文档。",
        "en": "This version has no documents of the category asked for.",
    },
    "low_relevance": {
        "ja": "質問に十分関連する規則は見つかりませんでした。",
        "zh": "未找到与问题足够相关的规则。",
        "en": "No rule is related closely enough to the question.",
    },
    "conflicts_unavailable": {
        "ja": "規則の矛盾検出に失敗しました。結果の規則同士が矛盾している可能性があります。",
        "zh": "规则冲突检测失败，结果中的规则可能互相矛盾。",
        "en": "Conflict detection failed; the rules returned may contradict each other.",
    },
    "conflict_model_unavailable": {
        "ja": "矛盾の判定を助けるモデルが使えないため、規則による検出結果をそのまま示します。",
        "zh": "辅助判断冲突的模型不可用，仅给出规则检测的结果。",
        "en": "A model that helps to judge conflicts is unavailable; what the rules found is shown as it is.",
    },
    "query_model_unavailable": {
        "ja": "質問の解釈にモデルを使えないため、規則と辞書だけで解釈しました。",
        "zh": "无法用模型理解查询，已改用规则和词典。",
        "en": "The model that understands queries is unavailable; rules and the dictionary were used instead.",
    },
    "plugin_failed": {
        "ja": "プラグインの処理に失敗しました。検索はそのプラグインなしで行いました。",
        "zh": "插件处理失败，已跳过该插件完成检索。",
        "en": "A plugin failed; the search went on without it.",
    },
    "analyzer_changed": {
        "ja": "この版の索引を作った形態素解析と今の形態素解析が異なります。語の検索が一部漏れることがあります。",
        "zh": "建立该版本索引的分词器与当前分词器不同，关键词检索可能有遗漏。",
        "en": "This version was indexed by another version of the analyzer; keyword search may miss some words.",
    },
    "recording_failed": {
        "ja": "検索の記録を保存できませんでした。検索結果には影響ありません。",
        "zh": "检索记录未能保存，检索结果不受影响。",
        "en": "The record of this search could not be stored; its results are not affected.",
    },
    "no_docs_matched": {
        "ja": "質問の対象となる文書が見つからないため、回答を控えました。",
        "zh": "没有与查询范围匹配的文档，未予作答。",
        "en": "No document lies in the range asked for; the search was refused.",
    },
    "bm25_low_recall": {
        "ja": "質問の語を含む規則が少なすぎるため、回答を控えました。",
        "zh": "包含查询词语的规则过少，未予作答。",
        "en": "Too few rules share words with the question; the search was refused.",
    },
    "vector_low_score": {
        "ja": "質問と意味の近い規則が見つからないため、回答を控えました。",
        "zh": "没有语义上足够接近的规则，未予作答。",
        "en": "No rule is close enough in meaning to the question; the search was refused.",
    },
    "rerank_low_score": {
        "ja": "再順位付けの結果、質問に十分関連する規則がないため、回答を控えました。",
        "zh": "精排后没有足够相关的规则，未予作答。",
        "en": "After a closer look no rule is related closely enough to the question; the search was refused.",
    },
    "answer_unavailable": {
        "ja": "回答するモデルが使えないため、根拠となる規則だけを返しました。",
        "zh": "对话模型不可用，仅返回作为依据的规则。",
        "en": "The chat model is unavailable; the rules found are returned without an answer.",
    },
    "answer_uncited": {
        "ja": "回答に根拠の引用がありません。規則と照らし合わせてください。",
        "zh": "回答未引用任何规则，请与规则核对。",
        "en": "The answer cites no rule; check it against the rules.",
    },
    "answer_citation_removed": {
        "ja": "渡していない規則への引用を回答から取り除きました。",
        "zh": "已从回答中删除对未提供规则的引用。",
        "en": "Citations of rules that were not given were removed from the answer.",
    },
    "answer_truncated": {
        "ja": "回答が長さの上限で途切れています。",
        "zh": "回答因达到长度上限而被截断。",
        "en": "The answer ends in the middle because it reached the limit of its length.",
    },
    "chat_provider_skipped": {
        "ja": "鍵が設定されていないため、使わなかった対話モデルがあります。",
        "zh": "部分对话模型因未设置密钥而被跳过。",
        "en": "A chat model was left out because its key is not set.",
    },
}


class Notice(BaseModel):
    """A code for programs and a sentence for people; `detail` is the technical cause, "" when there is none."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    code: NoticeCode
    text: str
    detail: str = ""


def notice(code: NoticeCode, language: Language = "en", detail: str = "") -> Notice:
    """Return the notice of a code in a language."""
    return Notice(code=code, text=_TEXTS[code][language], detail=detail)
