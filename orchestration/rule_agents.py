"""Agents without a model, for the demo and for tests. They follow rules mechanically and say so."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..domain.chunks import RuleChunk
from ..domain.conflicts import RuleText, rule_hash
from ..domain.constraints.splitting import split_rules
from ..ports.agents import ChapterTask, Finding, RulePack
from .conflicts import Detector, rule_text

DISCLAIMER = "(モデルを使わない規則駆動の簡易エージェントによる下書き。本文は生成せず、守るべき規則を列挙する。)"
_DRAFT = "下書き"
_SOURCE = re.compile(r"〔[^〕]*〕")
"""Sources that the writer puts behind a rule; no part of what the draft claims."""


def _rules_of(chunk: RuleChunk) -> list[str]:
    """Return the single rules of a chunk as they stand there, each once."""
    return list(dict.fromkeys(rule.quote for rule in split_rules(rule_text(chunk))))


@dataclass(frozen=True, slots=True)
class RuleWriter:
    """Lists the rules that hold for a chapter, with their sources, instead of writing prose."""

    most_rules: int = 10
    most_per_chunk: int = 2

    def write(self, task: ChapterTask, rules: RulePack, findings: Sequence[Finding] = ()) -> str:
        """Return a checklist; rules that lost a decision are left out."""
        del findings
        lines = [f"# {task.title}", DISCLAIMER]
        for chunk in rules.chunks:
            valid = [q for q in _rules_of(chunk) if rule_hash(chunk.doc_id, q) not in rules.overruled]
            lines.extend(f"- {quote}〔{chunk.source_uri}〕" for quote in valid[: self.most_per_chunk])
        return "\n".join(lines[: self.most_rules + 2])


@dataclass(frozen=True, slots=True)
class RuleImpact:
    """Names the design rules that mention an element of the chapter."""

    def infer(self, task: ChapterTask, draft: str, rules: RulePack) -> Sequence[Finding]:
        """Return one remark per rule that mentions an element."""
        del draft
        return [
            Finding(f"{element}: {quote}", chunk.chunk_id, "info")
            for chunk in rules.chunks
            for quote in _rules_of(chunk)
            for element in task.elements
            if element in quote
        ]


@dataclass(frozen=True, slots=True)
class RuleQa:
    """Finds statements of a draft that contradict a rule, with the detector that compares rules with each other."""

    detector: Detector

    def check(self, task: ChapterTask, draft: str, rules: RulePack) -> Sequence[Finding]:
        """Return what the draft breaks; rules that lost a decision raise no alarm."""
        text = _SOURCE.sub("", draft.replace(DISCLAIMER, ""))
        statement = RuleText(key=_DRAFT, document=_DRAFT, headings=(task.title,), text=text)
        findings: list[Finding] = []
        for group in self.detector([statement, *(rule_text(c) for c in rules.chunks)]):
            mine = [m for m in group.members if m.chunk_id == _DRAFT]
            broken = [
                m
                for m in group.members
                if m.chunk_id != _DRAFT
                and m.rule_hash not in rules.overruled
                and m.value not in {x.value for x in mine}
                # A draft that quotes a rule word for word does not break it, whatever else the rule says.
                and m.rule not in {x.rule for x in mine}
            ]
            if mine:
                findings.extend(
                    Finding(f"「{mine[0].rule}」は規則「{m.rule}」({m.source_uri})に反する。", m.chunk_id)
                    for m in broken
                )
        return findings
