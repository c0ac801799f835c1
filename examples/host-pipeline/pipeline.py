"""A pipeline with its own loop, its own writer and its own idea of what to do about conflicts.

It calls kisoku in six places, and hears of what happens there through hooks. Run it over a handbook:

    kisoku build examples/sample-rules/rules --root handbook
    python examples/host-pipeline/pipeline.py handbook document.md
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from kisoku import ConflictGroup, Kisoku, hookimpl

DOCUMENT = "order-system-1"
CHAPTERS = {
    "機能一覧": ["機能一覧の列と書き方", "表のヘッダー行の書式"],
    "画面設計": ["画面設計の章に書く内容と順序", "図の表題の文字数と位置"],
}
PREFERRED = "記入規則.docx"
"""Where two documents contradict each other, this company's answer is the writing guide; a person settles the rest."""


class Journal:
    """What the pipeline wants to hear: each method is a hook of kisoku, and takes the arguments that it needs."""

    @hookimpl
    def kisoku_conflicts_found(self, chapter: str, conflicts: Sequence[ConflictGroup]) -> None:
        """Tell the people who watch the pipeline."""
        for conflict in conflicts:
            print(f"! {chapter}: {conflict.topic}: {conflict.explanation}")

    @hookimpl
    def kisoku_chapter_finished(self, chapter: str, draft: str) -> None:
        """Count what was written."""
        print(f"* {chapter}: {len(draft)} characters")


def write(title: str, rules: str) -> str:
    """Stand for the pipeline's own writer, which would hand `rules` to a model; here they become a checklist."""
    fences = rules.split("```")[1::2]
    lines = [line.strip() for text in fences for line in text.splitlines() if line.strip()]
    return "\n".join([f"# {title}", *(f"- [ ] {line}" for line in lines[:30])])


def decide(app: Kisoku, conflict_id: str) -> None:
    """Settle a conflict by the company's preference, or mark both rules for a person."""
    conflict = app.sessions.find_conflict(conflict_id)
    preferred = [str(n) for n, member in enumerate(conflict.members, start=1) if member.document == PREFERRED]
    app.conflicts.resolve_conflict(conflict_id, preferred[0] if len(preferred) == 1 else "annotate")


def main(root: str, target: str) -> None:
    """Write the document over the handbook in `root`."""
    with Kisoku.open(root=root) as app:
        app.plugins.register(Journal(), "journal")
        version = app.host.session_started(DOCUMENT)  # 1: the document keeps this version to its end
        print(f"rules: {version}")
        parts = []
        for title, topics in CHAPTERS.items():  # the loop is the pipeline's
            app.host.chapter_started(DOCUMENT, title)  # 2
            found = app.host.rules_for(DOCUMENT, title, topics)  # 3
            while found.pending:
                for conflict_id in found.pending:
                    decide(app, conflict_id)  # 4
                found = app.host.rules_for(DOCUMENT, title, topics)
            draft = write(title, found.pack.text)
            app.host.chapter_finished(DOCUMENT, title, draft)  # 5
            parts.append(draft)
        metadata = app.host.document_finished(DOCUMENT)  # 6
        record = json.dumps(metadata.model_dump(mode="json"), ensure_ascii=False, indent=2)
        Path(target).write_text("\n\n".join([*parts, f"<!-- {record} -->"]) + "\n", encoding="utf-8")
        print(f"{target}: rules {metadata.rule_version}, {len(metadata.conflict_decisions)} decisions")


if __name__ == "__main__":
    main(*sys.argv[1:3])
