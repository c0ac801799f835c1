"""How identifiers are built and how many grades a scale has, read from descriptions and from examples.

Rules tell the form of a number or name by its parts ("year, department, serial number"), by how it begins, by whether
it is divided, or by an example (REQ-0001, 3.2.7). None of these is in a list of values; which parts are named, and the
shape of the example, tell whether two forms can be one.
"""

import re
from collections.abc import Iterator

from .splitting import Rule
from .text import normalise
from .values import number_of

FORM, LEAD, DIVIDED, GRADES, SHAPE = "form-parts", "form-lead", "form-divided", "grades", "form-shape"
FIRST = "form-first"
STATUS, PLACE, WEEK = "status", "page-number", "week-start"
# Things whose form rules lay down. What a clause names counts before its row, the row before the heading.
_THINGS = {
    "ticket": r"refer to (?:the |a )?tickets?|cites? (?:the )?tickets?|チケット(?:番号)?(?:の参照|を(?:参照|引用))|引用(?:任务|工单)",  # noqa: E501  # a pattern or list stays in one line
    "branch": r"\bbranch|ブランチ|分支",
    "commit": r"commit (?:message|subject|comment)|コミット(?:メッセージ|コメント|文)|提交(?:说明|信息|注释|日志)",
    "requirement": r"\brequirements? (?:id|number|is numbered|are numbered)|each requirement|\brequirement\b|要件(?:番号|id)|要求(?:番号|id)|需求(?:编号|标识|id)",  # noqa: E501  # a pattern stays in one line
    "document": r"文書の?番号|ドキュメント番号|設計書番号|管理番号|文档(?:编号|编码)|文件编号|document (?:number|id|code)",  # noqa: E501  # a pattern or list stays in one line
    "job": r"ジョブ(?:の)?(?:id|名|識別子|番号)|作业(?:编号|名称)|job (?:ids?|names?)|各ジョブ",
    "test": r"(?:unit )?test (?:functions?|methods?|names?)\b|each (?:unit )?test\b|テスト(?:メソッド|関数)名?|测试(?:方法|函数)名?",  # noqa: E501  # a pattern or list stays in one line
    "screen": r"画面(?:の)?(?:id|番号)|页面编号|界面编号|screen (?:id|number)",
    "case": r"(?:テスト)?ケース(?:番号|id)|用例(?:编号|id)|test case (?:id|number)",
    "version": r"(?:^|[\d.。、\s])版(?=[はを]|$| )|\d\.\d ?版|主版本|修订号|メジャー(?:版|番号)|major (?:and|number)|最初の版|正式発行の初回|版数|版番号|版の(?:付け方|表記|番号|表し方)|初版[はを]|バージョン番号|文書の版|版本(?:号|标识|编号|命名)|软件版本|versions? (?:number|identifier|string)|versioning|releases? (?:numbers?|are numbered)",  # noqa: E501  # a pattern or list stays in one line
    "phone": r"電話番号|电话(?:号码)?|手机号|(?:tele)?phone(?: number)?s?\b",
    "postcode": r"郵便番号|邮政编码|邮编|postal code|zip code",
    "path": r"path segments?|url path|\bpaths\b|urlのパス|パスの(?:要素|区切り|語)|接口路径|路径(?:片段|中的)",
    "employee": r"社員番号|職員番号|工号|员工编号|employee (?:number|id)",
    "customer": r"顧客(?:番号|コード)|取引先コード|客户(?:编号|代码)|customer (?:number|code)",
    "error": r"エラーコード|メッセージid|错误码|消息编号|error codes?|message id",
}
_THING = {name: re.compile(pattern) for name, pattern in _THINGS.items()}
_PARTS = {
    "date": r"日付|作成日|年月日|日期|\bdate\b|yyyymmdd",
    "year": r"(?<![一-龥])年(?=\d|[+、,・と加]|部)|年份|西暦|年度|\byear\b",
    "month": r"月份|\bmonth\b",
    "project": r"プロジェクト(?:コード|記号|略号|番号|名)|项目(?:代号|编号|代码|简称|缩写)|project (?:code|key|id|name)",  # noqa: E501  # a pattern or list stays in one line
    "department": r"部門|部署|部门|所属|department",
    "kind": r"種別|類別|分類|类别|类型|\btype\b|category|\bkind\b",
    "serial": r"連番|序号|通し番号|一連番号|流水号|序号|顺序号|running number|serial|sequen(?:tial|ce)|followed by \w+ digits",  # noqa: E501  # a pattern or list stays in one line
    "person": r"担当者|作成者|氏名|姓名|负责人|\bauthor|\bowner|initials|user id",
    "ticket": r"チケット番号|課題番号|任务号|工单号|问题编号|ticket|issue (?:number|key)",
    "section": r"章番号|節番号|章节号|section number|chapter number",
    "system": r"システム(?:名|コード|略)|サブシステム|系统(?:代号|简称|代码)|system (?:code|id|name)",
}
_PART = {name: re.compile(pattern) for name, pattern in _PARTS.items()}
_PREFIX = re.compile(r"\b([a-z]{2,10})(?:-(?= ?(?:followed|と|に|の|で|加|后))|/(?=[\u3040-\u9fff<{\[]))")
_JOINED = re.compile(
    r"[+＋_]|[一-龥][-－][一-龥]|[、,] ?.{1,14}[、,]|加|followed by|, then|組み合わせ|组成|构成|consist|依次|の順|に続け|[a-z]/[\u4e00-\u9fff\u30a0-\u30ff]"  # noqa: E501  # a pattern or list stays in one line
)
_LEADS = (
    re.compile(
        r"以([^，,。]{1,12}?)(?:开头|起头|开始|为首)|第一个词(?:为|是|必须是|须为|应为)([^，,。]{1,8})|(?:开头|句首)(?:写|放|为)([^，,。]{1,8})"
    ),
    re.compile(
        r"(?:先頭|冒頭|最初)(?:に|は|を)([^、。]{1,12}?)(?:を|と|に|から|で)|([^、。はが]{1,12}?)(?:から|で)(?:始め|始まる|書き始め)"
    ),
    re.compile(
        r"\b(?:starts?|begins?|opens?) with (?:an? |the )?([a-z ]{3,24})|first word is (?:an? |the )?([a-z ]{3,16})"
    ),
)
_LITERAL_LEAD = re.compile(r"[「『\"]?([a-z0-9#]{1,10})[-_/]?[」』\"]?")
# A part that a form must not have.
_LEFT_OUT = "!"
_WITHOUT = re.compile(
    r"(?:入れ|含め|付け|使わ|用い)(?:て(?:は|も)?(?:なら|いけ)|ない|ません|ず)|含まない|不(?:得)?(?:含|带|包含|写入|体现)|must not (?:contain|include|carry)|without (?:the |any )?"  # noqa: E501  # a pattern or list stays in one line
)
_FIRST_VERSION = re.compile(
    r"(?:初版|最初の版|新規|初めて登録|新建|首次登记|最初|初回|首次|首版|第一版|初始版本|first (?:issue|version|release|edition))[^。;；]{0,26}?(?<![\d.])(\d+\.\d+)(?![\d.])"  # noqa: E501  # a pattern or list stays in one line
)
_FOLLOWED = re.compile(
    r"\b([A-Za-z]{1,6})[-_]? ?(?:followed by|に続け|に続く|[+＋]|加)(?=.{0,10}(?:digits|桁|位|連番|流水))"
)
_UNDIVIDED = re.compile(
    r"記号なし|(?:記号|ハイフン)[^。]{0,8}(?:取り除|除去|除い)|中间不加|不加(?:符号|分隔)|仅(?:存|用|含)?数字|"
    r"(?:区切り|ハイフン)(?:文字|記号)?(?:は|を)?(?:入れ|付け|使わ|使用せ|含め|用い)?(?:ない|ず|なし|不要|しない)|数字だけを続け"
    r"|不(?:含|带|加|用|使用)(?:任何)?(?:分隔符|连字符|短横线)|(?:without|no) (?:hyphens?|separators?|spaces or)|digits only"  # noqa: E501  # a pattern or list stays in one line
)
_DIVIDED = re.compile(
    r"[「\"]-[」\"] ?(?:必須|を(?:必ず)?入れ|で(?:つな|区切|結))|局番-|(?:ハイフン|区切り)(?:で|を)?(?:区切[るりっ]|入れる|入れて|はさむ|つな)|ハイフン区切り"  # noqa: E501  # a pattern or list stays in one line
    r"|(?:用|以)(?:短横线|连字符|分隔符)(?:连接|分隔|隔开)|(?:separated|divided|joined) by (?:a )?hyphens?|with hyphens"
)
_BRACKETED = re.compile(
    r"(?:市外局番|局番).{0,6}(?:括弧|かっこ|\(\))|区号.{0,8}括号|area code.{0,16}(?:parenthes|brackets)"
    r"|\d ?\(\d{2,4}\) ?\d|\(\d{2,5}\) ?\d"
)
_LITERAL = re.compile(r"(?<![A-Za-z0-9.#+/\-:])[#+/]?\[?[A-Za-z0-9]+(?:[-_./][A-Za-z0-9]+)*\]?(?![A-Za-z0-9:])")
_EXAMPLE = re.compile(r"\s*[(（]?(?:例|例えば|例如|如|e\.g\.|for example)", re.IGNORECASE)
_LONGEST_EXAMPLE = 24
# Characters at the end of a cell by which it is found again in its row.
_TAIL = 6
_CUE = re.compile(r"例|如|のように|など|such as|e\.g\.|like|[(（\"「“]|形|命名|[初第]")
_INTEGER = re.compile(r"第\s?\d+\s?版|整数(?:だけ|のみ)?(?:で|表示|编号)|整数(?!部)(?:を|に)|whole numbers?")
_TWO_PARTS = re.compile(r"(?:两段|二段|2段|2つの数字|two[- ]part|主版本[.．]次版本(?![.．])|major\.minor(?!\.))")
_THREE = re.compile(r"(?:三|3)(?:段|つの)(?:数字)?|three[- ](?:part|digit groups)|major\.minor\.patch|semantic version")
_PHONE = {
    "+": re.compile(
        r"国際表記|国际格式|e\.164|plus sign|(?:国番号|国家代码|国际区号|country code)(?:から|を付け|开头|を含|で始)|with (?:the )?country code"  # noqa: E501  # a pattern or list stays in one line
    ),
    "local": re.compile(
        r"国内表記|国内格式|国番号・?(?:記号)?(?:は)?なし|国番号(?:は|を)?(?:[:：] ?)?付けない|不(?:带|加|含)国(?:家代码|际区号)|without (?:the )?country code"  # noqa: E501  # a pattern or list stays in one line
    ),
}
_SCALES = {
    "severity": r"(?:缺陷|障害|不具合|defects?|bugs?).{0,8}(?:等级|级别|ランク|レベル)|重要度|重大度|深刻度|严重(?:程度|等级|级别|性)|缺陷(?:等级|级别|按|分级|分为)|severit",  # noqa: E501  # a pattern or list stays in one line
    "priority": r"優先度|優先順位|优先级|优先度|priorit",
    "urgency": r"緊急度|紧急(?:程度|度)|urgenc",
    "secrecy": r"機密(?:区分|レベル|度)|密级|机密(?:等级|级别)|confidentiality|classification of documents",
    "risk": r"リスク(?:レベル|区分|の大きさ)|风险(?:等级|级别)|risk (?:level|rating|class)",
    "difficulty": r"難易度|难度|difficult",
}
_SCALE = {name: re.compile(pattern) for name, pattern in _SCALES.items()}
_GRADED = {
    "defect": re.compile(r"不具合|欠陥|バグ|缺陷|defect|\bbugs?\b"),
    "incident": re.compile(r"障害|インシデント|故障|事故|incident|fault"),
    "issue": re.compile(r"課題|問題|问题|\bissues?\b|problem"),
    "remark": re.compile(r"指摘|评审意见|review (?:comment|finding)"),
    "request": re.compile(r"要望|变更(?:请求|申请)|変更要求|change request|需求|要件|requirement"),
    "document": re.compile(r"文書|文档|資料|document"),
}
_NUMBER = r"(\d+|[二三四五六七两]|two|three|four|five|six|seven)"
_COUNTED = re.compile(
    rf"(?<![第\d.p]){_NUMBER} ?(?:个)?(?:級|级|档|段階|つ(?!の(?:ファ|文))|種類|種|种(?!类)|区分|ランク|项(?=中)|项|项?等级|levels?|grades?|classes|values|categories|steps)"  # noqa: E501  # a pattern or list stays in one line
    r"(?=$|[,、，。.;:)」]|中|とし|とす|から|で|に|のみ|划分|录入|,| |のいず)"
)
_RANGE = re.compile(r"([a-z]?)(\d) ?(?:至|から|〜|~|-|到|to|through) ?\1(\d)(?!\d)")
_MEMBERS = re.compile(
    r"((?:[^、,/。:はをでに取为是]{1,10} ?[、,/] ?){1,}[^、,/。:はをでに]{1,10}?) ?(?:之一|のいずれか|から(?:1つ|一つ)?選|のどれか)"  # noqa: E501  # a pattern or list stays in one line
    r"|(?:one of|either|list holds|field holds|values are|grades are)[: ]+((?:[\w-]+, ?){1,}(?:or |and )?[\w-]+)"
)
# Values told one by one in quotation marks, and a table cell of values.
_LISTED = re.compile(r"[「\"“『][^「」\"“”『』]{1,8}[」\"”』]")
_VALUES = re.compile(
    r"(?:取值|可选值?|枚举值|選択肢|設定値|取り得る値|区分値|值域|[Aa]llowed values|[Vv]alues|[Oo]ptions) ?[:：]([^|｜\n]+)"  # noqa: E501  # a pattern stays in one line
)
_WEEK = re.compile(
    r"week (?:starts|begins)|(?:first|leftmost) (?:day|column) of the (?:week|calendar)|start of the week|週の(?:始まり|開始|初め|最初|先頭|起点)"  # noqa: E501  # a pattern stays in one line
    r"|(?:左端|先頭|最左)の(?:曜日|列)|週は.{1,6}(?:から)?始"
    r"|一周(?:从|的第一天|起始|以)|每周(?:从|的第一天|起始|以)|周起始|最左(?:侧|边)?(?:为|一列|列)"
)
_DAYS = {
    "monday": re.compile(r"\bmonday|月曜|(?:周|星期)一"),
    "sunday": re.compile(r"\bsunday|日曜|(?:周|星期)[日天]"),
    "saturday": re.compile(r"\bsaturday|土曜|(?:周|星期)六"),
}
_PAGE_NUMBER = re.compile(r"ページ番号|頁番号|ノンブル|页码|page numbers?")
_NOWHERE = re.compile(r"ない|ません|ず(?:に|、|$)|不(?!同)|no page|not ")
_EDGES = {
    "top": re.compile(r"ヘッダー?|上部|上端|右肩|左肩|页眉(?!页脚)|页面顶端|顶部|\bheader\b|top of"),
    "bottom": re.compile(r"フッター?|下部|下端|页脚|页面底端|底部|\bfooter\b|bottom of|foot of"),
}
_SIDES = {
    "centre": re.compile(r"中央|居中|中间|\bcent(?:re|er)(?:d)?\b"),
    "right": re.compile(r"右(?:寄せ|端|下|上|肩|側|对齐|侧)|居右|靠右|\bright\b"),
    "left": re.compile(r"左(?:寄せ|端|下|上|肩|側|对齐|侧)|居左|靠左|\bleft\b"),
    "outside": re.compile(r"外側|外侧|\boutside\b|\bouter\b"),
}
_STATUS_CODE = re.compile(r"(?<![\d.])([1-5]\d\d)(?![\d.%]|件|字|ms|条|行|人|円|元|文字)")
_STATUS_CUE = re.compile(
    r"http|ステータス|状态码|status|応答コード|レスポンスコード|返回码|response|rest|restful|\bapi|接口"
    r"|\b(?:return|answer(?:ed)? with)\b"
)
_SITUATIONS = {
    "invalid": r"バリデーション|入力値|入力(?:エラー|チェック|誤り)|検証|参数(?:错误|校验|不合法)|校验(?:失败|不通过)|validation|invalid|malformed",  # noqa: E501  # a pattern or list stays in one line
    "created": r"登録(?:完了|成功|した)|作成(?:完了|成功|した)|新規|创建|新增|\bcreate",
    "empty": r"(?:検索)?結果(?:が)?0件|該当なし|0件の(?:場合|検索)|无(?:匹配)?结果|查询为空|未命中|空结果|match(?:es|ed)? nothing|without (?:any )?hits|no (?:hits|results|matches)",  # noqa: E501  # a pattern or list stays in one line
    "missing": r"対象なし|存在しない|見つから|不存在|未找到|not found|no such|unknown resource",
    "denied": r"権限(?:が)?(?:ない|なし|不足)|无权限|权限不足|forbidden|not permitted|no permission",
    "unknown-user": r"未認証|認証(?:エラー|失敗)|未登录|未认证|unauthori[sz]ed|not logged in|authentication fail",
    "clash": r"排他(?:エラー)?|競合|重複|冲突|重复|conflict|duplicate",
    "deleted": r"削除(?:完了|成功|した)|删除成功|\bdeletes?\b|\bdeleted",
    "accepted": r"受付(?:完了)?|非同期|已受理|异步|accepted|asynchronous",
}
_SITUATION = {name: re.compile(pattern) for name, pattern in _SITUATIONS.items()}


