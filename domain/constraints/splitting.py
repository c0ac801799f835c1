"""Cutting a chunk into single rules: sentences, bullets and table rows `label: value`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..conflicts import RuleText
from .answers import with_question, without_yes_or_no
from .cells import said_by_cell
from .double_negation import without_double_negation
from .headed import is_refusal, turned_down, under_heading, verdict_of
from .targets import topic_text
from .text import Language, is_national, language_of, normalise

_BULLET = re.compile(r"^\s*(?:[・·●○■□◆◇\-*•▪※☐☑✓]|\(?\d{1,2}[).．、]|[①-⑳]|Q\d+[.．:：]|[a-z]\)|[(（]\d+[)）])\s*")
# How the lines of questions and answers begin.
_QUESTION = re.compile(r"^\s*(?:Q|Ｑ|问|問|質問)\s*\d{0,2}\s*[.．:：、]\s*")
_ANSWER = re.compile(r"^\s*(?:A|Ａ|答|回答|回复)\s*\d{0,2}\s*[.．:：、]\s*")
_ASKED_IN_ROW = re.compile(
    r"^\s*(?:Q|質問|問い?|设问|問題|问题?|提问|question)\s*\d{0,2}\s*[:：]\s*([^|｜]+?)\s*(?:[|｜]|(?<=[?？。])\s)\s*(?:A|回答|答え?|答案|回复|answer)\s*\d{0,2}\s*[:：]\s*([^|｜]+)$",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(
    r"(?<=[。！？!?])(?![」』”\"）)])|(?<=[a-z0-9)\"'][.;]) +(?=[A-Z\"'])|(?<=[A-Z]{2}[.;]) +(?=[A-Z])|(?<=；)"
)
_CELL = re.compile(r"^\s*([^:：|]{1,30}?)\s*[:：]\s*(.+)$", re.DOTALL)
# Labels of cells that say what the row is about, and of cells whose value stands for the row's subject.
_KEY_LABEL = re.compile(
    r"^(?:対象|項目|検査項目|点検項目|確認項目|チェック項目|項目名|種別|文書|スタイル名|スタイル|環境|区分|欄|指標|部品|名称|名前|設問"
    r"|機能|画面|帳票|分類|パラメータ"
    r"|[^:：]{0,20}(?:名|名称|[a-z]?id|种类|種類)$"
    r"|检查项|项目|对象|名称|字段|环境|指标|类别|参数(?!个数|数量)|类型|setting|option|property|item|check|parameter|target|kind|field|environment|name|element|object)"
)
_VALUE_LABEL = re.compile(
    r"^(?:値|設定値|設定|規定|内容|記入内容|入力|入力値|書式|形式|方法|説明|基準|目標|合格|規則|ルール"
    r"|值|取值|要求|规定|标准|做法|填写内容|格式|format|value|rule|limit|requirement"
    r"|target value|target|目标|目標値|set to)$"
)
_CRITERION = re.compile(
    r"^(?:基準値?|目標値?|合格(?:基準)?|達成基準|标准|目标值?|合格标准|requirement|target(?: value)?|criterion|threshold)$"  # noqa: E501  # a pattern or list stays in one line
)
_NUMBERING_LABEL = re.compile(r"^(?:编号|序号|番号|項番|no\.?|#|行号|№)$")
_EXAMPLE_LABEL = re.compile(r"^(?:例|記入例|備考例|サンプル|示例|例子|example|sample)")
_ASIDE = re.compile(
    r"[(（][^()（）]*(?:例[:：]|例えば|例[）)]?$|如[:：]?|e\.g\.|for example)(?:[^()（）]|[(（][^()（）]*[)）])*[)）]"
    # An example behind what is ruled: the rest of the sentence stands without it.
    r"|(?<=.{10})[,，、]\s*(?:(?:e\.g\.|such as|for example|for instance) [^,;]*?(?=,|;|\.?$)|(?:例如|比如|如|例えば)[^，,、。；;]*)"  # noqa: E501  # a pattern or list stays in one line
    # Why a rule is what it is names what is not the rule.
    r"|(?<=.)[(（][^()（）]{4,}(?:ため|ので|から|為|故)[)）]"
    r"|(?:^|(?<=[。；]))[(（]?例[)）:：].*$",
    re.IGNORECASE,
)

# A line or a section that only shows how something looks ("（記入例。値は架空のもの）…", "記載例").
_EXAMPLE_LINE = re.compile(
    r"^\s*[(（【\[](?:記入例|記載例|入力例|例|見本|サンプル|示例|样例|填写示例|sample|example)(?:[。、，,.;：:][^)）】\]]*)?[)）】\]]",
    re.IGNORECASE,
)
_EXAMPLE_HEADING = re.compile(
    r"^[\d.\s()（）]*(?:記入例|記載例|記述例|[良悪よ]い例|よくない例|悪い書き方|見本|サンプル|(?:填写)?示例|样例|samples?|(?:filled-in )?examples?)$",  # noqa: E501  # a pattern stays in one line
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"(?:https?|ftp)://[A-Za-z0-9][^\s|、。）)」]*")
# A line of a change history.
_DATED_ROW = re.compile(r"^\s*(?:平成|令和)?\d{1,4}[年/.-]\d{1,2}[月/.-](?:\d{1,2}日?)?\s*[|｜]")
_UNIT_LABEL = re.compile(r"^(?:単位|单位|unit|units)$")
_UNIT_IN_LABEL = re.compile(r"^(.{1,20}?)\s*[(（\[]([^()（）\[\]\d]{1,8})[)）\]]$")
_NUMBER = re.compile(r"[\d.,]+")
_IN_PARENTHESES = re.compile(r"[(（][^()（）]*[)）]")
_GRADE = re.compile(r"[0-9A-Za-z一二三四五ⅠⅡⅢⅣ高中低]{1,2}")
# The number of a row; what is longer tells how numbers are made.
_LONGEST_NUMBER = 8
_SENTENCE_LENGTH = 12
_LONG_CELL = 30
# What goes on longer than this is no rule; its end is not read, since some steps cost the square of its length.
_LONGEST = 600
_REASON = re.compile(
    r"(?:ため(?:です|である|だ)|から(?:です|である)|のためです)[。.]?$"
    r"|^(?:because|the reason|理由は|なぜなら|原因是|这是因为)"
)


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule as it stands in a chunk.

    Attributes:
        source: The chunk.
        quote: The rule as written.
        text: Normal form, without bullets and examples.
        subject: Normal form of what the surrounding row says it is about.
        label: Normal form of the cell's label, "" outside tables.
        language: Language of the chunk.
        line: Number of the line it stands in, from 0.
        criterion: It is a cell whose label says that its number is what has to be met.
    """

    source: RuleText
    quote: str
    text: str
    subject: str
    label: str
    language: Language
    line: int = 0
    criterion: bool = False


