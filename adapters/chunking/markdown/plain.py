"""Read plain text: paragraphs between blank lines, numbered lines that stand alone as headings."""

import re

from ....domain.blocks import Block, ExtractedDocument, Heading, Paragraph

_NUMBERED = re.compile(
    r"(?P<number>\d{1,3}(?:[.．\-]\d{1,3})*)[.．]?\s+\S|(?P<chapter>第[0-9０-９一二三四五六七八九十百]+(?P<unit>[章節款条項編部]))"
)
_LEVELS = {"編": 1, "部": 1, "章": 1, "節": 2, "款": 3, "条": 3, "項": 4}
_LIST = re.compile(r"\s*(?:[-*・●○■□◆◇※]|[(（]?[0-9０-９a-zA-Zア-ン]{1,3}(?:[)）]|[.．](?!\d))|[①-⑳])\s*\S")
_LONGEST_HEADING = 40


def read_plain(text: str) -> ExtractedDocument:
    """Return the blocks of a plain text.

    A heading is one short line between blank lines that begins with a section number ("3.2 表", "第3章 様式")
    and does not end like a sentence.
    """
    blocks: list[Block] = []
    for part in re.split(r"\n(?:[ \t\u3000]*\n)+", text.strip("\n")):
        lines = [line.rstrip() for line in part.split("\n") if line.strip()]
        heading = _heading(lines[0]) if len(lines) == 1 else None
        if heading:
            blocks.append(heading)
        elif lines and all(map(_LIST.match, lines)):
            blocks += [Paragraph(line, "list") for line in lines]
        elif lines:
            blocks.append(Paragraph("\n".join(lines)))
    return ExtractedDocument(tuple(blocks))


def _heading(line: str) -> Heading | None:
    text = line.strip()
    match = _NUMBERED.match(text)
    if not match or len(text) > _LONGEST_HEADING or text.endswith(("。", "．", ".", "、", ":", "：", ";", "；")):
        return None
    if match["chapter"]:
        return Heading(text, _LEVELS[match["unit"]], match["chapter"])
    number = match["number"]
    return Heading(text, len(re.split(r"[.．\-]", number)), number)
