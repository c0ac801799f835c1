"""From printed lines to blocks: running headers and footers out, paragraphs joined, headings found."""

import re
from collections import defaultdict
from collections.abc import Sequence

from kisoku.plugins.toolkit import Anchor, Block, Heading, Omission, Paragraph

from .headings import Outline
from .lines import TextLine

_EDGE_LINES = 3
"""So many lines at the top and at the bottom of a page may be its running header or footer."""
_MOST_PAGES = 0.6
_SAME_HEIGHT = 3.0
"""Points that a running line may stand higher or lower from page to page."""

_LEAST_GAP, _MOST_GAP, _MOST_GAP_HEADING = 0.5, 2.2, 1.8
_HALF_CHARACTER = 0.5

_LABEL = re.compile(
    r"[・●○■□◆◇▪•‣※\-–*]\s*\S|[(（]?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4}|[一二三四五六七八九十]{1,3}|[ｱ-ﾝア-ン])[)）.．、]\s*\S|[①-⑳]"
)
_SENTENCE_END = re.compile(r"[。！？.!?:：][」』）)]*$")
_EAST_ASIAN = re.compile(
    r"[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]|[^\u0000-\uffff]"
)


def read_blocks(pages: Sequence[Sequence[TextLine]]) -> tuple[tuple[Block, ...], tuple[Omission, ...]]:
    """Return the blocks of a document in reading order, and its running headers and footers as omissions."""
    running = _running_lines(pages)
    body = [[line for line in page if line not in running] for page in pages]
    omissions = tuple(
        Omission(line.text, "boilerplate", Anchor(page=line.page)) for page in pages for line in page if line in running
    )
    outline = Outline([line for page in body for line in page])
    groups = _paragraphs(body, outline)
    outline.complete([(group[0], joined([line.text for line in group])) for group in groups])
    return tuple(_block(group, outline) for group in groups), omissions


def _running_lines(pages: Sequence[Sequence[TextLine]]) -> set[TextLine]:
    """Return the lines that stand at the same height, alike but for their digits, on most pages."""
    alike: dict[str, list[TextLine]] = defaultdict(list)
    for page in pages:
        by_height = sorted(page, key=lambda line: -line.baseline)
        for line in dict.fromkeys((*by_height[:_EDGE_LINES], *by_height[-_EDGE_LINES:])):
            alike[re.sub(r"\d+", "#", line.text)].append(line)
    running: set[TextLine] = set()
    for lines in alike.values():
        for line in lines:
            same = {other.page for other in lines if abs(other.baseline - line.baseline) <= _SAME_HEIGHT}
            if len(same) >= max(2, _MOST_PAGES * len(pages)):
                running.add(line)
    return running


def _paragraphs(pages: Sequence[Sequence[TextLine]], outline: Outline) -> list[list[TextLine]]:
    groups: list[list[TextLine]] = []
    for page in pages:
        margin = max((line.right for line in page if not outline.stands_out(line)), default=0.0)
        for line in page:
            if groups and _runs_on(groups[-1], line, margin, outline):
                groups[-1].append(line)
            else:
                groups.append([line])
    return groups


def _runs_on(group: Sequence[TextLine], line: TextLine, margin: float, outline: Outline) -> bool:
    """Return whether a line goes on with the paragraph of the group."""
    last = group[-1]
    full = last.right + _first_word(line.text) * line.size >= margin
    unfinished = full and not _SENTENCE_END.search(last.text)
    if (line.size, line.bold) != (last.size, last.bold) or _opens(line, outline, unfinished=unfinished):
        return False
    if line.page != last.page:
        return unfinished and not outline.stands_out(line)
    # In line heights; lines at one height are cells or columns: side by side, not one text.
    gap = (last.baseline - line.baseline) / line.size
    if outline.stands_out(line):
        # A heading of two lines is centred or ragged: size and distance decide.
        return _LEAST_GAP < gap <= _MOST_GAP_HEADING and not outline.numbered(line.text)
    return full and _LEAST_GAP < gap <= _MOST_GAP and _indent_fits(group, line)


def _opens(line: TextLine, outline: Outline, *, unfinished: bool) -> bool:
    """Return whether a line begins with a label or number of its own; a bare number may stand within a sentence."""
    number = outline.numbered(line.text)
    return bool(_LABEL.match(line.text)) or (bool(number) and not (unfinished and number.isdecimal()))


def _indent_fits(group: Sequence[TextLine], line: TextLine) -> bool:
    """Return whether the line begins where a paragraph's next line would.

    A first line may be indented, a list item's next lines hang; any other indent begins a paragraph.
    """
    indent = (line.left - group[-1].left) / line.size
    if indent > _HALF_CHARACTER:
        return len(group) == 1 and bool(_LABEL.match(group[0].text))
    return indent > -_HALF_CHARACTER or len(group) == 1


def _first_word(text: str) -> float:
    """Return about how wide, in ems, the part is that could not have stood in the line before."""
    if _EAST_ASIAN.match(text):
        # The next character may be one that no line begins with, which takes this one along.
        return 2.5
    return 0.6 * len(text.split(maxsplit=1)[0]) + 1


def _block(group: Sequence[TextLine], outline: Outline) -> Block:
    text = joined([line.text for line in group])
    anchor = Anchor(page=group[0].page)
    level = outline.level(group[0], text)
    if level:
        return Heading(text, level, outline.numbered(text), anchor=anchor)
    return Paragraph(text, "list" if _LABEL.match(text) else "text", anchor)


def joined(lines: Sequence[str]) -> str:
    """Join the lines of a paragraph: no space beside East Asian characters, hyphenated words made whole."""
    text = ""
    for line in lines:
        if not text:
            text = line
        elif re.search(r"[a-z]-$", text) and re.match(r"[a-z]", line):
            text = text[:-1] + line
        elif _EAST_ASIAN.match(text[-1]) or _EAST_ASIAN.match(line) or text.endswith("-"):
            text += line
        else:
            text += f" {line}"
    return text
