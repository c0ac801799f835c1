"""Values that no list knows: tools, people, places and forms that a rule chooses for its target.

A value is typed by its head ("品質管理責任者", "開発部長" are people, "Gitリポジトリ", "ファイルサーバ" places,
"PlantUML" and "Visio" are names); values of one type that a rule chooses for one target exclude each other when a rule
says that it is the only choice, or when the targets are plainly the same.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .lexicon import Lexicon
from .modality import is_affirmed, is_denied
from .roles import role_name
from .targets import are_kinds, topic_text
from .text import Hit, Language

_HEADS: dict[str, dict[Language, str]] = {
    "role": {
        "ja": r"(?:[一-龥々ァ-ヶーa-z]{0,12}(?:責任者|管理者|リーダー?|マネージャー?|オーナー|主任|委員会|事務局|担当|部門|部署|チーム|グループ|ベンダー?|部|課|室|側|者|会|長|員|役|班)(?![一-龥々ァ-ヶー]))",  # noqa: E501  # a pattern or list stays in one line
        "zh": r"(?:[一-龥]{0,6}(?:经理|总监|主管|委员会|负责人|管理员|甲方|乙方|开发方|部门|小组|专员|工程师|助理|科|部|组|处|员|长|师|会))",  # noqa: E501  # a pattern or list stays in one line
        "en": r"(?:(?:[a-z-]+ ){0,2}(?:manager|lead|leader|board|team|committee|department|office|officer|owner|author|editor|engineer|director|chair|chairman|secretary|supplier|contractor|vendor|client|customer|sponsor|squads?|group|desk|administrator|architect|analyst))",  # noqa: E501  # a pattern or list stays in one line
    },
    "place": {
        "ja": r"(?:[一-龥ァ-ヶーa-z]{0,10}(?:フォルダー?|サーバー?|ディレクトリ|リポジトリ|データベース|シート|ストレージ|サイト|ライブラリ|台帳|書庫|キャビネット|保管庫|倉庫))",  # noqa: E501  # a pattern or list stays in one line
        "zh": r"(?:[一-龥a-z]{0,6}(?:目录|文件夹|服务器|仓库|数据库|网盘|台账|档案室|档案柜|平台|资料库|文档库))",
        "en": r"(?:(?:[a-z-]+ ){0,2}(?:folder|directory|repository|server|drive|database|spreadsheet|cabinet|archive|vault|library|share|bucket|wiki))",  # noqa: E501  # a pattern or list stays in one line
    },
    "form": {
        "ja": r"(?:[一-龥ァ-ヶーa-z]{1,8}(?:形式|方式|様式|書式|調|記法|表記|順|単位|方法))",
        "zh": r"(?:[一-龥a-z]{1,5}(?:格式|方式|样式|记法|写法|顺序|单位|模式|法))",
        "en": r"(?:[a-z-]+ (?:format|style|mode|notation|scheme|order|layout|encoding|convention))",
    },
}
_PATTERNS = {
    language: tuple((kind, re.compile(heads[language])) for kind, heads in _HEADS.items())
    for language in ("ja", "zh", "en")
}
_LATIN = re.compile(r"(?<![0-9A-Za-z])(?<![0-9] )[A-Za-z][A-Za-z0-9+#_.-]*[A-Za-z0-9+#]")
_ENGLISH_NAME = re.compile(r"(?<=[a-z,;:)] )[A-Z][A-Za-z0-9+#.-]*[A-Za-z0-9+#]|\b[A-Za-z]+[A-Z0-9_][A-Za-z0-9_]*\b")
_SYMBOL = re.compile(r"[■□●○◎◆◇▲△▼▽★☆※→⇒➡←↑↓§†‡✓✔×]|(?<=[「『\"（(])[-・,;:/|#*~_.＿＊／；：，、](?=[」』\"）)])")
_CHOICE: dict[Language, re.Pattern[str]] = {
    "ja": re.compile(
        r"とする|とし|にする|にし|使[うわっいえ]|用い|使用|利用|採用|統一|限[るり]|固定|書[くきいか]|描[くきいか]|作成|記述|記載|記入|置[くきいか]|保存|保管|格納"
        r"|登録|始め|始ま|終え|終わ|付け|付[くす]|行[うわいっ]|担当|承認|決裁|起草|判断|決め|決定|出力|送[るりっ]|管理|です|あげ|上げ"
    ),
    "zh": re.compile(
        r"采用|使用|用|为|统一|写|存|放|由|批准|审批|负责|编写|绘制|画|管理|以|按|归|交|签|登记|发布|执行|输出"
    ),
    "en": re.compile(
        r"\b(?:us(?:e[sd]?|ing)|written|drawn|draw|write|writes|kept|keeps?|stored?|live[sd]?|placed?|put|made|approve[sd]?|decide[sd]?"
        r"|sign(?:s|ed)?|own(?:s|ed)?|maintain(?:s|ed)?|by|in|with|is|are|be|goes?|sent|begins?|starts?|ends?|follow(?:s|ed)?)\b"
    ),
}
_ONLY = re.compile(
    r"のみ|だけ|以外|限[るり]|統一|固定|必ず|一律|すべて|全て|他の|ほかの|別の|ではなく|正とする|原本"
    r"|只|仅|一律|统一|必须|均|不得|唯一|其他|全部"
    r"|\bonly\b|\balways\b|\ball\b|\bevery\b|\bnobody else\b|\bno other\b|\bother\b|\bexclusively\b|\balone\b|\bsole|\bmust not\b|\bnot\b"  # noqa: E501  # a pattern or list stays in one line
)
_JA_AGENT = re.compile(
    r"(?:[0-9一二三1１]?名)?(?:のみ|だけ)?(?:が|は(?!じめ)|により|による|によって|の承認|の決裁|の責任|で(?:決め|決定|審議|判断|承認)|とする|とし)"
)
_ZH_AGENT = re.compile(
    r"(?:\([^)]*\))?(?:代为|有权|可|才可|方可)?(?:负责|审批|批准|签字|审核|编写|起草|执行|管理|决定|确认|发布|即可|更新|修改|变更|维护|关闭|写)"
)
_EN_AGENT = re.compile(
    r" (?:alone )?(?:(?:must |shall |may )?(?:approve|sign|decide|write|review|own|maintain|prepare|draft|run|deploy|push|release|keep|issue|perform|do)e?s?\b)"  # noqa: E501  # a pattern or list stays in one line
)
_JA_DOER = re.compile(r"([一-龥]{1,4}(?:した|する)(?:人|者))(?:のみ|だけ)?(?:が|は)")
_ZH_BEFORE_ROLE = re.compile(r"[由仅只须的与和被]")
_NO_NAME = frozenset(
    [
        "id",
        "no",
        "ng",
        "ok",
        "url",
        "uri",
        "api",
        "it",
        "ui",
        "os",
        "pc",
        "a4",
        "a3",
        "b4",
        "b5",
        "db",
        "csv",
        "pdf",
        "html",
        "xml",
        "json",
        "sql",
        "http",
        "https",
        "ftp",
        "sftp",
        "utf",
        "gbk",
        "ascii",
        "e.g",
        "i.e",
        "etc",
        "vs",
        "and",
        "or",
        "the",
        "this",
        "that",
        "these",
        "when",
        "where",
        "if",
        "for",
        "all",
        "do",
        "not",
        "use",
        "each",
        "every",
        "put",
        "keep",
        "write",
    ]
)


@dataclass(frozen=True, slots=True)
class SlotClaim:
    """A value that a clause chooses or bans for its target.

    Attributes:
        attribute: `choice-` and the type: role, place, form, name, symbol.
        allowed: Values chosen.
        denied: Values banned.
        only: The sentence says that there is no other choice.
    """

    attribute: str
    allowed: frozenset[str]
    denied: frozenset[str]
    only: bool


def slots_in(  # noqa: PLR0917  # a clause, its sentence, and what reads it
    text: str, sentence: str, quote: str, hits: tuple[Hit, ...], language: Language, lexicon: Lexicon
) -> Iterator[SlotClaim]:
    """Yield the values that a normalised, prescriptive clause chooses.

    Args:
        text: The clause.
        sentence: The normalised rule it is part of.
        quote: The rule as written; capitals tell names in English.
        hits: The lexicon's words in the clause.
        language: Of the chunk.
        lexicon: The lexicon.
    """
    chosen = _CHOICE[language].search(text) is not None
    negative = is_denied(text, hits, language)
    topic = topic_text(text, language)
    start = len(topic) if topic != text else 0
    only = _ONLY.search(sentence) is not None
    by_type: dict[str, list[tuple[str, int, int]]] = {}
    for kind, value, begin, end in _values(text, quote, language):
        if not chosen and kind not in ("role", "kind"):
            continue
        if (begin >= start or kind == "role" or (negative and kind in ("symbol", "name"))) and (
            kind == "role" or not _is_known(begin, end, hits, lexicon)
        ):
            by_type.setdefault(kind, []).append((value, begin, end))
    for kind, found in by_type.items():
        rivals = tuple(Hit((kind,), begin, end) for _, begin, end in found)
        allowed: set[str] = set()
        denied: set[str] = set()
        for (value, begin, end), own in zip(found, rivals, strict=True):
            others = tuple(rival for rival in rivals if rival is not own)
            (allowed if is_affirmed(text, hits, (begin, end), language, others) else denied).add(value)
        yield SlotClaim(f"choice-{kind}", frozenset(allowed - denied), frozenset(denied - allowed), only)


def _values(text: str, quote: str, language: Language) -> Iterator[tuple[str, str, int, int]]:
    yield from _headed_values(text, language)
    for match in (_ENGLISH_NAME if language == "en" else _LATIN).finditer(quote):
        name = match.group().lower()
        start = text.find(name)
        if start >= 0 and name not in _NO_NAME:
            yield "name", name, start, start + len(name)
    if language != "en":
        for match in _KIND.finditer(text):
            if len(match.group()) > _LONGEST_KIND[language] or _AFTER_NUMBER.search(text[: match.start()]):
                continue
            yield "kind", match.group(), match.start(), match.end()
    for match in _SYMBOL.finditer(text):
        yield "symbol", match.group(), match.start(), match.end()


def _headed_values(text: str, language: Language) -> Iterator[tuple[str, str, int, int]]:
    """Yield the values that their heads type: people, places, forms."""
    for kind, pattern in _PATTERNS[language]:
        for match in pattern.finditer(text):
            if kind != "role":
                yield kind, match.group(), match.start(), match.end()
            elif not _FUNCTION.match(match.group()) and _acts(text, match.start(), match.end(), language):
                value = _told_apart(match.group(), language)
                yield kind, value, match.end() - len(value), match.end()
    if language == "ja":
        for match in _JA_DOER.finditer(text):
            yield "role", role_name(match.group(1)), match.start(), match.end()


_KIND = re.compile(
    r"(?<![\u3400-\u9fff々\u30a1-\u30fa\u30fc])(?:同じ|別の|異なる|新しい|古い|第\d{1,2})?[\u3400-\u9fff々\u30a1-\u30fa\u30fc]{2,8}(?![\u3400-\u9fff々\u30a1-\u30fa\u30fc])"
)
_AFTER_NUMBER = re.compile(r"[\d一二三四五六七八九十两半]$")
_FEW = 2
_LONGEST_KIND = {"ja": 8, "zh": 6, "en": 0}
_FUNCTION = re.compile(
    r"^(?:(?:承認|担当|作成|管理|責任|利用|実施|申請|依頼|登録|記入|設計|開発|報告|発行|使用|審査|レビュー)者|担当|本人|他者|前者|後者|誰か|会"
    r"|审批人?|负责人?|作者|使用者|申请人?|编写人?|用户|(?:the |an? )?(?:author|owner|user|reviewer|approver|editor))$"
)
"""Words for whoever does something: a function, not somebody."""


def _told_apart(role: str, language: Language) -> str:
    """Return somebody's name without the words before it that a Chinese clause runs into it."""
    return _ZH_BEFORE_ROLE.split(role)[-1] or role if language == "zh" else role_name(role)


