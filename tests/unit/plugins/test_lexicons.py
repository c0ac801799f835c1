"""Lexicons by plugins: they teach the conflict detector; a broken one is reported by name and left out."""

import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from kisoku.config.lexicon import load_lexicon
from kisoku.domain.conflicts import LexiconPart, RuleText
from kisoku.domain.constraints import Lexicon, detect_conflicts
from kisoku.domain.errors import ConfigError
from kisoku.plugins.manager import PluginManager

SEALS = {
    "enums": {"seal": {"values": ["round-seal", "square-seal"]}},
    "words": {"round-seal": ["丸印"], "square-seal": ["角印"]},
    "names": {"seal": {"ja": "印の形", "zh": "印章形状", "en": "shape of the seal"}},
}
Install = Callable[[str], None]


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Install a distribution with one plugin `seals`, as pip would leave it."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))

    def install(source: str) -> None:
        (site / "seal_words.py").write_text(textwrap.dedent(source), encoding="utf-8")
        info = site / "seal_words-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: seal-words\nVersion: 1.0\n", encoding="utf-8")
        (info / "entry_points.txt").write_text("[kisoku]\nseals = seal_words\n", encoding="utf-8")
        monkeypatch.delitem(sys.modules, "seal_words", raising=False)

    return install


def _explanations(lexicon: Lexicon) -> list[str]:
    texts = ("請求書には丸印を押す。", "請求書には角印を押す。")
    rules = [RuleText(key=str(i), document=f"文書{i}.docx", text=text) for i, text in enumerate(texts)]
    return [group.explanation for group in detect_conflicts(rules, lexicon, language="ja")]


def _load(manager: PluginManager) -> Lexicon:
    return load_lexicon((), manager.lexicons(), on_error=manager.reject_lexicon)


def test_a_plugin_teaches_words_by_mapping(plugin: Install) -> None:
    plugin(f"""
        from kisoku.plugins.markers import hookimpl
        @hookimpl
        def kisoku_lexicons():
            return {{"ja-seals": lambda: {SEALS!r}}}
    """)
    manager = PluginManager()
    assert not _explanations(load_lexicon())
    assert _explanations(_load(manager)) == ["印の形: 丸印 (文書0.docx) / 角印 (文書1.docx)"]
    assert manager.failures == []


def test_a_plugin_teaches_words_by_file(plugin: Install, tmp_path: Path) -> None:
    path = tmp_path / "ja-seals.yaml"
    path.write_text("enums:\n  seal: {values: [r, s]}\nwords:\n  r: [丸印]\n  s: [角印]\n", encoding="utf-8")
    plugin(f"""
        from kisoku.plugins.markers import hookimpl
        @hookimpl
        def kisoku_lexicons():
            return {{"seals": lambda: {str(path)!r}}}
    """)
    assert len(_explanations(_load(PluginManager()))) == 1


@pytest.mark.parametrize(
    ("source", "cause"),
    [
        ("raise ValueError('no licence')", "ValueError: no licence"),
        ("return 7", "must give a path or a mapping as 'ja-seals', gave int"),
        ("return '/no/such/file.yaml'", "lexicon 'ja-seals' of plugin 'seals' cannot be read"),
        ("return {'enums': {'seal': {}}}", "lexicon 'ja-seals' of plugin 'seals' is malformed at enums.seal.values"),
        ("return {'enums': []}", "lexicon 'ja-seals' of plugin 'seals' gives enums another shape"),
    ],
)
def test_a_broken_lexicon_is_reported_and_left_out(plugin: Install, source: str, cause: str) -> None:
    plugin(f"""
        from kisoku.plugins.markers import hookimpl
        def make():
            {source}
        @hookimpl
        def kisoku_lexicons():
            return {{"ja-seals": make}}
    """)
    manager = PluginManager()
    lexicon = _load(manager)
    assert lexicon.enums.keys() == load_lexicon().enums.keys()
    (failure,) = [failure for failure in manager.failures if failure.plugin == "seals"]
    assert failure.hook == "kisoku_lexicons"
    assert cause in failure.cause


def test_words_need_a_language_in_the_name() -> None:
    part = LexiconPart("seals", "seals", {"words": {"red": ["くれない"]}})
    with pytest.raises(ConfigError, match="lexicon 'seals' of plugin 'seals' has words"):
        load_lexicon((), (part,))


def test_the_files_of_a_deployment_have_the_last_word(tmp_path: Path) -> None:
    path = tmp_path / "en-names.yaml"
    path.write_text("names:\n  seal: {ja: 社印}\n", encoding="utf-8")
    lexicon = load_lexicon([path], (LexiconPart("ja-seals", "seals", SEALS),))
    assert lexicon.names["seal"] == {"ja": "社印", "zh": "印章形状", "en": "shape of the seal"}
