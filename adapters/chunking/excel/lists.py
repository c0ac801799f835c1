"""Lists that Excel itself knows: table objects and filtered ranges. Their first row is a header, styled or not."""

from dataclasses import replace

from .grid import Area, Grid, Place, parse_area
from .package import Package, PackageError
from .styles import PLAIN, Style

# The look that a table style gives to a header is stored with the table, not with its cells.
_HEADER_FILL = "list header"


def mark_headers(package: Package, sheet_part: str, grid: Grid) -> None:
    """Give the header cells of a sheet's lists a background, unless they have one of their own."""
    areas = list(grid.filters)
    for part in package.related(sheet_part, "table"):
        try:
            table = package.tree(part)
        except PackageError:
            continue
        area = parse_area(table.get("ref") or "")
        if area is not None and table.get("headerRowCount", "1") != "0":
            areas.append(area)
    for area in areas:
        _mark(grid, area)


def _mark(grid: Grid, area: Area) -> None:
    cells = {
        place: cell
        for place, cell in grid.cells.items()
        if place[0] == area.top and area.left <= place[1] <= area.right
    }
    if area.bottom == area.top or any(cell.style.filled for cell in cells.values()):
        return
    for place, cell in cells.items():
        grid.cells[place] = replace(cell, style=_as_header(cell.style))
        _draw(grid, place)


def _draw(grid: Grid, place: Place) -> None:
    grid.drawn[place] = _as_header(grid.drawn.get(place, PLAIN))


def _as_header(style: Style) -> Style:
    return replace(style, fill=_HEADER_FILL)
