"""Pairs of rules, and whether they contradict each other.

They stand in `tests/data/conflict_pairs`, whose README says how one is written.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from kisoku.config.lexicon import load_lexicon
from kisoku.config.safe_yaml import load_yaml
from kisoku.domain.conflicts import RuleText
from kisoku.domain.constraints import detect_conflicts
from pydantic import BaseModel, ConfigDict, StrictBool, ValidationInfo, field_validator

FOLDER = Path(__file__).parents[2] / "data" / "conflict_pairs"


class Pair(BaseModel):
    """Two rules as a file states them, and where."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    file: str
    number: int
    name: str = ""
    lang: Literal["ja", "zh", "en", "mixed"]
    conflict: StrictBool
    a: RuleText
    b: RuleText

    @field_validator("a", "b", mode="before")
    @classmethod
    def _read(cls, side: str, info: ValidationInfo) -> RuleText:
        document, heading, text = re.split(r" *\| *", side, maxsplit=2)
        return RuleText(key=str(info.field_name), document=document, headings=(heading,) if heading else (), text=text)

    def __str__(self) -> str:
        verdict = "conflict" if self.conflict else "none"
        return "-".join(filter(None, (self.file, f"{self.number:03}", self.lang, verdict, self.name)))


def _pairs() -> Iterator[Pair]:
    for path in sorted(FOLDER.glob("*.yaml")):
        for number, entry in enumerate(load_yaml(path.read_text(encoding="utf-8")), start=1):
            yield Pair(file=path.stem, number=number, **entry)


PAIRS = tuple(_pairs())


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_pair(pair: Pair) -> None:
    groups = detect_conflicts((pair.a, pair.b), load_lexicon())
    assert bool(groups) is pair.conflict, [group.explanation for group in groups]


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_order_does_not_matter(pair: Pair) -> None:
    groups = detect_conflicts((pair.b, pair.a), load_lexicon())
    assert bool(groups) is pair.conflict, [group.explanation for group in groups]