def forms_in(text: str, rule: Rule, *, first: bool) -> Iterator[tuple[str, str]]:
    """Yield what a normalised clause tells about forms and scales: the property with its thing, and the value."""
    yield from _statuses(text, rule)
    yield from _week_starts(text)
    for place, value in _places_of(text, rule):
        yield f"{PLACE}-{place}", value
    if first:
        yield from _whole_forms(rule)


def _whole_forms(rule: Rule) -> Iterator[tuple[str, str]]:
    """Yield what a whole sentence or cell tells about scales and the form of identifiers."""
    # A number may be named by its row and its cell together ("対象: 設計文書 | 番号: …").
    whole = f"{rule.subject} {rule.subject}{rule.label} {rule.text}" if rule.subject else rule.text
    for scale, graded, count in _grades(whole, rule):
        yield f"{GRADES}-{scale}-{graded}", str(count)
    for thing in _things(whole, rule):
        parts = _parts_of(whole, thing)
        left_out = _parts_of(rule.text, thing) if _WITHOUT.search(rule.text) else set()
        if len(left_out) == 1:
            yield f"{FORM}-{thing}", f"{_LEFT_OUT}{left_out.pop()}"
        elif len(parts) > 1 and _JOINED.search(rule.text):
            yield f"{FORM}-{thing}", "+".join(sorted(parts))
        lead = _lead_of(rule.text)
        if lead:
            yield f"{LEAD}-{thing}", lead
        divided = _divided(rule.text, thing)
        if divided:
            yield f"{DIVIDED}-{thing}", divided
        for shape in _shapes(rule, thing):
            yield f"{SHAPE}-{thing}", shape
        if thing == "version" and (start := _FIRST_VERSION.search(rule.text)):
            yield f"{FIRST}-{thing}", start.group(1)


