"""Where a rule holds, told by the form of words rather than by a list of them.

"X環境", "X向け", "X系统", "the X team" name a case whatever X is; two rules that name different ones of a kind do not
meet. So do two rules whose conditions on a number leave no common case ("up to 5 days", "more than 5 days"), and
rules of sibling documents ("受注システム運用方針", "請求システム運用方針").
"""

import re
from dataclasses import dataclass

from .lexicon import Lexicon
from .text import Language, is_national, scan
from .values import Quantity, find_quantities

_WORD = r"[\u4e00-\u9fff々\u30a1-\u30fa\u30fc]"
_ZH_NOUN = r"(?:(?![在以为和与于由将按从把对至到并的及或需须应可])[\u4e00-\u9fff])"
_PATTERNS: dict[str, re.Pattern[str]] = {
    "environment": re.compile(rf"({_WORD}{{1,6}}|[a-z]{{2,8}})(?:環境|环境)|\b([a-z]+) environments?\b"),
    "audience": re.compile(
        rf"({_WORD}{{2,8}})向け|(?:面向|供(?![应给货电]))({_WORD}{{2,6}}?)(?:的|使用|查看)|({_WORD}{{2,4}})内部使用"
    ),
    "terminal": re.compile(
        rf"({_WORD}{{2,6}}?)の?端末|(?<![与和及、])({_ZH_NOUN}{{2,3}})(?<![前后後顶底两双高低上下开始终末])端(?![末口数点])|(管理|运营|业务)后台|(管理者?)画面"
    ),
    "tongue": re.compile(
        r"(英文|和文|中文)(?=の|では|は|仕様書|文書|資料|マニュアル|书写|文档)|(英語|日本語)(?=の(?:文書|文章|文中|文では|資料))"
    ),
    # Named first, in a title or a clause: what is named further on has to do with it in some way or other.
    "system": re.compile(
        rf"(?:^|[/,、，] ?)({_WORD}{{2,8}})(?<!サブ)(?:システム|サイト(?!ズ)|ポータル)(?![部課室ァ-ヺー])"
        rf"|(?:^|[/,、，] ?)({_ZH_NOUN}{{2,6}}?)(?<!子)(?:系统|平台|网站|门户)"
        r"(?![级部间内外号时]|测试)"
    ),
    "repository": re.compile(
        r"(非公開|公開|社内|国内専用|私有|公开|内部)の?(?:リポジトリ|仓库|代码库)"
        r"|\b(public|private|internal|open[ -]source) repositor(?:y|ies)\b"
    ),
    # Where data are gathered for analysis, and where they are entered.
    "store": re.compile(
        r"(数据仓库|数仓|数据集市|データウェアハウス|dwh|data warehouse)"
        r"|(交易库|业务库|交易数据库|(?:取引|基幹|業務)(?:db|データベース)|oltp"
        r"|(?:transactional|operational) (?:database|tables?))"
    ),
    "period": re.compile(
        r"(日次|週次|月次|年次|四半期|日次|每日|每周|每月|每年)(?:的|の)?(?=[\u4e00-\u9fff\u30a1-\u30fa])"
        r"|\b(daily|weekly|monthly|quarterly|yearly|annual)\b(?= [a-z])"
    ),
}
_SAME = {
    "每日": "daily", "日次": "daily", "毎日": "daily", "daily": "daily", "每周": "weekly", "週次": "weekly",
    "weekly": "weekly", "每月": "monthly", "月次": "monthly", "monthly": "monthly", "每年": "yearly",
    "非公開": "private", "社内": "private", "国内専用": "private", "私有": "private", "内部": "private",
    "internal": "private", "公開": "public", "公开": "public", "open source": "public",
    "open-source": "public", "数据仓库": "warehouse", "数仓": "warehouse", "数据集市": "warehouse",
    "データウェアハウス": "warehouse", "dwh": "warehouse", "data warehouse": "warehouse", "年次": "yearly",
    "英文": "en", "英語": "en", "和文": "ja", "日本語": "ja", "中文": "zh",
    "yearly": "yearly", "annual": "yearly", "四半期": "quarterly", "quarterly": "quarterly",
}  # fmt: skip
# What names no case of its own.
_ANY = re.compile(
    r"^(?:本(?!番)|当|接続|全|各|両|同|他|該|该|所有|其他|どの|the|a|any|this|that|each|every|all|same|target|対象|利用|使用|運用"
    r"|情報|信息|共通|共用|公用|全社|統一|统一|分布|高并|デザイン|ファイル|オペレーティング|操作|目标|相关|上述|年以前|不受|仅供|已上线|公司|既存|存量|発注"
    r"|動作|実行|作業|運行|运行|システム|サーバ|ネットワーク|network|server|work|system|一般|個人)"
)
# What is said of an environment of any kind.
_NO_ENVIRONMENT = re.compile(
    r"^(?:専用|共用|独立|単独|個別|別|同一|複数|一套|两套|多套|专用|公用|独立的?|单独|同一|完整|搭建|使用|利用|対象|作業|執務|職場|生活|稼働|実機)"
    r"|^(?:in|an?|own|separate|shared|dedicated|single|isolated|other)$"
)
# From so many characters on, a common ending tells that two documents say the same of different things.
_SIBLING = 4
_EXTENSION = re.compile(r"\.\w{2,5}$")
# Words of Japanese and Chinese titles of all kinds: they tell no thing that two documents have in common.
_TITLE_KIND = re.compile(
    r"管理|運用|運営|業務|作成|実施|共通|規程|規定|規約|規則|細則|ルール|基準|標準|要領|手順書?|ガイド(?:ライン)?|マニュアル|方針|手引き?|書|ほか|の"
    r"|规范|规定|规程|办法|制度|标准|要求|指南|手册|说明|细则|管理|工作|编写|编制|的| |_"
)
_EDITION = re.compile(r"[\d.年版第期vr_\s()()初改訂修订新旧]*")
# Fields of work of one project: its guides may well speak of the same.
_DISCIPLINE = re.compile(
    r"(?:db|sql|java|javascript|python|api|ui|ux|web|rest|データ(?:ベース|モデル)?|アプリケーション|画面|帳票|テスト|セキュリティ|性能"
    r"|コーディング|実装|設計|開発|運用|品質|プロジェクト|文書|構成管理|数据库|系统|应用|接口|前端|后端|安全|测试|性能|开发|设计|运维|质量|项目|文档"
    r"|编码|配置|coding|database|test(?:ing)?|security|project|quality|release|logging|design|deployment)(?:[ _]?(?:方式|全体))?",  # noqa: E501  # a pattern or list stays in one line
    re.IGNORECASE,
)
_ABOVE = re.compile(r"^(?:を超え|超|より大き|より多|を上回|以上)(?:る|た|の|て|える)?")
_MODIFIES = re.compile(
    r"^(?:未満|以上|以下|以内|以内\([^)]*\)|以下\([^)]*\)|を超える|超|超の)の?(?=[\u4e00-\u9fff\u30a1-\u30fa])|^(?:以内|以下|以上|以外)?(?:\([^)]*\))?的"
)
_LOWER_BEFORE = re.compile(
    r"(?:超过|大于|高于|不低于|不少于|more than|over|above|at least|exceed(?:s|ing)?|larger than|greater than) ?$"
)
_UPPER_BEFORE = re.compile(
    r"(?:不超过|不足|少于|低于|小于|fewer than|less than|under|below|up to|at most|smaller than) ?$"
)
_ENGLISH_CONDITION = re.compile(r"\b(?:of|with|for|when|if|whose|that)\b[^,;]{0,30}$")
_INCLUSIVE = re.compile(r"(?:不低于|不少于|不超过|at least|up to|at most) ?$")
# How far from a bound the next value lies, as a share of it.
_EDGE = 1e-6


