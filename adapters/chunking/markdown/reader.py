"""Read Markdown (CommonMark with tables) into blocks."""

import re
from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

from ....domain.blocks import Block, ExtractedDocument, Heading, Omission, Paragraph, Table
from .plain import read_plain

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(?P<body>.*?\n)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FRONT_TITLE = re.compile(r"^title:[ \t]*(?P<quote>[\"']?)(?P<title>.+?)(?P=quote)[ \t]*$", re.MULTILINE)
_NUMBER = re.compile(r"(\d+(?:[.\-]\d+)*)(?:[.．)]?\s|[.．、])")
_CAPTION = re.compile(r"(?:表|Table)\s*(?P<number>\d+(?:[.\-]\d+)*)\s*[:：.．]?\s*\S", re.IGNORECASE)
_LONGEST_CAPTION = 100
_COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
_LINE_TAG = re.compile(r"<br\s*/?>|</(?:p|div|tr|li|h[1-6])\s*>", re.IGNORECASE)
_CELL_TAG = re.compile(r"</t[dh]\s*>\s*(?=<t[dh]\b)", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
# CommonMark takes **「規則」** for text when it touches Japanese letters; its readers and writers do not.
_STUCK_EMPHASIS = re.compile(r"\*\*([^*\s\x21-\x7e][^*\n]*?|[^*\n]*?[^*\s\x21-\x7e])\*\*")
_CELL = " | "
_INDENT = "  "
_DEEPEST = 50


def read_markdown(text: str) -> ExtractedDocument:
    """Return the blocks of a Markdown text.

    Emphasis, links and code spans become what a reader sees; the address of an absolute link is kept behind its
    text. Front matter, comments and link definitions are omissions. A text nested more than fifty levels deep is
    read as plain text.
    """
    omissions: list[Omission] = []
    title = ""
    front = _FRONT_MATTER.match(text)
    if front:
        omissions.append(Omission(front["body"].strip(), "boilerplate"))
        text = text[front.end() :]
        named = _FRONT_TITLE.search(front["body"])
        title = named["title"] if named else ""
    environment: dict[str, dict[str, dict[str, str]]] = {}
    tokens = MarkdownIt("commonmark", {"maxNesting": _DEEPEST}).enable("table").parse(text, environment)
    if any(token.level >= _DEEPEST - 1 for token in tokens):
        # The parser drops what is nested deeper; as plain text nothing is lost.
        return read_plain(text)
    reader = _Reader(tokens)
    reader.read()
    omissions += reader.omissions
    for label, target in environment.get("references", {}).items():
        omissions.append(Omission(f"{label}: {target['href']} {target.get('title', '')}".strip(), "field-code"))
    first = next((block.text for block in reader.blocks if isinstance(block, Heading)), "")
    return ExtractedDocument(tuple(reader.blocks), tuple(omissions), title or first)


class _Reader:
    """Walks the tokens once; `blocks` and `omissions` are the result."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.blocks: list[Block] = []
        self.omissions: list[Omission] = []
        self._tokens = iter(tokens)
        self._labels: list[str] = []
        self._counters: list[int | None] = []
        self._quotes = 0

    def read(self) -> None:
        """Read all tokens."""
        for token in self._tokens:
            match token.type:
                case "heading_open":
                    self._heading(int(token.tag[1:]))
                case "inline":
                    self._paragraph(self._inline(token))
                case "fence" | "code_block":
                    self._paragraph(token.content.rstrip("\n"))
                case "html_block":
                    self._html(token.content)
                case "table_open":
                    self._table()
                case _:
                    self._structure(token)

    def _structure(self, token: Token) -> None:
        """Keep count of lists and quotations."""
        match token.type:
            case "bullet_list_open":
                self._counters.append(None)
            case "ordered_list_open":
                start = token.attrGet("start")
                self._counters.append(int(start) if start is not None else 1)
            case "bullet_list_close" | "ordered_list_close":
                self._counters.pop()
            case "list_item_open":
                number = self._counters[-1]
                self._labels.append(f"{token.markup} " if number is None else f"{number}{token.markup} ")
                if number is not None:
                    self._counters[-1] = number + 1
            case "list_item_close":
                label = self._labels.pop()
                # An item without text, or whose text is in a nested list, still shows its label.
                if label.strip() and not label.isspace():
                    self.blocks.append(Paragraph(_INDENT * len(self._labels) + label.rstrip(), "list"))
            case "blockquote_open":
                self._quotes += 1
            case "blockquote_close":
                self._quotes -= 1

    def _heading(self, level: int) -> None:
        text = " ".join(self._inline(next(self._tokens)).split())
        if self._labels or self._quotes:
            self._paragraph(text)
            return
        match = _NUMBER.match(text)
        if text:
            self.blocks.append(Heading(text, level, match[1] if match else ""))

    def _paragraph(self, text: str) -> None:
        if not text.strip():
            return
        if not self._labels:
            self.blocks.append(Paragraph(text))
            return
        indent = _INDENT * (len(self._labels) - 1)
        label = self._labels[-1]
        # The label stands before the item's first paragraph only.
        self._labels[-1] = " " * len(label)
        lines = text.split("\n")
        rest = "".join(f"\n{indent}{' ' * len(label)}{line}" for line in lines[1:])
        self.blocks.append(Paragraph(f"{indent}{label}{lines[0]}{rest}", "list"))

    def _html(self, content: str) -> None:
        self._paragraph(self._without_tags(content))

    def _without_tags(self, content: str) -> str:
        self.omissions += [
            Omission(comment.strip(), "comment") for comment in _COMMENT.findall(content) if comment.strip()
        ]
        text = _LINE_TAG.sub("\n", _CELL_TAG.sub(_CELL, _COMMENT.sub("", content)))
        lines = (line.strip() for line in _TAG.sub("", text).split("\n"))
        return "\n".join(line for line in lines if line)

    def _inline(self, token: Token) -> str:
        return "".join(self._pieces(token.children or ()))

    def _pieces(self, children: Sequence[Token]) -> Iterator[str]:
        targets: list[str] = []
        since: list[str] = []
        for child in children:
            piece = ""
            match child.type:
                case "text":
                    piece = _STUCK_EMPHASIS.sub(r"\1", child.content)
                case "code_inline":
                    piece = child.content
                case "softbreak" | "hardbreak":
                    piece = "\n"
                case "image":
                    piece = child.content
                case "html_inline":
                    piece = "\n" if _LINE_TAG.match(child.content) else self._without_tags(child.content)
                case "link_open":
                    targets.append(str(child.attrGet("href") or ""))
                    since.clear()
                case "link_close":
                    target = targets.pop()
                    shown = "".join(since)
                    known = target in {shown, f"mailto:{shown}"}
                    piece = f" ({target})" if "://" in target and not known else ""
                case _:
                    pass
            since.append(piece)
            yield piece

    def _table(self) -> None:
        """Read up to the end of the table; the line before it may be its caption."""
        lines: list[tuple[bool, str]] = []
        cells: list[str] = []
        header = False
        for token in self._tokens:
            match token.type:
                case "thead_open" | "tbody_open":
                    header = token.type == "thead_open"
                case "tr_open":
                    cells = []
                case "inline":
                    cells.append(" ".join(self._inline(token).split("\n")))
                case "tr_close":
                    lines.append((header, _CELL.join(cells).rstrip()))
                case "table_close":
                    break
                case _:
                    pass
        caption, number = self._caption()
        self.blocks.append(
            Table(
                rows=tuple(line for is_header, line in lines if not is_header),
                header=tuple(line for is_header, line in lines if is_header),
                caption=caption,
                number=number,
            )
        )

    def _caption(self) -> tuple[str, str]:
        last = self.blocks[-1] if self.blocks else None
        if isinstance(last, Paragraph) and last.kind == "text" and len(last.text) <= _LONGEST_CAPTION:
            match = _CAPTION.match(last.text)
            if match and "\n" not in last.text:
                self.blocks.pop()
                return last.text, match["number"]
        return "", ""