def are_forms(attribute: str) -> bool:
    """Tell whether a property was read here; it names its thing, so that no further agreement is needed."""
    return attribute.startswith((FORM, FIRST, LEAD, DIVIDED, GRADES, SHAPE, STATUS + "-", PLACE + "-", WEEK))


def build_apart(attribute: str, one: str, two: str) -> bool:
    """Tell whether two values of such a property exclude each other; more parts may only say more of the same."""
    if not attribute.startswith(FORM):
        return one != two
    if one.startswith(_LEFT_OUT) or two.startswith(_LEFT_OUT):
        # A part that one leaves out, and the other has.
        return one.removeprefix(_LEFT_OUT) in two.split("+") or two.removeprefix(_LEFT_OUT) in one.split("+")
    first, second = set(one.split("+")), set(two.split("+"))
    return not (first <= second or second <= first)


def _things(whole: str, rule: Rule) -> list[str]:
    found = [name for name, pattern in _THING.items() if pattern.search(whole)]
    if not found and rule.source.headings:
        head = normalise(rule.source.headings[-1])
        found = [name for name, pattern in _THING.items() if pattern.search(head)]
    return found[:1]


def _parts_of(text: str, thing: str) -> set[str]:
    found = {name for name, pattern in _PART.items() if pattern.search(text) and name != thing}
    return found | {f"prefix-{match.group(1)}" for match in _PREFIX.finditer(text)}