def split_rules(source: RuleText) -> tuple[Rule, ...]:
    """Return the single rules of a chunk, in order."""
    language = language_of(source.text)
    if language == "zh" and not is_national(source.text):
        # Han characters that both languages write: the surroundings tell.
        language = language_of(f"{source.text} {' '.join(source.headings)} {source.document}")
    if source.headings and _EXAMPLE_HEADING.match(source.headings[-1].strip()):
        return ()
    rules: list[Rule] = []
    asked: tuple[Rule, ...] = ()
    for number, line in _lines_of(source.text):
        answer = _ANSWER.sub("", line)
        found = tuple(replace(rule, line=number) for rule in _split_line(source, _QUESTION.sub("", answer), language))
        if asked and answer != line:
            # A question only says what its answer is about.
            topic = " ".join(topic_text(rule.text, language) or rule.text for rule in asked)[:_LONGEST]
            rules = rules[: len(rules) - len(asked)]
            found = tuple(replace(rule, subject=rule.subject or topic) for rule in found)
            found = _answered(asked[-1], answer, found, language)
        rules.extend(found)
        asked = found if _QUESTION.match(line) else ()
    return tuple(rules)


def _lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield numbered lines; the question and the answer of one row are two."""
    for number, line in enumerate(text.splitlines()):
        row = _ASKED_IN_ROW.match(line)
        yield from ((number, part) for part in (f"Q: {row[1]}", f"A: {row[2]}")) if row else ((number, line),)


def _answered(question: Rule, answer: str, found: tuple[Rule, ...], language: Language) -> tuple[Rule, ...]:
    """Return the rules of an answer, with what its yes or no says of the question before them."""
    said = with_question(question.text, normalise(answer[:_LONGEST]), language)
    if not said:
        return found
    rest = [replace(rule, text=without_yes_or_no(rule.text, language)) for rule in found[:1]]
    line = found[0].line if found else question.line + 1
    told = replace(question, quote=answer.strip(), text=said, line=line)
    return (told, *(rule for rule in (*rest, *found[1:]) if len(rule.text) > 1))


def _split_line(source: RuleText, line: str, language: Language) -> Iterator[Rule]:
    heading = source.headings[-1].strip() if source.headings else ""
    checked = language == "ja" and (_CHECK_MARK.match(line) is not None or _CHECK_HEADING.search(heading) is not None)
    line = _BULLET.sub("", _ADDRESS.sub(" ", line)).strip()
    if not line or _DATED_ROW.match(line) or _EXAMPLE_LINE.match(line):
        return
    row = _cells_of(line)
    if row:
        yield from _split_row(source, line, row, language)
        return
    cells = [cell.strip() for cell in re.split(r"[|｜]", line)]
    if len(cells) > 1:
        # A row without labels: only a cell that is a sentence states something, about the first cell, unless that
        # says no more than that a description follows.
        about = "" if _VALUE_LABEL.match(normalise(cells[0])) else normalise(cells[0])[:_LONGEST]
        for cell in cells[1:]:
            if len(cell) > _SENTENCE_LENGTH:
                for sentence in _SENTENCE_END.split(cell):
                    text = without_double_negation(normalise(_ASIDE.sub("", sentence[:_LONGEST])), language)
                    if len(text) > _SENTENCE_LENGTH and not _REASON.search(text):
                        yield Rule(source, line, text, about, "", language)
        return
    yield from _split_text(source, line, language, checked=checked)


# A line of a checklist, and what it finds done or there.
_CHECK_MARK = re.compile(r"^\s*[・*-]?\s*(?:[□☐☑✓]|\[[ x]?\])")
_CHECK_HEADING = re.compile(r"チェック(?:リスト|項目|シート)?$|点検(?:表|項目)?$|確認(?:項目|事項|観点)$")
_FOUND = re.compile(r"(?:て|で)(?:いる|いない)[。.]?$|(?:[がは](?:ある|ない))[。.]?$")


def _split_text(source: RuleText, line: str, language: Language, *, checked: bool = False) -> Iterator[Rule]:
    """Yield the sentences of a line outside tables; items below "not required" and the like read as such rules."""
    verdict = verdict_of(normalise(source.headings[-1])) if source.headings else None
    for sentence in _SENTENCE_END.split(line):
        text = without_double_negation(normalise(_ASIDE.sub("", sentence[:_LONGEST])), language)
        if verdict is not None:
            text = under_heading(text, verdict, language)
        if checked and _FOUND.search(text):
            text = f"{text.rstrip('。.')}こと"
        if len(text) > 1 and not _REASON.search(text):
            label = _label_of(text)
            if label and (said := said_by_cell(label, text, "", language)):
                text, label = said, ""
            yield Rule(source, sentence.strip(), text, "", label, language)


def _cells_of(line: str) -> list[re.Match[str]]:
    """Return the cells of a row `label: value | label: value`, or with ` / ` between them; [] for other lines."""
    bars = [part for part in re.split(r"\s*[|｜]\s*", line) if part.strip()]
    if len(bars) > 1:
        if not _CELL.match(bars[0]) and len(bars[0]) <= _LONGEST_FIRST and "。" not in bars[0]:
            # The first cell of a row may name its subject without a label ("検証エラー | HTTPステータス: 400").
            bars[0] = f"{_SUBJECT_LABEL}: {bars[0]}"
        # A further cell without a label is a remark.
        bars[2:] = [bar if _CELL.match(bar) else f"{_REMARK_LABEL}: {bar}" for bar in bars[2:]]
        labelled = [match for match in map(_CELL.match, bars) if match]
        return labelled if len(labelled) == len(bars) else []
    cells: list[str] = []
    for part in re.split(r"\s+/\s+", line):
        # A slash may stand inside a value: what has no label belongs to the cell before it.
        if cells and not _CELL.match(part):
            cells[-1] += f" / {part}"
        else:
            cells.append(part)
    found = [match for match in map(_CELL.match, cells) if match]
    return found if len(found) > 1 and len(found) == len(cells) else []


# The label that a first cell without one gets, and how long such a cell may be.
_SUBJECT_LABEL, _REMARK_LABEL, _LONGEST_FIRST = "項目", "備考", 24


def _label_of(text: str) -> str:
    match = _CELL.match(text)
    return match.group(1) if match else ""


def _is_key(cell: re.Match[str]) -> bool:
    label = normalise(cell.group(1))
    measured = _VALUE_LABEL.match(label) is not None and re.search(r"\d", cell.group(2)) is not None
    return _KEY_LABEL.match(label) is not None and not measured


def _keys_of(cells: list[re.Match[str]]) -> list[re.Match[str]]:
    """Return the cells that say what a row is about."""
    numbers = [cell for cell in cells if _is_code(cell)]
    named = [cell for cell in cells if cell not in numbers] or cells
    keys = [cell for cell in named if _is_key(cell)] or named[:1]
    if cells[0] not in keys and _RULE_NAME.fullmatch(cells[0].group(2).strip()):
        # The first cell names the rule ("規則: LineLength | … | 対象: 全ファイル").
        keys = [cells[0], *keys]
    if cells[0] not in keys and _names_rule(cells):
        # So does a cell "rule" or "setting" beside one for its value; a grade of the finding tells nothing of it.
        keys = [cells[0], *(cell for cell in keys if not _GRADING_LABEL.match(normalise(cell.group(1))))]
    if len(keys) == len(cells):
        keys = cells[:1]
    return keys


def _split_row(source: RuleText, line: str, cells: list[re.Match[str]], language: Language) -> Iterator[Rule]:
    keys = _keys_of(cells)
    subject = normalise(" ".join(_key_text(cell) for cell in keys).replace("_", " "))[:_LONGEST]
    unit = next((normalise(cell.group(2)) for cell in cells if _UNIT_LABEL.match(normalise(cell.group(1)))), "")
    unit = unit or next((told for cell in keys if (told := _unit_in_name(cell.group(2).strip()))), "")
    verdict = verdict_of(normalise(source.headings[-1])) if source.headings else None
    refused = any(is_refusal(normalise(cell.group(1)), normalise(cell.group(2))) for cell in cells)
    for cell in cells:
        label, value = _read_cell(cell, unit)
        if not value or any(kind.match(label) for kind in (_UNIT_LABEL, _EXAMPLE_LABEL)):
            continue
        if _NUMBERING_LABEL.match(label) and len(value) <= _LONGEST_NUMBER:
            continue
        if verdict is not None and _ITEM_LABEL.match(label):
            # A table of what is banned or not needed, an item to a row.
            yield Rule(source, line, under_heading(value, verdict, language), "", "", language)
            continue
        if cell not in keys:
            for text, told in _texts_of_cell(label, value, subject, language):
                yield Rule(source, line, text, subject, told, language, criterion=_CRITERION.match(label) is not None)
        elif not _KEY_LABEL.match(label):
            yield Rule(source, line, f"{label}: {value}", "", label, language)
        elif len(value) > 5:  # noqa: PLR2004  # a check item may itself be a sentence
            said = turned_down(value, language) if refused else value
            yield Rule(source, line, said, "" if value == subject else subject, "", language)


_CODE_LABEL = re.compile(r"(?:id|番号|コード|编号|代码|code)$")
_CODE = re.compile(r"[A-Za-z]{1,6}[-_]?\d{1,5}")
# Units that names of settings end in ("retryIntervalMillis", "timeout_sec").
_NAMED_UNIT = re.compile(
    r"(?<=[a-z_])(Ms|Sec(?:ond)?s?|Min(?:ute)?s?|Hours?|Days?|_ms|_sec(?:ond)?s?|_min(?:ute)?s?|_hours?|_days?)$"
)
# By two letters, which tell them apart.
_UNITS = {"mi": "minutes", "ms": "ms", "se": "seconds", "ho": "hours", "da": "days"}


def _is_code(cell: re.Match[str]) -> bool:
    """Tell whether a cell only numbers its row ("検査ID: ST-014")."""
    return (
        _CODE_LABEL.search(normalise(cell.group(1))) is not None and _CODE.fullmatch(cell.group(2).strip()) is not None
    )


def _unit_in_name(name: str) -> str:
    """Return the unit that a setting's name ends in, "" for others.

    >>> _unit_in_name("retryIntervalMillis"), _unit_in_name("timeout_sec"), _unit_in_name("pageSize")
    ('ms', 'seconds', '')
    """
    if name.endswith(("Millis", "Milliseconds", "_millis")):
        return "ms"
    match = _NAMED_UNIT.search(name)
    return _UNITS[match.group(1).lower().lstrip("_")[:2]] if match else ""


_IDENTIFIER = re.compile(r"[a-z]+(?:_[a-z]+)+")


_RULE_NAME = re.compile(r"[A-Z][a-z]+(?:[A-Z][a-z]+)+|[a-z]+(?:[A-Z][a-z]+)+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])")


_RULE_LABEL = re.compile(
    r"^(?:規則|ルール(?:名)?|設定(?:項目|名)?|基準|規定|観点|検査|チェック|指標|规则|规则名|设置|配置项?|检查点|rules?|settings?|checks?|metrics?|criterion)$"  # a pattern stays in one line  # noqa: E501  # a pattern stays in one line
)
_BOUND_LABEL = re.compile(
    r"^(?:値|設定値|規定値|上限値?|下限値?|最大値?|最小値?|しきい値|閾値|基準値|許容値|内容|設定|取值|上限|下限|阈值|设定值|最大值|最小值|值|value|limit|threshold|max(?:imum)?|min(?:imum)?|setting|allowed)(?: ?\([^()]*\))?$"  # noqa: E501  # a pattern stays in one line
)
_ITEM_LABEL = re.compile(
    r"^(?:内容|項目|事項|行為|表現|もの|対象|语句|事项|内容|行为|项目|item|what|content|practice)$"
)
_GRADING_LABEL = re.compile(r"^(?:区分|分類|重要度|深刻度|種別|类别|级别|严重程度|category|severity|level|kind)$")


def _names_rule(cells: list[re.Match[str]]) -> bool:
    """Tell whether the first cell of a row names a rule of which a later one gives the value."""
    labels = [normalise(cell.group(1)) for cell in cells]
    return _RULE_LABEL.match(labels[0]) is not None and any(_BOUND_LABEL.match(label) for label in labels[1:])


def _key_text(cell: re.Match[str]) -> str:
    """Return what a cell says its row is about: a grade or a number says it with its label ("Severity: 1")."""
    value = _CAMEL.sub(" ", cell.group(2).strip())
    numbered = _NUMBERING_LABEL.match(normalise(cell.group(1))) is not None
    return f"{cell.group(1)} {value}" if _GRADE.fullmatch(value) and not numbered else value


def _read_cell(cell: re.Match[str], unit: str) -> tuple[str, str]:
    """Return label and value of a cell; a bare number gets the unit of its label or its row."""
    label, value = normalise(cell.group(1)), normalise(_ASIDE.sub("", cell.group(2)[:_LONGEST]))
    if _IDENTIFIER.fullmatch(value):
        # max_line_length says what it is, in words.
        value = value.replace("_", " ")
    if not _NUMBER.fullmatch(value):
        return label, value
    named = _UNIT_IN_LABEL.match(label)
    label, unit = (named.group(1), named.group(2)) if named else (label, unit)
    return label, value + ("か月" if unit == "月" else unit)


def _texts_of_cell(label: str, value: str, subject: str, language: Language) -> Iterator[tuple[str, str]]:
    """Yield the rules of a cell, each with the label it is read under."""
    if said := said_by_cell(label, f"{label}: {value}", subject, language):
        yield said, ""
        return
    sentences = _SENTENCE_END.split(value) if len(value) > _LONG_CELL else []
    if len(sentences) > 1:
        for sentence in sentences:
            if len(sentence) > _SENTENCE_LENGTH and not _REASON.search(sentence):
                yield without_double_negation(sentence, language), label
    elif _VALUE_LABEL.match(label):
        # A whole sentence stands for itself; a bare value needs its subject to be read.
        said = _IN_PARENTHESES.sub("", value)
        yield (value if len(said) > _SENTENCE_LENGTH else f"{subject}: {value}"), subject
    else:
        yield f"{label}: {value}", label
