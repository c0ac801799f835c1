"""Conflicts between rules: what was found, what a person decided (requirements, rag-layer §7)."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

ConflictStatus = Literal["pending", "decided"]


def rule_hash(document: str, quote: str) -> str:
    """Return the identity of a rule whatever chunk it stands in: sha256 over document name and sentence."""
    return hashlib.sha256(f"{document}\n{quote}".encode("utf-8", "surrogatepass")).hexdigest()


class RuleText(BaseModel):
    """A chunk as the conflict detector needs it.

    Attributes:
        key: Identity towards the caller (chunk id, or an index as text).
        document: Name of the source document.
        headings: Path of headings, outermost first.
        text: The chunk's text.
        content_hash: Of heading path and text, 64 hex digits.
        source_uri: Where it stands.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    document: str
    headings: tuple[str, ...] = ()
    text: str
    content_hash: str = ""
    source_uri: str = ""


class ConflictMember(BaseModel):
    """One side of a conflict.

    Attributes:
        chunk_id: The chunk that states the rule.
        content_hash: Hash of that chunk; a decision lapses when it changes.
        document: Name of the source document.
        heading: Innermost heading of the chunk.
        rule: The one sentence, bullet or row that states the rule, quoted.
        value: Its normalised value, as shown to people ("太字", "12 文字以上").
        source_uri: Where it stands.
        rule_hash: Hash of the document's name and the rule sentence alone: the same rule in another chunk.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    chunk_id: str
    content_hash: str
    document: str
    heading: str
    rule: str
    value: str
    source_uri: str = ""
    rule_hash: str = ""


class ConflictGroup(BaseModel):
    """Rules on one topic that cannot all be obeyed.

    Attributes:
        conflict_id: Stable within a session; "" as long as the detector alone has seen it.
        session_id: Session in which it was met; "" outside a session.
        chapter: Chapter being written when it was met.
        topic: What the rules are about ("表のヘッダー行").
        attribute: Which property they disagree on ("下線").
        members: Every rule that states either side, at least two.
        confidence: 0 to 1.
        explanation: One line ("caption position: below (A 3.2) / above (B 2.1)").
        status: pending or decided.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    conflict_id: str = ""
    session_id: str = ""
    chapter: str = ""
    topic: str
    attribute: str
    members: Annotated[tuple[ConflictMember, ...], Field(min_length=2)]
    confidence: Annotated[float, Field(ge=0, le=1)]
    explanation: str = ""
    status: ConflictStatus = "pending"

    def asks_again(self, earlier: "ConflictGroup | DecisionRecord") -> bool:
        """Return whether this group puts a question that was put before.

        It does when it is about the same property, at least two of the earlier rules that disagree take part again, and
        it brings no value beside those known: then more rules, or other chunks with the same rules, say the same.
        """
        if self.attribute != earlier.attribute:
            return False
        members = earlier.members if isinstance(earlier, ConflictGroup) else earlier.conflicting_chunks
        known = {member.rule_hash: member.value for member in members if member.rule_hash}
        met = {known[m.rule_hash] for m in self.members if m.rule_hash in known}
        return len(met) > 1 and {m.value for m in self.members} <= set(known.values())


class DecisionRecord(BaseModel):
    """What the user chose, in the record format of the requirements (§7.4).

    Attributes:
        conflict_id: The conflict.
        session_id: The session.
        chapter: Chapter in which it was met.
        topic: Topic of the conflict.
        conflicting_chunks: Both sides.
        user_decision: `adopt:<chunk_id>` or `annotate`.
        adopted: Chunk id of the rule that holds; None when both are annotated for a human.
        decided_at: ISO 8601, UTC.
        resolution_uri: Where in the generated document the decision took effect; "" when not told.
        carried_from: Session in which the person decided, when it was carried over from there; else "".
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    conflict_id: str
    session_id: str
    chapter: str
    topic: str
    attribute: str = ""
    conflicting_chunks: tuple[ConflictMember, ...]
    user_decision: str
    adopted: str | None = None
    decided_at: str
    resolution_uri: str = ""
    carried_from: str = ""


@dataclass(frozen=True, slots=True)
class LexiconPart:
    """An extension of the lexicon that a plugin offers.

    Attributes:
        name: What the plugin calls it; begins with ja, zh or en when it has words.
        plugin: The plugin, for messages.
        source: A YAML file, or its content, in the shape of the bundled files.
    """

    name: str
    plugin: str
    source: Path | Mapping[str, object]