def _divided(text: str, thing: str) -> str | None:
    """Return how a form is divided, None when the text does not tell."""
    if thing == "phone" and _BRACKETED.search(text):
        return "brackets"
    if _UNDIVIDED.search(text):
        return "no"
    return "yes" if _DIVIDED.search(text) else None


def _lead_of(text: str) -> str | None:
    for pattern in _LEADS:
        match = pattern.search(text)
        if match:
            told = next(group for group in match.groups() if group)
            literal = _LITERAL_LEAD.fullmatch(told.strip())
            known = next((name for name, part in _PART.items() if part.search(told)), None)
            return known or (f"prefix-{literal.group(1)}" if literal else None)
    return None


def _shapes(rule: Rule, thing: str) -> Iterator[str]:
    if thing == "version":
        if _INTEGER.search(rule.text):
            yield "whole"
        elif _THREE.search(rule.text):
            yield "9.9.9"
        elif _TWO_PARTS.search(rule.text):
            yield "9.9"
    elif thing == "phone":
        yield from (form for form, pattern in _PHONE.items() if pattern.search(rule.text))
    elif followed := _FOLLOWED.search(rule.quote if "|" not in rule.quote else ""):
        yield "A-9" if "-" in followed.group() else "A9"
        return
    # A row is quoted as a whole; only the cell that is read counts.
    quote = _with_example(rule) if "|" not in rule.quote and "｜" not in rule.quote else _cell_of(rule)
    if not _CUE.search(normalise(quote)) and thing != "version":
        return
    for match in _LITERAL.finditer(quote):
        shape = _shape_of(match.group(), thing)
        if shape:
            yield shape
            return


