"""The report of `kisoku conflicts scan --html`: one page without scripts or outside resources.

Everything that comes from a document is escaped, and the page's policy forbids scripts and connections besides.
"""

import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from .conflict_words import WORDS, Words

if TYPE_CHECKING:
    from ...domain.conflicts import ConflictGroup, ConflictMember
    from ...domain.notices import Language
    from ...orchestration.conflict_scan import ScanReport

_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_STYLE = """
:root { color-scheme: light dark; --ground: #fff; --text: #1d2126; --soft: #626b75; --line: #d5dae0; --bar: #f2f4f7;
  --mark: #2563c9; --alarm: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ground: #16191d; --text: #e4e7eb; --soft: #98a2ad; --line: #363c44;
  --bar: #21262c; --mark: #7fb0ff; --alarm: #ff8a80; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem 2rem 5rem; color: var(--text); background: var(--ground);
  line-height: 1.7; font-family: system-ui, "Hiragino Sans", "Yu Gothic UI", Meiryo, "Noto Sans CJK JP", sans-serif; }
body:lang(zh) { font-family: system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; }
h1 { font-size: 1.5rem; } .soft { color: var(--soft); font-size: .88rem; }
table.sum { border-collapse: collapse; margin: 1rem 0 2rem; font-size: .9rem; }
table.sum td, table.sum th { border-bottom: 1px solid var(--line); padding: .25rem .9rem .25rem 0; text-align: left; }
article { border: 1px solid var(--line); border-radius: 6px; margin: 1.2rem 0; overflow: hidden; }
article > header { background: var(--bar); padding: .5rem 1rem; }
article h2 { font-size: 1.05rem; margin: 0; overflow-wrap: anywhere; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); }
.side { padding: .7rem 1rem; border-top: 1px solid var(--line); min-width: 0; }
.side + .side { border-left: 1px solid var(--line); }
.side q { display: block; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; quotes: none; }
.value { color: var(--alarm); font-weight: 600; overflow-wrap: anywhere; }
.doc { font-weight: 600; overflow-wrap: anywhere; } code { font-family: inherit; overflow-wrap: anywhere; }
@media print { article { break-inside: avoid; } }
"""


def page_of(report: "ScanReport", language: "Language") -> str:
    """Return the page, with words of its own in a language."""
    words = WORDS[language]
    return "\n".join(
        (
            "<!DOCTYPE html>",
            f'<html lang="{language}"><head><meta charset="utf-8">',
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>kisoku: {_text(words.title)}</title><style>{_STYLE}</style></head><body>",
            f"<h1>{_text(words.title)}: {_text(report.scope)}</h1>",
            _summary(report, words),
            *_pairs(report.conflicts, words),
            *(f'<p class="soft">{_text(words.unread)}: {_text(u.file)}: {_text(u.message)}</p>' for u in report.unread),
            *(line for n, group in enumerate(report.conflicts, 1) for line in _article(n, group, words)),
            "</body></html>\n",
        )
    )


def _summary(report: "ScanReport", words: Words) -> str:
    found = words.summary.format(conflicts=len(report.conflicts), documents=report.documents)
    cost = words.chunks.format(chunks=report.chunks, seconds=report.seconds)
    return f'<p>{_text(found)} <span class="soft">{_text(cost)}</span></p>'


def _pairs(groups: "Sequence[ConflictGroup]", words: Words) -> Iterator[str]:
    """Yield a table of documents that disagree, the most often first."""
    counts: dict[tuple[str, ...], list[int]] = {}
    for number, group in enumerate(groups, start=1):
        counts.setdefault(tuple(sorted({m.document for m in group.members})), []).append(number)
    if not counts:
        return
    yield f'<table class="sum"><thead><tr><th>{words.documents}</th><th>{words.found}</th></tr></thead><tbody>'
    for documents, numbers in sorted(counts.items(), key=lambda item: (-len(item[1]), item[0])):
        links = " ".join(f'<a href="#c{number}">{number}</a>' for number in numbers)
        yield f"<tr><td>{' ↔ '.join(map(_text, documents))}</td><td>{links}</td></tr>"
    yield "</tbody></table>"


def _article(number: int, group: "ConflictGroup", words: Words) -> Iterator[str]:
    yield f'<article id="c{number}"><header><h2>{number}. {_text(group.topic)}</h2>'
    yield f'<p class="soft">{_text(group.explanation)} · {words.confidence} {group.confidence:.2f}</p></header>'
    yield '<div class="sides">'
    for member in group.members:
        yield from _side(member)
    yield "</div></article>"


def _side(member: "ConflictMember") -> Iterator[str]:
    yield f'<div class="side"><div class="doc">{_text(member.document)}</div>'
    yield f'<div class="soft">{_text(member.heading)}</div><div class="value">{_text(member.value)}</div>'
    yield f"<q>{_text(member.rule)}</q>"
    yield f'<div class="soft"><code>{_text(member.source_uri)}</code></div></div>'


def _text(text: str) -> str:
    return escape(_UNPRINTABLE.sub("�", text))
