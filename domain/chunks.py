"""Chunks: the unit that is embedded, searched, quoted and compared."""

import hashlib
from dataclasses import dataclass, field
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from .blocks import ExtractedDocument, Omission
from .documents import document_title
from .errors import RetrievalError

DocType = str
"""word, excel, ppt, markdown, or the name a third-party chunker gives its format."""
ChunkKind = Literal["text", "table", "list", "slide", "notes", "boilerplate"]
Category = Literal["write", "design", "ref"]
CATEGORIES: tuple[Category, ...] = ("write", "design", "ref")


def as_category(name: str) -> Category:
    """Return a category by its name.

    Raises:
        RetrievalError: It is unknown.
    """
    for category in CATEGORIES:
        if category == name:
            return category
    raise RetrievalError(f"There is no category {name!r}.", hint=f"Categories: {', '.join(CATEGORIES)}.")


Strategy = Literal["heading", "sliding", "token", "hybrid", "parent_child"]


def content_hash(content: str, headings: tuple[str, ...] = ()) -> str:
    """Return the identity of a chunk's text: sha256 over heading path and content, as 64 hex digits."""
    digest = hashlib.sha256()
    for part in (*headings, content):
        digest.update(part.encode("utf-8", "surrogatepass"))
        digest.update(b"\x00")
    return digest.hexdigest()


class Locator(BaseModel):
    """Where a chunk stands in its file.

    Attributes:
        heading: Number of the section it stands in ("3.2"), or its text when it has no number.
        table: Number of the table ("5.1"), for table chunks.
        sheet: Worksheet name.
        cells: Cell range in A1 notation.
        slides: First and last slide number, from 1.
        pages: First and last page number, from 1, in formats that have pages of their own (PDF).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    heading: str | None = None
    table: str | None = None
    sheet: str | None = None
    cells: str | None = None
    slides: tuple[int, int] | None = None
    pages: tuple[int, int] | None = None

    def uri(self, document: str) -> str:
        """Return the source URI.

        `記入規則.docx#見出し!3.2`, `…#表!5.1`, `…#画面一覧!B5:H19`, `…#slide!3-4`, `…#page!3`.
        """
        for unit, numbers in (("slide", self.slides), ("page", self.pages)):
            if numbers is not None:
                first, last = numbers
                return f"{document}#{unit}!{first}" + (f"-{last}" if last != first else "")
        if self.sheet is not None:
            return f"{document}#{self.sheet}" + (f"!{self.cells}" if self.cells else "")
        if self.table is not None:
            return f"{document}#表!{self.table}"
        if self.heading is not None:
            return f"{document}#見出し!{self.heading}"
        return document


class ChunkDraft(BaseModel):
    """A chunk as a chunker returns it: everything but its identity within a version.

    Attributes:
        content: Raw text, never empty; full-width stays full-width.
        headings: Path of headings, outermost first, automatic numbers included.
        kind: What the text is.
        locator: Where it stands.
        token_count: By the tokenizer that the chunker was given.
        start: Offset of `content` in the document's extracted text; -1 when it is no contiguous part of it.
        end: Offset behind it.
        parent: Index, in the same list of drafts, of the parent chunk; None when it has none.
        is_parent: True for a chunk that is only there to be shown when a child of it was found.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    content: Annotated[str, Field(min_length=1)]
    headings: tuple[str, ...] = ()
    kind: ChunkKind = "text"
    locator: Locator = Locator()
    token_count: Annotated[int, Field(ge=0)] = 0
    start: int = -1
    end: int = -1
    parent: int | None = None
    is_parent: bool = False


@dataclass(frozen=True, slots=True)
class ChunkedDocument:
    """What a chunker returns for one document.

    Attributes:
        chunks: In document order.
        omissions: What was left out and why.
        title: The document's title.
        extracted: The blocks that were cut, so that a report can account for every character; None when the
            chunker does not say.
    """

    chunks: tuple[ChunkDraft, ...]
    omissions: tuple[Omission, ...] = field(default=())
    title: str = ""
    extracted: ExtractedDocument | None = field(default=None, compare=False, repr=False)


