"""The order of steps that a numbered list or the rows of a table give ("1. …", `順: 1 | 作業: …`)."""

import re
from collections.abc import Iterator
from itertools import combinations

from ..conflicts import RuleText
from .lexicon import Lexicon
from .ordering import OrderClaim, order_of
from .text import Language, normalise

# What says that numbers are the order in which things are done, not mere counting.
_PROCEDURE = re.compile(
    r"手順|作業|流れ|工程|順(?:序|番|に|:)|進め方|切替|移行|リリース|適用|步骤|流程|顺序|次序|上线|发布|procedure|steps?\b|sequence|order\b|workflow|release|deploy",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"^\s*[(（]?(\d{1,2})[.)．、）:：]\s*(\S.*)$")
_ROW_NUMBER = re.compile(
    r"(?:^|[|｜]\s*)(?:順序?|手順|序号|顺序|步骤|no\.?|step|#)\s*[:：]\s*(\d{1,2})(?=\s*[|｜])", re.IGNORECASE
)  # a pattern stays in one line
_ROW_STEP = re.compile(
    r"[|｜]\s*(?:作業|作業内容|内容|手順|工程|活动|工作|操作|步骤|任务|task|action|activity|work)\s*[:：]\s*([^|｜]+)",
    re.IGNORECASE,
)  # a pattern stays in one line
_STEP_CELL = re.compile(
    r"(?:(?:步骤|手順|ステップ|工程|step)\s*(\d)\s*[:：.]\s*|([①-⑨])\s*)([^|｜①-⑨。\n]{2,40})", re.IGNORECASE
)
# Headings below which even bullets without numbers stand in the order in which things are done, and such bullets.
_SEQUENCE = re.compile(
    r"(?:流れ|手順|順序|順番|フロー|並び|進め方|流程|步骤|顺序|次序)$|\b(?:sequence|steps|order of work|procedure)$",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^\s*[・·●○■□◆◇\-*•▪]\s*(\S[^。.]{1,40})[。.]?$")
_NO_STEP = re.compile(r"は(?!じめ)|こと$|ない|[:：|｜]")
_FEWEST_BULLETS = 3
_ASIDE = re.compile(r"[(（][^()（）]*[)）]")
_FEWEST, _FEWEST_ROWS, _MOST = 2, 2, 12


def steps_of(source: RuleText) -> tuple[tuple[int, str], ...]:
    """Return line numbers and texts of the steps that a chunk numbers from 1 on, empty when it numbers none."""
    told = " ".join((*source.headings, source.document, source.text[:80]))
    if not _PROCEDURE.search(told) and not _ROW_STEP.search(source.text):
        return _bullets_of(source)
    found: list[tuple[int, str]] = []
    fewest = _FEWEST
    for number, line in enumerate(source.text.splitlines()):
        row = _ROW_NUMBER.search(line)
        step = _ROW_STEP.search(line) if row else None
        numbered = None if row else _NUMBERED.match(line)
        place, text = (row[1], step[1]) if row and step else (numbered[1], numbered[2]) if numbered else ("", "")
        if place and int(place) == len(found) + 1:
            found.append((number, normalise(text)))
            # A row that names number and activity needs no company to be a step.
            fewest = _FEWEST_ROWS if row else _FEWEST
    if fewest <= len(found) <= _MOST:
        return tuple(found)
    return _labelled_steps(source) or _bullets_of(source)


def _labelled_steps(source: RuleText) -> tuple[tuple[int, str], ...]:
    """Return the steps that cells number in their labels ("步骤1: 停止服务 | 步骤2: …"), circled numbers likewise."""
    steps = [
        (number, int(match[1]) if match[1] else "①②③④⑤⑥⑦⑧⑨".index(match[2]) + 1, normalise(match[3]))
        for number, line in enumerate(source.text.splitlines())
        for match in _STEP_CELL.finditer(line)
    ]
    in_order = [place for _, place, _ in steps] == list(range(1, len(steps) + 1))
    return tuple((number, text) for number, _, text in steps) if in_order and _FEWEST <= len(steps) <= _MOST else ()


def _bullets_of(source: RuleText) -> tuple[tuple[int, str], ...]:
    """Return the bullets below a heading that names a sequence, where all of them only name what is done."""
    if not source.headings or not _SEQUENCE.search(source.headings[-1].strip()):
        return ()
    lines = [(number, line) for number, line in enumerate(source.text.splitlines()) if line.strip()]
    steps = [(number, _BULLET.match(_ASIDE.sub("", line))) for number, line in lines]
    if not _FEWEST_BULLETS <= len(steps) <= _MOST or not all(step for _, step in steps):
        return ()
    told = [(number, normalise(step[1])) for number, step in steps if step]
    return () if any(_NO_STEP.search(text) for _, text in told) else tuple(told)


def orders_of(source: RuleText, language: Language, lexicon: Lexicon) -> Iterator[tuple[int, OrderClaim]]:
    """Yield the orders that a numbered procedure states, with the line of the earlier step."""
    for (line, first), (_, second) in combinations(steps_of(source), 2):
        claim = order_of(first, second, language, lexicon)
        if claim is not None:
            yield line, claim
