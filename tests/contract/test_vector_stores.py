import pytest
from kisoku.testing.vector_store import StoreFactory, VectorStoreContract


class TestChroma(VectorStoreContract):
    @pytest.fixture
    def factory(self) -> StoreFactory:
        from kisoku.adapters.storage.chroma import ChromaAdapter

        return ChromaAdapter


class TestNumpy(VectorStoreContract):
    @pytest.fixture
    def factory(self) -> StoreFactory:
        from kisoku.adapters.storage.memory import MemoryVectorStore

        return MemoryVectorStore
