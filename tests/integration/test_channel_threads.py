"""A vector store that waits is asked in a thread of its own, one that computes here in the caller's."""

import threading
from typing import ClassVar

import pytest
from kisoku.adapters.storage.memory import MemoryVectorStore
from kisoku.plugins.manager import PluginManager, shared_manager
from kisoku.plugins.markers import hookimpl

ASKED: list[str] = []


class Here(MemoryVectorStore):
    """Notes who asks it."""

    def nearest(self, *arguments):
        ASKED.append(threading.current_thread().name)
        return super().nearest(*arguments)


class Elsewhere(Here):
    """As if on another machine."""

    waits: ClassVar[bool] = True


class Plugin:
    @hookimpl
    def kisoku_vector_stores(self):
        return {"here": Here, "elsewhere": Elsewhere}

    @hookimpl
    def kisoku_embedders(self):
        return {"counting": shared_manager()._offers["kisoku_embedders"]["counting"].factory}


@pytest.mark.parametrize("store", ["here", "elsewhere"])
def test_only_a_store_that_waits_gets_a_thread(store, rules, tmp_path, open_app, build):
    plugins = PluginManager(load_entry_points=False)
    plugins.register(Plugin(), "stores", ("kisoku-tests", "1"))
    app = open_app(tmp_path / "root", parts={"plugins": plugins}, vector_store={"adapter": store})
    build(app, rules)
    results = []
    for _ in range(2):  # the first search opens the store, which is done beside the keywords
        ASKED.clear()
        results.append(app.service.search(session_id=None, query="表のヘッダー行の下線", agent="writer"))
    (asked_in,) = ASKED
    assert (asked_in == threading.current_thread().name) is (store == "here")
    first, second = ([(chunk.chunk_id, chunk.score) for chunk in result.chunks] for result in results)
    assert first == second
    assert any(chunk.vector is not None for chunk in results[1].chunks)
