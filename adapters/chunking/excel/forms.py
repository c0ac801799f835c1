"""Forms: labels with their values beside them."""

from collections.abc import Callable

from .fields import PATH, Pair, flat, joined
from .frames import Line
from .grid import Area, Cell


def form_pairs(line: Line, labels: list[tuple[Area, str]]) -> list[Pair]:
    """Read filled boxes as labels and the plain boxes right of them as their values.

    Labels side by side are a path ("連絡先 > 電話"); a label followed by an empty cell has an empty value.
    """
    boxes = sorted((*line.boxes, *line.spanning), key=lambda box: (box.area.left, box.area.top))
    fields: list[tuple[str, list[Cell]]] = []
    path: list[Cell] = []
    valued = False
    for box in boxes:
        if box.style.filled:
            beside = bool(path) and path[-1].area.right + 1 == box.area.left
            if path and not valued and not beside and path[-1] in line.boxes:
                fields.append((_path_text(path), []))
            if valued or not beside:
                path, valued = [], False
            path.append(box)
            labels.append((box.area, _path_text(path)))
            continue
        text = _path_text(path)
        labels.append((box.area, text))
        if box in line.boxes:
            if fields and valued and fields[-1][0] == text:
                fields[-1][1].append(box)
            else:
                fields.append((text, [box]))
        valued = True
    if not valued and any(box in line.boxes for box in path):
        fields.append((_path_text(path), []))
    return [(label, joined(values)) for label, values in fields]


def _path_text(path: list[Cell]) -> str:
    return PATH.join(flat(box.text) for box in path)


def form_label(labels: list[tuple[Area, str]]) -> Callable[[int, int], str]:
    """Return the look-up of a cell's label in a form: its own, the one left of it, or the one above."""

    def label_at(row: int, column: int) -> str:
        exact = next((text for area, text in reversed(labels) if area.holds(row, column)), None)
        if exact is not None:
            return exact
        left = [(area.right, text) for area, text in labels if area.top <= row <= area.bottom and area.right < column]
        if left:
            return max(left)[1]
        above = [
            (area.bottom, text) for area, text in labels if area.left <= column <= area.right and area.bottom < row
        ]
        return max(above)[1] if above else ""

    return label_at