class RuleChunk(BaseModel):
    """A chunk of a version (requirements, rag-layer §3.2, and beyond).

    Attributes:
        chunk_id: `rules-write_v3_001`, unique within the handbook.
        doc_id: Name of the source document.
        doc_type: word, excel, ppt, markdown, ….
        content: Raw text.
        headings: Path of headings, outermost first.
        source_uri: `記入規則.docx#見出し!3.2`.
        position: Order within the document, from 0.
        token_count: By the tokenizer of the version's embedding model.
        category: write, design or ref.
        kind: text, table, list, slide, notes, boilerplate.
        content_hash: Of heading path and content; equal hashes share vectors and decisions.
        parent_id: Chunk id of the parent, None when it has none.
        is_parent: True when only its children are searched.
        partition: The part of the handbook its document belongs to, "" for none.
        start: Offset in the document's extracted text, -1 when not contiguous.
        end: Offset behind it.
        locator: Where it stands in the file.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    chunk_id: str
    doc_id: str
    doc_type: DocType
    content: Annotated[str, Field(min_length=1)]
    headings: tuple[str, ...] = ()
    source_uri: str
    position: Annotated[int, Field(ge=0)]
    token_count: Annotated[int, Field(ge=0)]
    category: Category
    kind: ChunkKind = "text"
    content_hash: str
    parent_id: str | None = None
    is_parent: bool = False
    partition: str = ""
    start: int = -1
    end: int = -1
    locator: Locator = Locator()

    @property
    def text(self) -> str:
        """Heading path, then content."""
        return "\n".join((*self.headings, self.content))

    @property
    def search_text(self) -> str:
        """The text that is embedded and analysed: the document's title, then `text`.

        A rule seldom repeats what its document is about; without the title, "the order of the items" of twenty
        documents look alike.
        """
        title = document_title(self.doc_id)
        return f"{title}\n{self.text}" if title else self.text

    @property
    def search_hash(self) -> str:
        """Identity of `search_text`: chunks with equal hashes share a vector."""
        return content_hash(self.search_text)


class ChunkingOptions(BaseModel):
    """How documents are cut (spec: chunking, strategies). Recorded in the manifest.

    Attributes:
        strategy: heading (by sections), sliding (characters), token (tokens), hybrid (sections, long ones by
            sliding window with a parent), parent_child (parents of `parent_chars`, children of `child_chars`).
        max_tokens: Upper limit of a chunk.
        min_tokens: A shorter piece joins its neighbour under the same heading.
        size: Window of `sliding`, in characters.
        overlap: Overlap of `sliding`, in characters.
        overlap_tokens: Overlap of `token`, in tokens.
        parent_chars: Size of parents, in characters.
        parent_overlap: Overlap of parents, in characters.
        child_chars: Size of children, in characters.
        child_overlap: Overlap of children, in characters.
        include_hidden: Read hidden sheets, rows, columns and slides too.
        include_comments: Read Word review comments too. (Excel cell comments are rules and always read.)
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    strategy: Strategy = "heading"
    max_tokens: Annotated[int, Field(ge=16, le=8192)] = 512
    min_tokens: Annotated[int, Field(ge=0)] = 30
    size: Annotated[int, Field(ge=50)] = 1000
    overlap: Annotated[int, Field(ge=0)] = 150
    overlap_tokens: Annotated[int, Field(ge=0)] = 64
    parent_chars: Annotated[int, Field(ge=100)] = 1500
    parent_overlap: Annotated[int, Field(ge=0)] = 200
    child_chars: Annotated[int, Field(ge=50)] = 300
    child_overlap: Annotated[int, Field(ge=0)] = 50
    include_hidden: bool = False
    include_comments: bool = False

    @model_validator(mode="after")
    def _overlaps_are_smaller(self) -> Self:
        for small, large in (
            ("min_tokens", "max_tokens"),
            ("overlap", "size"),
            ("overlap_tokens", "max_tokens"),
            ("parent_overlap", "parent_chars"),
            ("child_overlap", "child_chars"),
            ("child_chars", "parent_chars"),
        ):
            if getattr(self, small) >= getattr(self, large):
                msg = f"{small} ({getattr(self, small)}) must be smaller than {large} ({getattr(self, large)})"
                raise ValueError(msg)
        return self
