"""Workbook to blocks: sheets as containers, then headings, paragraphs, rule blocks, comments and shapes."""

from ....domain.blocks import Anchor, Block, ExtractedDocument, Omission
from .boilerplate import SheetText, banners, boilerplate_sheets
from .comments import read_comments
from .fields import flat
from .frames import find_regions
from .grid import Area, Cell, Grid, Place, read_grid
from .lists import mark_headers
from .package import Package, SheetRef, read_workbook
from .shapes import Shape, read_controls, read_shapes
from .styles import read_styles
from .writer import SheetContent, SheetWriter

_GRID_PAPER_WIDTH = 6.5
_GRID_PAPER_COLUMNS = 12
_GRID_PAPER_SHARE = 0.6
_TITLE_SIZE = 16.0


def read_document(data: bytes, *, include_hidden: bool = False) -> ExtractedDocument:
    """Read a workbook.

    Args:
        data: The file's bytes.
        include_hidden: Read hidden sheets, rows and columns too.

    Raises:
        PackageError: The file is damaged.
    """
    package = Package(data)
    workbook = read_workbook(package)
    styles = read_styles(package, workbook.styles_part)
    blocks: list[Block] = []
    omissions: list[Omission] = []
    sheets: list[SheetContent] = []
    for ref in workbook.sheets:
        grid = read_grid(package, ref.part, workbook, styles)
        mark_headers(package, ref.part, grid)
        content, hidden = _content(package, ref, grid, include_hidden=include_hidden)
        omissions.extend(hidden)
        if content is not None:
            sheets.append(content)
    texts = [sheet.text for sheet in sheets]
    title = ""
    seen: set[tuple[str, str]] = set()
    for sheet, boilerplate, banner in zip(sheets, boilerplate_sheets(texts), banners(texts), strict=True):
        writer = SheetWriter(sheet, seen)
        if boilerplate:
            title = title or _title(sheet.text)
        blocks.extend(writer.write(boilerplate=boilerplate, banner_regions=banner[0], banner_cells=banner[1]))
        omissions.extend(writer.omissions)
    return ExtractedDocument(tuple(blocks), tuple(omissions), title)


def _content(
    package: Package, ref: SheetRef, grid: Grid, *, include_hidden: bool
) -> tuple[SheetContent | None, list[Omission]]:
    """Return what a sheet shows, and what it hides; nothing is shown of a hidden sheet."""

    def is_hidden(area: Area) -> bool:
        return not include_hidden and (ref.hidden or grid.is_hidden(area))

    omissions: list[Omission] = []

    def omit(text: str, area: Area) -> None:
        omissions.append(Omission(text, "hidden", Anchor(sheet=ref.name, cells=area.a1)))

    visible: dict[Place, Cell] = {}
    for place, cell in grid.cells.items():
        if is_hidden(cell.area):
            omit(cell.text, cell.area)
        else:
            visible[place] = cell
    comments: dict[Place, str] = {}
    for place, text in read_comments(package, ref.part).items():
        area = Area(*place, *place)
        if is_hidden(grid.merges.get(place, area)):
            omit(text, area)
        else:
            comments[place] = text
    shapes: list[Shape] = []
    for shape in (*read_shapes(package, ref.part), *read_controls(package, ref.part)):
        if is_hidden(shape.area) or (shape.hidden and not include_hidden):
            omit(shape.text, shape.area)
        else:
            shapes.append(shape)
    if ref.hidden and not include_hidden:
        return None, omissions
    regions, free = find_regions(grid, visible, loose=not _is_grid_paper(grid, visible))
    return SheetContent(SheetText(ref.name, visible, regions, free), comments, shapes), omissions


def _is_grid_paper(grid: Grid, cells: dict[Place, Cell]) -> bool:
    last = max((cell.area.right for cell in cells.values()), default=0)
    if last < _GRID_PAPER_COLUMNS:
        # Short text on narrow columns all the same.
        return bool(cells) and all(grid.width(column) <= _GRID_PAPER_WIDTH for column in range(1, last + 3))
    narrow = sum(grid.width(column) <= _GRID_PAPER_WIDTH for column in range(1, last + 1))
    return narrow >= _GRID_PAPER_SHARE * last


def _title(sheet: SheetText) -> str:
    largest = max(sheet.cells.values(), key=lambda cell: cell.style.size, default=None)
    return flat(largest.text) if largest is not None and largest.style.size >= _TITLE_SIZE else ""
