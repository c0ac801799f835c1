"""Text that drawings keep in parts of their own: SmartArt and charts."""

from .names import DGM, A, C, Element


def part_lines(root: Element) -> list[str]:
    """Return the lines of a SmartArt data part or a chart part, in file order, empty ones left out."""
    lines = _smart_art(root) if root.tag == DGM + "dataModel" else _chart(root)
    return [line for line in (" ".join(text.split()) for text in lines) if line]


def _smart_art(root: Element) -> list[str]:
    return [
        "".join(run.text or "" for run in paragraph.iter(A + "t"))
        for point in root.iter(DGM + "pt")
        for text in point.iterfind(DGM + "t")
        for paragraph in text.iterfind(A + "p")
    ]


def _chart(root: Element) -> list[str]:
    """Return titles, series names and categories: the words of a chart, not its values."""
    lines = ["".join(run.text or "" for run in title.iter(A + "t")) for title in root.iter(C + "title")]
    seen: dict[str, None] = {}
    for holder in root.iter(C + "tx", C + "cat"):
        for value in holder.iter(C + "v"):
            seen[value.text or ""] = None
    return [*lines, *seen]