def _with_example(rule: Rule) -> str:
    """Return a rule as written, with the example that follows it in its line."""
    lines = rule.source.text.splitlines()
    line = lines[rule.line] if rule.line < len(lines) else ""
    behind = line.partition(rule.quote)[2] if rule.quote else ""
    return rule.quote + behind if _EXAMPLE.match(behind) else rule.quote


def _cell_of(rule: Rule) -> str:
    return next((cell for cell in re.split(r"[|｜]", rule.quote) if rule.text[-_TAIL:] in normalise(cell)), "")


def _shape_of(literal: str, thing: str) -> str | None:
    if thing == "path":
        styles = {"kebab": r"[a-z]-[a-z]", "camel": r"[a-z][A-Z]", "snake": r"[a-z]_[a-z]"}
        return next(
            (name for name, pattern in styles.items() if literal.startswith("/") and re.search(pattern, literal)), None
        )
    named = re.fullmatch(r"[A-Z]+(?:[-_][A-Z]+)+", literal) is not None
    if len(literal) > _LONGEST_EXAMPLE or not (named or re.search(r"\d", literal)):
        return None
    if thing == "version":
        dotted = re.fullmatch(r"[vV]?(\d+(?:\.\d+)+)", literal)
        if dotted is None:
            return None
        numbers = dotted.group(1).split(".")
        return ("year" if len(numbers[0]) == 4 else "9") + ".9" * (len(numbers) - 1)  # noqa: PLR2004  # a year
    if not re.search(r"[-_./#+\[]|[A-Za-z]\d{2}", literal):
        return None
    shape = re.sub(r"[a-z]+", "a", re.sub(r"[A-Z]+", "A", re.sub(r"\d+", "9", literal)))
    return shape if thing != "phone" else ("+" if shape.startswith("+") else "local")


