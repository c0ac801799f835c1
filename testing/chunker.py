"""The contract of `kisoku.ports.chunker.Chunker` as tests.

A package with a chunker of its own proves it like this::

    from kisoku.testing.chunker import ChunkerContract

    class TestMyChunker(ChunkerContract):
        @pytest.fixture
        def chunker(self):
            return MyChunker()

        @pytest.fixture
        def sample(self):
            return SourceDocument("rules.xyz", SAMPLE_BYTES)

        @pytest.fixture
        def texts(self):
            return ("A sentence that is in the sample.",)
"""

import pickle
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from ..domain.chunks import ChunkDraft, ChunkedDocument, ChunkingOptions, Strategy
from ..domain.errors import DocumentError
from ..ports.chunker import Chunker, SourceDocument

STRATEGIES: tuple[Strategy, ...] = ("heading", "sliding", "token", "hybrid", "parent_child")
_QUOTED = re.compile(r"「[^「」]*」|『[^『』]*』")
_FORBIDDEN_EVENTS = ("socket.connect", "socket.bind", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn")

_WINDOW_PIECES = 3
"""A window may begin and end inside a sentence."""
_DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "half": lambda data: data[: len(data) // 2],
    "tail-lost": lambda data: data[: len(data) - 30],
    "noise": lambda _: b"\x00\x01\x02\xfe" * 500,
    "empty-archive": lambda _: b"PK\x05\x06" + bytes(18),
    "text": lambda _: b"not what the name says",
    "zeros-inside": lambda data: data[: len(data) // 3] + bytes(64) + data[len(data) // 3 + 64 :],
}


def count_tokens(text: str) -> int:
    """Count like a tokenizer does on average: one token an East Asian letter or sign, one a Latin word."""
    return len(re.findall(r"[0-9A-Za-z]+|[^\s0-9A-Za-z]", text))


class ChunkerContract:
    """Subclass it, name the subclass `Test…`, override `chunker` and `sample` (and better `texts` too)."""

    @pytest.fixture
    def chunker(self) -> Chunker:
        """Return the chunker under test."""
        raise NotImplementedError

    @pytest.fixture
    def sample(self) -> SourceDocument:
        """Return a document of a few pages that the chunker reads."""
        raise NotImplementedError

    @pytest.fixture
    def texts(self) -> tuple[str, ...]:
        """Return strings of the sample that must not be lost: sentences, headings, cells."""
        return ()

    @pytest.fixture(params=STRATEGIES)
    def strategy(self, request: pytest.FixtureRequest) -> Strategy:
        """Each strategy in turn."""
        strategy: Strategy = request.param
        return strategy

    @pytest.fixture(params=[64, 512])
    def options(self, request: pytest.FixtureRequest, strategy: Strategy) -> ChunkingOptions:
        """Each strategy with a narrow and the usual limit."""
        most: int = request.param
        return ChunkingOptions(
            strategy=strategy,
            max_tokens=most,
            min_tokens=most // 16,
            overlap_tokens=most // 8,
            size=2 * most,
            overlap=most // 4,
            parent_chars=3 * most,
            parent_overlap=most // 2,
            child_chars=most,
            child_overlap=most // 8,
        )

    def test_it_says_what_it_is(self, chunker: Chunker, sample: SourceDocument) -> None:
        assert isinstance(chunker, Chunker)
        for word in (chunker.name, chunker.doc_type, chunker.version):
            assert isinstance(word, str)
            assert word
        assert isinstance(chunker.suffixes, frozenset)
        assert all(re.fullmatch(r"\.[^.\sA-Z]+", suffix) for suffix in chunker.suffixes)
        assert sample.suffix in chunker.suffixes

    def test_the_sample_gives_chunks(self, chunker: Chunker, sample: SourceDocument, options: ChunkingOptions) -> None:
        result = chunker.chunk(sample, options, count_tokens)
        assert isinstance(result, ChunkedDocument)
        assert result.chunks

    def test_same_bytes_and_options_give_the_same_chunks(
        self, chunker: Chunker, sample: SourceDocument, options: ChunkingOptions
    ) -> None:
        first = chunker.chunk(sample, options, count_tokens)
        assert chunker.chunk(sample, options, count_tokens) == first

    def test_no_content_is_empty_and_tokens_are_counted(
        self, chunker: Chunker, sample: SourceDocument, options: ChunkingOptions
    ) -> None:
        for chunk in chunker.chunk(sample, options, count_tokens).chunks:
            assert chunk.content.strip()
            assert chunk.token_count == count_tokens(chunk.content)

    def test_no_chunk_is_over_the_limit(
        self, chunker: Chunker, sample: SourceDocument, options: ChunkingOptions
    ) -> None:
        """Parents are shown, not embedded, and may be longer; so may one word or one quotation."""
        for chunk in chunker.chunk(sample, options, count_tokens).chunks:
            assert chunk.is_parent or chunk.token_count <= options.max_tokens or _indivisible(chunk)

    def test_chunks_come_in_document_order(
        self, chunker: Chunker, sample: SourceDocument, options: ChunkingOptions
    ) -> None:
        chunks = chunker.chunk(sample, options, count_tokens).chunks
        # Parents may overlap, so children are in order among those of one parent.
        families: dict[tuple[bool, int | None], list[int]] = {}
        for chunk in chunks:
            if chunk.start >= 0:
                families.setdefault((chunk.is_parent, chunk.parent), []).append(chunk.start)
        assert all(starts == sorted(starts) for starts in families.values())
        for chunk in chunks:
            assert (chunk.start < 0) == (chunk.end < 0)
            assert chunk.start < 0 or chunk.end - chunk.start == len(chunk.content)

    def test_parents_stand_before_their_children(
        self, chunker: Chunker, sample: SourceDocument, options: ChunkingOptions
    ) -> None:
        chunks = chunker.chunk(sample, options, count_tokens).chunks
        with_children = {chunk.parent for chunk in chunks if chunk.parent is not None}
        assert with_children == {index for index, chunk in enumerate(chunks) if chunk.is_parent}
        assert all(chunk.parent < index for index, chunk in enumerate(chunks) if chunk.parent is not None)

    def test_no_text_is_lost(
        self, chunker: Chunker, sample: SourceDocument, options: ChunkingOptions, texts: tuple[str, ...]
    ) -> None:
        result = chunker.chunk(sample, options, count_tokens)
        searched = [chunk for chunk in result.chunks if not chunk.is_parent]
        everything = [
            *(chunk.content for chunk in searched),
            *(heading for chunk in searched for heading in chunk.headings),
            *(omission.text for omission in result.omissions),
        ]
        found = "\0".join("".join(text.split()) for text in everything)
        most = 1 if options.strategy in {"heading", "hybrid"} else _WINDOW_PIECES
        assert [text for text in texts if _pieces(text, found) > most] == []

    @pytest.mark.parametrize("damage", sorted(_DAMAGES))
    def test_damaged_documents_raise_document_errors_only(
        self, chunker: Chunker, sample: SourceDocument, damage: str
    ) -> None:
        broken = SourceDocument(sample.name, _DAMAGES[damage](sample.data))
        try:
            result = chunker.chunk(broken, ChunkingOptions(), count_tokens)
        except DocumentError as error:
            assert error.document == sample.name  # noqa: PT017  # both ways out are right, each with its own claim
            assert error.message  # noqa: PT017  # as above
        else:
            assert isinstance(result, ChunkedDocument)

    def test_it_runs_and_connects_to_nothing(self, chunker: Chunker, sample: SourceDocument) -> None:
        chunker.chunk(sample, ChunkingOptions(), count_tokens)  # imports are done by the first call
        with _watched() as events:
            chunker.chunk(sample, ChunkingOptions(), count_tokens)
        assert events == []

    def test_it_can_be_sent_to_another_process(self, chunker: Chunker, sample: SourceDocument) -> None:
        copy = pickle.loads(pickle.dumps(chunker))  # noqa: S301  # made one line above
        expected = chunker.chunk(sample, ChunkingOptions(), count_tokens)
        assert copy.chunk(sample, ChunkingOptions(), count_tokens) == expected


def _pieces(text: str, found: str) -> int:
    """Return into how many pieces a text was cut, beginning with the longest that was found."""
    rest = "".join(text.split())
    count = 0
    while rest:
        length = next((size for size in range(len(rest), 0, -1) if rest[:size] in found), 0)
        if length == 0:
            return len(text) + 1
        rest = rest[length:]
        count += 1
    return count


def _indivisible(chunk: ChunkDraft) -> bool:
    """Return whether the content is one word or one quotation (with the signs around it)."""
    rest = _QUOTED.sub("", chunk.content)
    return (rest != chunk.content and len(rest) <= len(chunk.content) // 4) or len(chunk.content.split()) == 1


class _Watch:
    """Audit hooks cannot be removed, so one is installed for good and listens only when asked."""

    events: list[str] | None = None
    installed = False


def _listen(event: str, arguments: tuple[object, ...]) -> None:
    if _Watch.events is None:
        return
    writes = event == "open" and isinstance(arguments[1], str) and any(sign in arguments[1] for sign in "wax+")
    if writes or event.startswith(_FORBIDDEN_EVENTS):
        _Watch.events.append(f"{event} {arguments[0]!r}")


@contextmanager
def _watched() -> Iterator[list[str]]:
    if not _Watch.installed:
        sys.addaudithook(_listen)
        _Watch.installed = True
    events: list[str] = []
    _Watch.events = events
    try:
        yield events
    finally:
        _Watch.events = None
