"""Hooks of mkdocs: pages that lie outside docs/, colours of code, and anchors as the repository's pages have them."""  # noqa: INP001  # as generate.py

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
OUTSIDE = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "examples/README.md": "examples.md",
    "examples/host-pipeline/README.md": "example-host-pipeline.md",
    "examples/kisoku-pdf/README.md": "example-kisoku-pdf.md",
    "examples/sample-rules/README.md": "example-sample-rules.md",
    "examples/langgraph/README.md": "example-langgraph.md",
    "benchmarks/README.md": "benchmarks.md",
}
"""Pages of the repository, and what they are called in the site."""
_LINK = re.compile(r"(?P<mark>!?)\[(?P<text>[^\]]*)\]\((?P<path>[^)\s#:]+)(?P<anchor>#[^)\s]*)?\)")


_STYLE = """
.wy-nav-content { max-width: 62rem; }
.rst-content table.docutils td, .wy-table-responsive table td, .wy-table-responsive table th { white-space: normal; }
.rst-content img { background: #fff; }
"""


def on_config(config: Any) -> Any:
    """Make anchors as the repository's own pages have them."""
    config.mdx_configs["toc"]["slugify"] = slug
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that lie outside, with links that hold in the site, and the style sheet."""
    # Here, so that the tests can read what lies outside where no site is built.
    from mkdocs.structure.files import File  # noqa: PLC0415  # as the line above says
    from pygments.formatters import HtmlFormatter  # noqa: PLC0415  # as above

    colours = HtmlFormatter().get_style_defs(".codehilite")
    files.append(File.generated(config, "css/site.css", content=f"{colours}{_STYLE}"))
    for source, name in OUTSIDE.items():
        if (ROOT / source).is_file():
            text = (ROOT / source).read_text(encoding="utf-8")
            files.append(File.generated(config, name, content=_relinked(text, ROOT / source)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Lead links to pages outside to their place in the site."""
    return markdown if page.file.src_uri in OUTSIDE.values() else _relinked(markdown, ROOT / "docs" / page.file.src_uri)


def _relinked(text: str, source: Path) -> str:
    """Return the text of a page with links that hold in the site; what is no page of it becomes plain text."""

    def link(found: re.Match[str]) -> str:
        target = _target((source.parent / found["path"]).resolve())
        if target is None:
            return found["text"]
        return f"{found['mark']}[{found['text']}]({target}{found['anchor'] or ''})"

    return _LINK.sub(link, text)


def _target(path: Path) -> str | None:
    if not path.is_relative_to(ROOT):
        return None
    relative = path.relative_to(ROOT).as_posix()
    if relative in OUTSIDE:
        return OUTSIDE[relative]
    return relative.removeprefix("docs/") if relative.startswith("docs/") else None


def slug(text: str, separator: str) -> str:
    """Return the anchor of a heading as GitHub makes it, so that links hold in both places."""
    return re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", separator)