def _grades(whole: str, rule: Rule) -> Iterator[tuple[str, str, int]]:
    scales = [name for name, pattern in _SCALE.items() if pattern.search(whole)]
    if not scales:
        return
    count = _count_of(rule.text) or _listed_in(rule)
    if count is None or count < 2:  # noqa: PLR2004  # one grade is no scale
        return
    source = rule.source
    for place in (
        _LISTED.sub("", _MEMBERS.sub("", whole)),
        normalise(" ".join(source.headings)),
        normalise(source.document),
    ):
        graded = [name for name, pattern in _GRADED.items() if pattern.search(place)]
        if graded:
            yield scales[0], graded[0], count
            return
    yield scales[0], "any", count


def _listed_in(rule: Rule) -> int | None:
    """Return how many values a table cell of values lists."""
    cell = _VALUES.search(rule.quote)
    if cell is None or rule.text[-_TAIL:] not in normalise(cell.group()):
        return None
    return len([item for item in re.split(r"[、,，/／]", cell.group(1)) if item.strip()])


def _count_of(text: str) -> int | None:
    counted = _COUNTED.search(text)
    if counted:
        number = number_of("二" if counted.group(1) == "两" else counted.group(1))
        return int(number) if number is not None else None
    span = _RANGE.search(text)
    if span:
        return int(span.group(3)) - int(span.group(2)) + 1
    listed = _MEMBERS.search(text)
    if listed is None:
        return None
    items = re.split(r"[、,/]|\bor\b|\band\b", next(group for group in listed.groups() if group))
    return len([item for item in items if item.strip()])


