"""Cover, change history and contents sheets, and the banner that every sheet repeats."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from .frames import Region
from .grid import Cell, Place
from .outline import numbered

_HISTORY = re.compile(
    r"(?:変更|改訂|改定|改版|更新|修正|版|リビジョン)(?:管理)?(?:の)?(?:履歴|記録|来歴)(?:一覧|表)?|履歴"
    r"|(?:文档|文件)?(?:修订|变更|更改|修改|版本|更新)(?:履历|历史|记录)表?"
    r"|(?:revision|change|version|document)s?(?:history|log|record)s?|changelog",
    re.IGNORECASE,
)
_CONTENTS = re.compile(r"目次|もくじ|総?目次一覧|目录|(?:tableof)?contents|toc", re.IGNORECASE)
_COVER = re.compile(r"表紙|封面|cover(?:page|sheet)?", re.IGNORECASE)
_DATE_LABEL = re.compile(r"日付|日期|年月日|(?:変更|改訂|改定|更新|修正|作成)日|\bdate\b", re.IGNORECASE)
_VERSION_LABEL = re.compile(r"版|バージョン|版本|リビジョン|\bver|\brev|^no", re.IGNORECASE)
_CHANGE_LABEL = re.compile(
    r"(?:変更|改訂|改定|更新|修正|变更|修订|修改)(?:内容|箇所|理由|概要|者|担当|区分|人|说明)|作者|change|description|author",
    re.IGNORECASE,
)
_LABEL_CHARS = 20
_BANNER_ROWS = 6
_BANNER_TOP = 5
_BANNER_SHARE = 0.7
_LABEL_SHARE = 0.8
_VALUE_SHARE = 0.4
_HEAD_ROWS = _BANNER_TOP + _BANNER_ROWS
_COVER_CELLS = 15
_COVER_SIZE = 14.0
_SENTENCE = re.compile(r"。|[a-z]{3,}\.\s")


_Key = tuple[int, str]


@dataclass(frozen=True, slots=True)
class SheetText:
    """A sheet's visible cells, its regions and what is outside of them."""

    name: str
    cells: dict[Place, Cell]
    regions: Sequence[Region]
    free: dict[Place, Cell]


def _squeeze(text: str) -> str:
    return re.sub(r"[\s\d.．、:：_()\-（）]+", "", unicodedata.normalize("NFKC", text))


def boilerplate_sheets(sheets: Sequence[SheetText]) -> list[bool]:
    """Tell for each sheet whether it is a cover, a change history or a table of contents."""
    return [_is_boilerplate(sheet, index, sheets) for index, sheet in enumerate(sheets)]


def _is_boilerplate(sheet: SheetText, index: int, sheets: Sequence[SheetText]) -> bool:
    # A workbook of one sheet is its content, whatever the sheet is called.
    if len(sheets) < 2 or not sheet.cells:  # noqa: PLR2004  # several
        return False
    titles = [sheet.name, *(cell.text for cell in list(sheet.free.values())[:2])]
    if any(pattern.fullmatch(_squeeze(title)) for title in titles for pattern in (_HISTORY, _CONTENTS)):
        return True
    return _is_history_table(sheet) or (index == 0 and _is_cover(sheet, sheets))


def _is_history_table(sheet: SheetText) -> bool:
    if len(sheet.free) > _COVER_CELLS:
        return False
    for region in sheet.regions:
        labels = [box.text for line in region.lines[:2] for box in line.boxes if len(box.text) < _LABEL_CHARS]
        squeezed = [_squeeze(label) for label in labels]
        if (
            all(
                any(pattern.search(label) for label in squeezed)
                for pattern in (_DATE_LABEL, _VERSION_LABEL, _CHANGE_LABEL)
            )
            and sum(bool(_CHANGE_LABEL.search(label)) for label in squeezed) > 1
        ):
            return True
    return False


def _is_cover(sheet: SheetText, sheets: Sequence[SheetText]) -> bool:
    texts = [cell.text for cell in sheet.cells.values()]
    if len(texts) > _COVER_CELLS or any(_SENTENCE.search(text) or numbered(text) for text in texts):
        return False
    if _COVER.fullmatch(_squeeze(sheet.name)):
        return True
    large = any(cell.style.size >= _COVER_SIZE for cell in sheet.cells.values())
    return large and len(sheets) > 2 and len(texts) < _COVER_CELLS // 2  # noqa: PLR2004  # a workbook with parts


def banners(sheets: Sequence[SheetText]) -> list[tuple[list[Region], set[Place]]]:
    """Return for each sheet the regions and free cells that repeat at its head on other sheets."""
    keys: Counter[_Key] = Counter()
    for sheet in sheets:
        # By row and text: columns may be wider on one sheet than on another.
        keys.update({(row, cell.text) for (row, _), cell in sheet.cells.items() if row <= _HEAD_ROWS})
    found: list[tuple[list[Region], set[Place]]] = []
    least = max(3, (len(sheets) + 1) // 2)
    for sheet in sheets:
        repeated = [region for region in sheet.regions[:1] if _is_banner(region, keys, sheet)]
        lines = {
            place
            for place, cell in sheet.free.items()
            if place[0] <= _BANNER_TOP and keys[place[0], cell.text] >= least and len(sheet.cells) > 1
        }
        found.append((repeated, lines))
    return found


def _is_banner(region: Region, keys: "Counter[_Key]", sheet: SheetText) -> bool:
    area = region.area
    if area.top > _BANNER_TOP or area.bottom - area.top >= _BANNER_ROWS:
        return False
    boxes = [box for line in region.lines for box in line.boxes]
    if len(boxes) >= len(sheet.cells):
        return False
    labels = [box for box in boxes if box.style.filled]
    values = [box for box in boxes if not box.style.filled]
    if not labels:
        return _shared(values, keys) >= _BANNER_SHARE
    # Its own values (author, date) may differ from sheet to sheet, its labels do not. A form about the sheet's own
    # subject has the labels of its neighbours too, but none of their values.
    return _shared(labels, keys) >= _LABEL_SHARE and _shared(values, keys) >= _VALUE_SHARE


def _shared(boxes: Sequence[Cell], keys: "Counter[_Key]") -> float:
    if not boxes:
        return 1.0
    return sum(keys[box.area.top, box.text] > 1 for box in boxes) / len(boxes)
