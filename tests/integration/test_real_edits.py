"""One cell of a real workbook edited: no more than three chunks are embedded, whatever the sheet looks like."""

import re
import shutil
import zipfile
from pathlib import Path

import pytest

DATA = Path(__file__).parents[2] / "../shared/data/rules-ja/docs"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the rule documents are not here")
CELL = re.compile(r'<c r="([A-Z]+\d+)"([^>]*?) t="s"([^>]*)><v>\d+</v></c>')


def edit_cell(path: Path, place: float, text: str) -> str:
    """Replace one text cell in the workbook's fullest sheet, and nothing else in the file."""
    with zipfile.ZipFile(path) as package:
        parts = {info: package.read(info) for info in package.infolist()}
    sheets = [info for info in parts if re.fullmatch(r"xl/worksheets/sheet\d+\.xml", info.filename)]
    fullest = max(sheets, key=lambda info: len(CELL.findall(parts[info].decode())))
    xml = parts[fullest].decode()
    cells = list(CELL.finditer(xml))
    cell = cells[int(place * (len(cells) - 1))]
    new = f'<c r="{cell[1]}"{cell[2]} t="inlineStr"{cell[3]}><is><t>{text}</t></is></c>'
    parts[fullest] = (xml[: cell.start()] + new + xml[cell.end() :]).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for info, data in parts.items():
            package.writestr(info, data)
    return cell[1]


def workbooks() -> list[str]:
    found = sorted(DATA.glob("*/*.xlsx")) if DATA.is_dir() else []
    return [path.relative_to(DATA).as_posix() for path in found if path.stat().st_size < 150_000][:8]


@pytest.mark.parametrize("book", workbooks())
def test_an_edit_of_one_cell_embeds_at_most_three_chunks(book, tmp_path, open_app, build):
    path = tmp_path / "rules" / book
    path.parent.mkdir(parents=True)
    shutil.copyfile(DATA / book, path)
    app = open_app(tmp_path / "handbook")
    assert build(app, tmp_path / "rules").version == "v1"
    category = book.split("/")[0]
    before = {chunk.text for chunk in app.handbook_store.chunks("v1", category)}
    for number, place in enumerate((0.1, 0.5, 0.9), start=2):
        text = f"改定した規則{number}"
        cell = edit_cell(path, place, text)
        report = build(app, tmp_path / "rules")
        after = {chunk.text for chunk in app.handbook_store.chunks(report.version, category)}
        naming = [chunk for chunk in after - before if text in chunk]
        # The name of a column stands in every piece of its table, so each of them says something else now.
        heads_a_column = len(naming) > 1 and all(f"{text}: " in chunk for chunk in naming)
        assert report.embedded <= 3 or heads_a_column, cell
        assert report.embedded - len(naming) <= 2, cell
        before = after