def _week_starts(text: str) -> Iterator[tuple[str, str]]:
    days = [day for day, pattern in _DAYS.items() if pattern.search(text)]
    if len(days) == 1 and _WEEK.search(text) and not _NOWHERE.search(text):
        yield WEEK, days[0]


def _places_of(text: str, rule: Rule) -> Iterator[tuple[str, str]]:
    """Yield where a page number stands: head or foot of the page, and at which side."""
    heading = normalise(rule.source.headings[-1]) if rule.source.headings and rule.label else ""
    if not _PAGE_NUMBER.search(f"{rule.subject} {text} {heading}") or _NOWHERE.search(text):
        return
    for name, places in (("edge", _EDGES), ("side", _SIDES)):
        found = [value for value, pattern in places.items() if pattern.search(text)]
        if len(found) == 1:
            yield name, found[0]


def _statuses(text: str, rule: Rule) -> Iterator[tuple[str, str]]:
    around = normalise(" ".join((*rule.source.headings, rule.source.document)))
    codes = set(_STATUS_CODE.findall(text))
    if len(codes) != 1 or not _STATUS_CUE.search(f"{rule.subject} {text} {around}"):
        return
    told = f"{rule.subject} {rule.text}"
    for name, pattern in _SITUATION.items():
        if pattern.search(told):
            yield f"{STATUS}-{name}", codes.pop()
            return
