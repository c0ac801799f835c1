"""One build: from documents to a published version."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing

from ...domain.chunks import Category, RuleChunk
from ...domain.errors import (
    BuildError,
    DocumentError,
    HandbookCorruptError,
    HandbookError,
    HandbookSchemaError,
)
from ...domain.manifest import CollectionInfo, Failure, Manifest
from ...domain.names import COLLECTIONS, collection_name
from ...ports.chunker import SourceDocument
from ...ports.handbook_store import HandbookStore, StagedVersion
from ...ports.vector_store import VectorStoreAdapter, VectorStoreOptions
from ...ports.vectors import Vector
from ..models import choose_embedding
from .ahead import loading_ahead
from .carried import Carried
from .documents import Document
from .intact import chunks_of, require_intact
from .outcome import Outcome, document_report, failures_of, number_chunks, source_file, without_failed
from .parsing import (
    ChunkerRoute,
    ChunkerRoutes,
    ParseTask,
    TokenizerChoice,
    attributed,
    is_no_document,
    parse_document,
    route_of,
)
from .plan import BuildPlan, BuildRecipe, plan_build
from .progress import BuildReport, DocumentReport, Progress, ProgressCallback
from .recipe import make_recipe
from .sentences import SentencesBefore, nothing_before, sentences_before
from .tools import BuildTools
from .vectors import KnownVectors, VectorCount, vectors_for
from .writing import write_version


class Build:
    """One run of a build; the caller holds the writer's lock."""

    def __init__(
        self,
        store: HandbookStore,
        tools: BuildTools,
        documents: Sequence[Document],
        on_progress: ProgressCallback,
        failures: Sequence[Failure] = (),
    ) -> None:
        self._store = store
        self._tools = tools
        self._documents = documents
        self._failed_before = tuple(failures)
        self._tell = on_progress
        self._choice = tools.models.named(choose_embedding(tools.settings, tools.weights_present))
        self._outcome = Outcome()
        self._warnings: list[str] = []
        pointer = store.pointer()
        self._active = pointer.version if pointer else None
        self._previous = self._read_previous()
        self._seconds: dict[str, float] = {}
        self._since = time.perf_counter()

    def run(self) -> BuildReport:
        """Carry the build out.

        Raises:
            BuildError: Documents failed and `build.on_error` is `fail`, or there is nothing to build from.
        """
        readable = self._route()
        recipe = make_recipe(self._tools, self._choice, {route.doc_type for _, route in readable}, self._previous)
        plan = plan_build(readable, self._previous, recipe)
        before = self._chunks_before(plan)
        if self._previous is None:
            plan = plan_build(readable, None, recipe)
        self._require_bytes(plan)
        with loading_ahead(self._loads(plan)):
            self._parse(plan, recipe)
        self._lap("parse")
        self._stop_on_failures()
        plan = without_failed(plan, self._outcome, self._previous)
        if not plan.documents:
            # Nearly always a wrong folder; a version without rules would hide that.
            raise BuildError("There is no document to build from.", self._outcome.failures, hint="Check the folder.")
        failures = self._failures()
        if self._previous is not None and plan.nothing_to_do and failures == self._previous.failures:
            return self._report(None, _unchanged(plan), plan)
        try:
            return self._staged(plan, recipe, before)
        except OSError as error:
            active = f"{self._active} stays active." if self._active else ""
            raise HandbookError(
                f"The new version cannot be written: {error}. {active}".rstrip(),
                hint="Check free space and permissions, and build again.",
            ) from error

    def _failures(self) -> tuple[Failure, ...]:
        found = (*self._failed_before, *failures_of(self._outcome, self._documents))
        return tuple(sorted(found, key=lambda failure: failure.name))

    def _require_bytes(self, plan: BuildPlan) -> None:
        """Refuse to go on when a document whose bytes were not given would have to be read again."""
        missing = [p.document.name for p in plan.documents if p.document.kept and p.state != "unchanged"]
        if missing:
            reason = " ".join((*plan.invalidated, *self._warnings))
            raise HandbookError(
                f"{len(missing)} other documents have to be read again: {', '.join(missing)}. {reason}".rstrip(),
                hint="Build the whole folder: kisoku build DIR",
            )

    def _read_previous(self) -> Manifest | None:
        if self._active is None:
            return None
        try:
            return self._store.manifest(self._active)
        except HandbookSchemaError:
            raise
        except HandbookCorruptError as error:
            self._warn_of_damage(error)
            return None

    def _warn_of_damage(self, error: Exception) -> None:
        cause = error.message if isinstance(error, HandbookError) else str(error)
        self._warnings.append(f"{self._active} is damaged: {cause} Everything is read and embedded again.")

    def _chunks_before(self, plan: BuildPlan) -> dict[Category, list[RuleChunk]]:
        """Return the chunks of the active version; when it is damaged, forget it, and everything is built anew."""
        previous = self._previous
        if previous is None:
            return {}
        try:
            before = chunks_of(previous, self._store)
            if plan.nothing_to_do:
                require_intact(previous, before, self._store, self._tools)
        except HandbookSchemaError:
            raise
        except HandbookCorruptError as error:
            self._warn_of_damage(error)
            self._previous = None
            return {}
        return before

    def _staged(
        self, plan: BuildPlan, recipe: BuildRecipe, before: Mapping[Category, Sequence[RuleChunk]]
    ) -> BuildReport:
        staged = self._store.stage()
        try:
            return self._assemble(staged, plan, recipe, before)
        except BaseException:
            # Also for Ctrl-C: a build that stops leaves nothing behind.
            self._store.discard(staged)
            raise

    def _lap(self, stage: str) -> None:
        now = time.perf_counter()
        self._seconds[stage] = now - self._since
        self._since = now

    def _route(self) -> list[tuple[Document, ChunkerRoute]]:
        """Choose a chunker for each document; what nobody reads is a failure, lock files are skipped."""
        routes = ChunkerRoutes(self._tools.plugins)
        readable = []
        for document in self._documents:
            try:
                if document.error is not None and not is_no_document(document.name):
                    raise document.error
                source = SourceDocument(document.name, document.data)
                readable.append((document, route_of(source, routes, self._tools.inspect)))
            except DocumentError as error:
                self._outcome.add(error)
        return readable

    def _loads(self, plan: BuildPlan) -> list[Callable[[], object]]:
        """Return what can be loaded while documents are read; nothing when none is."""
        if all(p.state == "unchanged" for p in plan.documents):
            return []
        previous = self._previous
        embedder = self._tools.models.embedder(self._choice.adapter, self._choice.model)
        return [lambda: self._vectors_of(previous).close(), embedder.warm_up] if previous else [embedder.warm_up]

    def _vectors_of(self, version: Manifest) -> VectorStoreAdapter:
        folder, settings = self._store.vector_folder(version.version), self._tools.settings.vector_store
        options = VectorStoreOptions(folder, read_only=True, options=settings.options)
        return self._tools.plugins.vector_store(version.vector_store, options)

    def _parse(self, plan: BuildPlan, recipe: BuildRecipe) -> None:
        options = self._tools.models.embedder_options(self._choice.model)
        tokenizer = TokenizerChoice.of(self._choice.adapter, options)
        waiting = [p for p in plan.documents if p.state != "unchanged"]
        tasks = [
            (
                p.document.name,
                ParseTask(
                    SourceDocument(p.document.name, p.document.data),
                    p.route.name,
                    recipe.chunking[p.route.doc_type],
                    tokenizer,
                    self._tools.inspect,
                ),
            )
            for p in waiting
        ]
        routes = {p.document.name: p.route for p in waiting}
        chunks = 0
        self._tell(Progress("parse", 0, len(waiting)))
        for done, result in enumerate(self._tools.pool.run(parse_document, tasks), start=1):
            if result.error is not None:
                self._outcome.add(attributed(result.error, routes[result.name]))
            elif result.result is not None:
                self._outcome.parsed[result.name] = result.result
                chunks += len(result.result.drafts)
            self._tell(Progress("parse", done, len(waiting), chunks, name=result.name))
        self._outcome.failures.sort(key=lambda e: e.document)

    def _stop_on_failures(self) -> None:
        failures = self._outcome.failures
        if failures and self._tools.settings.build.on_error == "fail":
            names = ", ".join(e.document for e in failures)
            raise BuildError(
                f"{len(failures)} of {len(self._documents)} documents cannot be read: {names}.",
                failures,
                hint="Mend or remove them, or build without them: --on-error skip",
            )

    def _assemble(
        self,
        staged: StagedVersion,
        plan: BuildPlan,
        recipe: BuildRecipe,
        before: Mapping[Category, Sequence[RuleChunk]],
    ) -> BuildReport:
        numbered = number_chunks(staged.version, plan, self._outcome, before)
        searched = {c: [x for x in chunks if not x.is_parent] for c, chunks in numbered.items()}
        vectors, count = self._vectors(plan, before, searched)
        self._lap("embed")
        carried = Carried(self._store, self._previous, before, plan.same_model)
        write_version(staged, recipe, numbered, vectors, self._tools, self._tell, carried, self._sentences_before(plan))
        self._lap("index")
        manifest = self._manifest(staged.version, plan, recipe, numbered, before, count)
        self._tell(Progress("publish", 0, 1, manifest.embedded + manifest.reused))
        self._store.publish(staged, manifest)
        self._tell(Progress("publish", 1, 1, manifest.embedded + manifest.reused))
        self._lap("publish")
        return self._report(manifest, tuple(document_report(p, numbered, count) for p in plan.documents), plan)

    def _vectors(
        self,
        plan: BuildPlan,
        before: Mapping[Category, Sequence[RuleChunk]],
        searched: Mapping[Category, Sequence[RuleChunk]],
    ) -> tuple[dict[str, Vector], VectorCount]:
        embedder = self._tools.models.embedder(self._choice.adapter, self._choice.model)
        chunks = [chunk for group in searched.values() for chunk in group]

        def tell(done: int, total: int, characters: int) -> None:
            self._tell(Progress("embed", done, total, len(chunks), characters))

        previous = self._previous
        if previous is None or not plan.same_model:
            return vectors_for(chunks, embedder, None, tell)
        places = {
            chunk.search_hash: (collection_name(category, previous.version), chunk.chunk_id)
            for category, group in before.items()
            for chunk in group
            if not chunk.is_parent
        }
        try:
            with closing(self._vectors_of(previous)) as store:
                return vectors_for(chunks, embedder, KnownVectors(store, places), tell)
        except (HandbookCorruptError, KeyError) as error:
            self._warnings.append(
                f"The vectors of {previous.version} cannot be read ({error}); every chunk is embedded again."
            )
            return vectors_for(chunks, embedder, None, tell)

    def _sentences_before(self, plan: BuildPlan) -> SentencesBefore:
        if self._previous is None or not plan.same_model:
            return nothing_before
        return sentences_before(self._previous, self._store, self._tools)

    def _manifest(  # noqa: PLR0917  # the parts of a version, each made by its own step
        self,
        version: str,
        plan: BuildPlan,
        recipe: BuildRecipe,
        numbered: Mapping[Category, Sequence[RuleChunk]],
        before: Mapping[Category, Sequence[RuleChunk]],
        count: VectorCount,
    ) -> Manifest:
        searched = {c: [x.search_hash for x in chunks if not x.is_parent] for c, chunks in numbered.items()}
        embedded = {c: sum(h in count.embedded for h in hashes) for c, hashes in searched.items()}
        texts_before = {c.search_hash for chunks in before.values() for c in chunks if not c.is_parent}
        texts_now = {h for hashes in searched.values() for h in hashes}
        reranks = self._tools.settings.rerank.enabled
        return Manifest(
            version=version,
            created_at=self._tools.clock().isoformat(timespec="seconds"),
            tool_version=self._tools.tool_version,
            source_files=tuple(source_file(p, self._outcome, self._previous) for p in plan.documents),
            collections={
                COLLECTIONS[c]: CollectionInfo(
                    chunk_count=len(chunks),
                    embedding_model=recipe.embedding.model,
                    rerank_model=recipe.reranker.model if reranks else "",
                    embedded=embedded[c],
                    reused=len(searched[c]) - embedded[c],
                )
                for c, chunks in numbered.items()
            },
            embedding=recipe.embedding,
            reranker=recipe.reranker,
            vector_store=recipe.vector_store,
            keyword=recipe.keyword,
            chunking=dict(recipe.chunking),
            failures=self._failures(),
            embedded=sum(embedded.values()),
            reused=sum(map(len, searched.values())) - sum(embedded.values()),
            dropped=len(texts_before - texts_now),
        )

    def _report(self, manifest: Manifest | None, documents: tuple[DocumentReport, ...], plan: BuildPlan) -> BuildReport:
        return BuildReport(
            version=manifest.version if manifest else None,
            previous=self._active,
            embedding_model=self._choice.model,
            embedding_reason=self._choice.reason,
            documents=documents,
            deleted=plan.deleted,
            failures=tuple(self._outcome.failures),
            skipped=tuple(self._outcome.skipped),
            embedded=manifest.embedded if manifest else 0,
            reused=manifest.reused if manifest else 0,
            dropped=manifest.dropped if manifest else 0,
            invalidated=plan.invalidated,
            warnings=tuple(self._warnings),
            seconds=self._seconds,
        )


def _unchanged(plan: BuildPlan) -> tuple[DocumentReport, ...]:
    return tuple(
        DocumentReport(p.document.name, p.document.category, p.state, p.before.chunk_count if p.before else 0, 0)
        for p in plan.documents
    )
