"""Which options of an embedder a version records, and who decides when it is searched."""

import numpy as np
import pytest
from kisoku.config.settings import Settings
from kisoku.orchestration.models import Models, recorded_options
from kisoku.plugins.manager import PluginManager
from kisoku.plugins.markers import hookimpl
from kisoku.ports.embedder import Embedder


class Remembering(Embedder):
    """Keeps the options it was made with."""

    name, dimension = "m", 8

    def __init__(self, options):
        self.options = dict(options.options)

    def embed_passages(self, texts):
        return np.ones((len(texts), 8), dtype=np.float32)

    def embed_query(self, text):
        return np.ones(8, dtype=np.float32)

    def count_tokens(self, text):
        return len(text)


class Recording:
    @hookimpl
    def kisoku_embedders(self):
        return {"recording": Remembering}


@pytest.fixture
def models():
    plugins = PluginManager(load_entry_points=False)
    plugins.register(Recording(), "recording", ("tests", "1"))
    options = {"query_prefix": "today: ", "dimension": 8, "base_url": "http://here", "api_key_env": "KEY"}
    settings = Settings.model_validate({"embedding": {"adapter": "recording", "model": "m", "options": options}})
    return Models(plugins, settings)


def test_what_decides_vectors_is_recorded_and_what_reaches_the_model_is_not():
    options = {
        "query_prefix": "q: ", "max_tokens": 300, "dimension": 8, "base_url": "http://x", "api_key_env": "K",
        "endpoints": ["http://y"], "timeout_seconds": 3, "max_retries": 1,
        "extra": {"truncate": True, "Authorization_token": "secret", "password": "secret"},
    }  # fmt: skip
    assert recorded_options(options) == {
        "query_prefix": "q: ", "max_tokens": 300, "dimension": 8, "extra": {"truncate": True},
    }  # fmt: skip


def test_a_version_decides_over_todays_settings_but_not_how_the_model_is_reached(models):
    found = models.embedder("recording", "m", {"query_prefix": "then: "})
    assert found.options == {"query_prefix": "then: ", "base_url": "http://here", "api_key_env": "KEY"}


def test_a_version_that_records_none_takes_todays(models):
    assert models.embedder("recording", "m").options["query_prefix"] == "today: "
    assert models.embedder("recording", "m", None) is models.embedder("recording", "m")


def test_equal_options_share_one_model(models):
    today = models.embedder("recording", "m")
    same = models.embedder("recording", "m", {"dimension": 8, "query_prefix": "today: "})
    assert same is today
    assert models.embedder("recording", "m", {"dimension": 4}) is not today