def _acts(text: str, start: int, end: int, language: Language) -> bool:
    """Tell whether somebody named in a clause is the one who acts."""
    if language == "ja":
        return _JA_AGENT.match(text, end) is not None
    if language == "zh":
        return text[:start].endswith("由") or _ZH_AGENT.match(text, end) is not None
    return text[:start].endswith(("by ", "by the ", "by a ")) or _EN_AGENT.match(text, end) is not None


def _is_known(start: int, end: int, hits: tuple[Hit, ...], lexicon: Lexicon) -> bool:
    """Tell whether the lexicon compares this value already."""
    return any(
        hit.start <= start and end <= hit.end and any(item in lexicon.enum_of for item in hit.ids) for hit in hits
    )


def comparable(claim: SlotClaim, same_language: bool) -> bool:
    """Tell whether values of this type can be compared by their letters: across languages only names and symbols."""
    return same_language or claim.attribute in ("choice-name", "choice-symbol")


def excluded(a: SlotClaim, b: SlotClaim) -> float:
    """Return how surely two choices exclude each other, 0 when they do not."""
    if a.attribute == "choice-kind":
        return _kinds(a, b)
    if (a.allowed & b.denied) or (b.allowed & a.denied):
        return 0.9
    if a.attribute == "choice-unit":
        return _units(a, b)
    if len(a.allowed) != 1 or len(b.allowed) != 1:
        return 0.0
    (one,), (two,) = a.allowed, b.allowed
    if one in two or two in one:
        return 0.0
    return 0.85 if a.only or b.only else 0.65


def _units(a: SlotClaim, b: SlotClaim) -> float:
    """One thing that is to be there for each of different units ("a file per function", "a file per subsystem")."""
    (one,), (two,) = a.allowed, b.allowed
    (thing, unit), (other, another) = one.split("/"), two.split("/")
    same = thing == other or thing.endswith(other) or other.endswith(thing)
    return 0.85 if same and unit not in another and another not in unit else 0.0


def _kinds(a: SlotClaim, b: SlotClaim) -> float:
    """Values that are different kinds of one thing: "同じタブ" and "別タブ", "両括弧" and "右括弧"."""
    if (
        max(len(a.allowed), len(b.allowed)) > _FEW
        or a.allowed & b.allowed
        or not any(are_kinds(one, two) for one in a.allowed for two in b.allowed)
    ):
        return 0.0
    return 0.85 if a.only or b.only else 0.65