@dataclass(frozen=True, slots=True)
class Interval:
    """The numbers of a dimension for which a rule holds."""

    dimension: str
    lower: float
    upper: float

    def meets(self, other: "Interval") -> bool:
        """Tell whether some number lies in both."""
        return self.lower < other.upper and other.lower < self.upper


@dataclass(frozen=True, slots=True)
class Facets:
    """The cases that a text names.

    Attributes:
        named: Kind and name of a case ("environment", "staging"); names in the words of the text, or an identifier of
            the lexicon.
        conditions: Bounds that qualify a noun.
    """

    named: frozenset[tuple[str, str]] = frozenset()
    conditions: tuple[Interval, ...] = ()

    def kinds(self) -> frozenset[str]:
        """Return the kinds of cases named."""
        return frozenset(kind for kind, _ in self.named)


NO_FACETS = Facets()


def find_facets(text: str, language: Language, lexicon: Lexicon) -> Facets:
    """Return the cases that a normalised text names."""
    found: set[tuple[str, str]] = set()
    for kind, pattern in _PATTERNS.items():
        for match in pattern.finditer(text):
            name = next(group for group in match.groups() if group)
            if _ANY.match(name) or (kind == "environment" and _NO_ENVIRONMENT.match(name)):
                continue
            known = {
                identifier
                for hit in scan(match.group(), lexicon.index(language))
                for identifier in hit.ids
                if any(lexicon.families[family].role == "scope" for family in lexicon.families_of.get(identifier, ()))
            }
            told = {_SAME.get(name, "transactional")} if kind == "store" else known or {_SAME.get(name, name)}
            found.update((kind, identifier) for identifier in told)
    return Facets(frozenset(found), _conditions(text, language, lexicon))


