"""A chapter as a LangGraph graph: its nodes call kisoku, a conflict interrupts the graph until a person decides.

Run it over a handbook:

    kisoku build examples/sample-rules/rules --root handbook
    python examples/langgraph/pipeline.py handbook
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from kisoku import AgentSet, Kisoku
from kisoku.domain.search import Agent
from kisoku.orchestration.generation.rules import Lookup
from kisoku.ports.agents import ChapterTask
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt

SESSION = "langgraph-1"
TASK = ChapterTask(
    "機能一覧",
    topics=("機能一覧の列と書き方", "表のヘッダー行の書式"),
    elements=("F001", "TB010"),
    relation="受注を登録する機能を変えると何に影響するか",
)
MOST_ROUNDS = 2


class State(TypedDict, total=False):
    """What the graph remembers; rules are looked up when they are needed, so that they are never stale."""

    pending: list[str]
    draft: str
    remarks: list[str]
    findings: list[str]
    rounds: int


@dataclass(frozen=True)
class Nodes:
    """The nodes; `agents` are the ready ones of kisoku, and may as well be chains of your own."""

    app: Kisoku
    agents: AgentSet

    def rules(self, agent: Agent, topics: Sequence[str] = TASK.topics) -> Lookup:
        """Return the rules for an agent."""
        return self.app.host.rules_for(SESSION, TASK.title, topics, agent=agent)

    def look_up(self, _: State) -> State:
        """Find the rules of the chapter, and what of them a person must decide first."""
        return {"pending": list(self.rules("writer").pending)}

    def ask(self, state: State) -> State:
        """Hand the first conflict to a person; the graph sleeps until the answer comes."""
        conflict = self.app.sessions.find_conflict(state["pending"][0])
        sides = [f"{n}: {m.document}: {m.rule}" for n, m in enumerate(conflict.members, start=1)]
        decision = interrupt({"topic": conflict.topic, "sides": sides})
        self.app.conflicts.resolve_conflict(conflict.conflict_id, decision)
        return {}

    def write(self, _: State) -> State:
        """Write the chapter, or write it anew."""
        return {"draft": self.agents.writer.write(TASK, self.rules("writer").pack)}

    def infer(self, state: State) -> State:
        """Say what the draft means for related elements."""
        found = self.agents.impact.infer(TASK, state["draft"], self.rules("impact", [TASK.relation]).pack)
        return {"remarks": [f.message for f in found]}

    def check(self, state: State) -> State:
        """Hold the draft against the rules."""
        found = self.agents.qa.check(TASK, state["draft"], self.rules("qa").pack)
        broken = [f.message for f in found if f.severity == "error"]
        return {"findings": broken, "rounds": state.get("rounds", 0) + 1}

    def finish(self, state: State) -> State:
        """Tell kisoku that the chapter is done."""
        self.app.host.chapter_finished(SESSION, TASK.title, state["draft"])
        return {}


def graph(nodes: Nodes) -> Any:
    """Connect the nodes; any checkpointer of LangGraph does."""
    made = StateGraph(State)
    for name in ("look_up", "ask", "write", "infer", "check", "finish"):
        made.add_node(name, getattr(nodes, name))
    made.add_edge(START, "look_up")
    made.add_conditional_edges("look_up", lambda state: "ask" if state["pending"] else "write", ["ask", "write"])
    made.add_edge("ask", "look_up")
    made.add_edge("write", "infer")
    made.add_edge("infer", "check")
    made.add_conditional_edges(
        "check",
        lambda state: "write" if state["findings"] and state["rounds"] <= MOST_ROUNDS else "finish",
        ["write", "finish"],
    )
    made.add_edge("finish", END)
    return made.compile(checkpointer=InMemorySaver())


def main(root: str) -> None:
    """Write the chapter over the handbook in `root`."""
    with Kisoku.open(root=root) as app:
        version = app.host.session_started(SESSION)
        app.host.chapter_started(SESSION, TASK.title)
        runner = graph(Nodes(app, app.agents("rules")))
        thread = {"configurable": {"thread_id": SESSION}}
        state = runner.invoke({}, thread)
        while "__interrupt__" in state:
            question = state["__interrupt__"][0].value
            print(f"? {question['topic']}", *question["sides"], sep="\n  ")
            # Here a person answers; this script takes the first rule.
            state = runner.invoke(Command(resume="1"), thread)
        print(state["draft"])
        for remark in state["remarks"]:
            print(f"impact: {remark}")
        metadata = app.host.document_finished(SESSION)
        print(f"rules {version}, {len(metadata.conflict_decisions)} decisions, {state['rounds']} checks")


if __name__ == "__main__":
    main(sys.argv[1])
