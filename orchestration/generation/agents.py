"""The agents of one document, by name."""

from dataclasses import dataclass

from ...ports.agents import ImpactAgent, QaAgent, WriterAgent
from ..conflicts import Detector
from ..rule_agents import RuleImpact, RuleQa, RuleWriter

RULES = "rules"
LLM = "llm"


@dataclass(frozen=True, slots=True)
class AgentSet:
    """Writer, Impact and QA, and the name that is recorded with the document."""

    name: str
    writer: WriterAgent
    impact: ImpactAgent
    qa: QaAgent


def rule_agents(detector: Detector) -> AgentSet:
    """Return agents without a model; they list and compare rules, and say so in what they write."""
    return AgentSet(RULES, RuleWriter(), RuleImpact(), RuleQa(detector))