def _conditions(text: str, language: Language, lexicon: Lexicon) -> tuple[Interval, ...]:
    if not any(character.isdigit() for character in text) and language == "ja":
        return ()
    return tuple(
        interval
        for quantity in find_quantities(text, lexicon)
        if quantity.dimension != "bare"
        for interval in (_interval(quantity, text, language),)
        if interval is not None
    )


def _interval(quantity: Quantity, text: str, language: Language) -> Interval | None:
    before, behind = text[: quantity.start], text[quantity.end :]
    if language == "en":
        lower, upper = _LOWER_BEFORE.search(before), _UPPER_BEFORE.search(before)
        told = lower or upper
        if told is None or not _ENGLISH_CONDITION.search(before[: told.start()]):
            return None
    elif not _MODIFIES.match(behind):
        return None
    else:
        upper = _UPPER_BEFORE.search(before)
        lower = None if upper else _LOWER_BEFORE.search(before) or _ABOVE.match(behind)
    amount = quantity.amount
    if lower:
        inclusive = behind.startswith("以上") or _INCLUSIVE.search(before) is not None
        return Interval(quantity.dimension, amount * (1 - _EDGE if inclusive else 1 + _EDGE), float("inf"))
    inclusive = behind.startswith(("以内", "以下")) or _INCLUSIVE.search(before) is not None
    return Interval(quantity.dimension, float("-inf"), amount * (1 + _EDGE / 2 if inclusive else 1 - _EDGE))


def apart(a: Facets, b: Facets, ignored: frozenset[str]) -> bool:
    """Tell whether no case belongs to both; facets of an ignored kind do not count."""
    for kind in (a.kinds() & b.kinds()) - ignored:
        one, two = ({name for other, name in side.named if other == kind} for side in (a, b))
        if one.isdisjoint(two) and _same_script(one | two):
            return True
    return any(one.dimension == two.dimension and not one.meets(two) for one in a.conditions for two in b.conditions)


def _same_script(names: set[str]) -> bool:
    """Names in different scripts may be translations of each other."""
    kinds = {"latin" if name.isascii() else "national" if is_national(name) else "han" for name in names}
    return len(kinds - {"han"}) <= 1 and not ("latin" in kinds and len(kinds) > 1)


def are_siblings(a: str, b: str) -> bool:
    """Tell whether two documents' names say the same of different things."""
    one, two = (_EXTENSION.sub("", name).replace("_", " ") for name in (a, b))
    shared = 0
    while shared < min(len(one), len(two)) and one[-1 - shared] == two[-1 - shared]:
        shared += 1
    ending = one[len(one) - shared :].strip()
    fronts = (one[: len(one) - shared], two[: len(two) - shared])
    if all(_DISCIPLINE.fullmatch(front.strip()) for front in fronts) or not _TITLE_KIND.sub("", ending):
        return False
    return len(ending) >= _SIBLING and all(front and not _EDITION.fullmatch(front) for front in fronts)
