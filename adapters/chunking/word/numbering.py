"""Automatic numbers, computed from numbering.xml as Word computes them (ECMA-376, 17.9)."""

import re
from dataclasses import dataclass, field

from .names import ALTERNATE, RPR, VAL, Element, W, alternative, integer, toggle, val
from .numerals import format_number
from .styles import Style, Styles
from .symbols import bullet

LEVELS = 9
_PLACEHOLDER = re.compile(r"%([1-9])")


@dataclass(frozen=True, slots=True)
class Level:
    """One level of a list definition.

    Attributes:
        start: First value.
        kind: Number format (ST_NumberFormat), "bullet" for bullets.
        text: Pattern with %1 to %9 for the counters of the levels.
        legal: All counters are shown as decimal digits (w:isLgl).
        restart: Restarts only after a level above or equal this one (1 to 9), 0 never, None after any level above.
        style: Id of the paragraph style that the level is linked to.
        font: Font of the label, needed to read bullets.
        zeros: Width that a custom format ("001, 002, …") pads to.
    """

    start: int = 1
    kind: str = "decimal"
    text: str = ""
    legal: bool = False
    restart: int | None = None
    style: str | None = None
    font: str = ""
    zeros: int = 0


@dataclass(frozen=True, slots=True)
class ListInstance:
    """A w:num: levels of its definition with its own overrides.

    Attributes:
        abstract: Id of the definition; instances of one definition share their counters.
        levels: By level index.
        restarts: Value that a level restarts at when this instance is first used there.
    """

    abstract: str
    levels: dict[int, Level]
    restarts: dict[int, int]


@dataclass(frozen=True, slots=True)
class Label:
    """A computed number or bullet.

    Attributes:
        text: As displayed ("3.2.", "①", "•"), "" when the level shows nothing.
        level: Level index from 0.
        is_bullet: It is a bullet, not a number.
    """

    text: str
    level: int
    is_bullet: bool


@dataclass(slots=True)
class Counters:
    """Where the counting stands in one story (the body, or all text boxes)."""

    values: dict[str, list[int | None]] = field(default_factory=dict)
    used: set[tuple[int, int]] = field(default_factory=set)


class Numbering:
    """List definitions of a document."""

    def __init__(self, root: Element | None, styles: Styles) -> None:
        self._instances: dict[int, ListInstance] = {}
        if root is None:
            return
        abstracts: dict[str, dict[int, Level]] = {}
        links: dict[str, str] = {}
        for element in root.iterfind(W + "abstractNum"):
            abstract_id = element.get(W + "abstractNumId", "")
            abstracts[abstract_id] = _levels(element)
            link = val(element, W + "numStyleLink")
            if link is not None:
                links[abstract_id] = link
        nums = {
            number: element
            for element in root.iterfind(W + "num")
            if (number := integer(element.get(W + "numId"))) is not None
        }
        for number, element in nums.items():
            abstract_id = _follow(val(element, W + "abstractNumId") or "", links, nums, styles)
            self._instances[number] = _instance(element, abstract_id, abstracts.get(abstract_id, {}))

    def reference(self, properties: Element | None, style: Style) -> tuple[int, int] | None:
        """Return (numId, level) of a paragraph, None when it is not numbered.

        Args:
            properties: The paragraph's w:numPr.
            style: Its style.
        """
        own_id = integer(val(properties, W + "numId"))
        own_level = integer(val(properties, W + "ilvl"))
        num_id = style.num_id if own_id is None else own_id
        instance = None if num_id is None else self._instances.get(num_id)
        if not num_id or instance is None:
            return None
        level = own_level
        if level is None:
            # In a style the level follows from the link (w:pStyle) of the definition; w:ilvl is the fallback.
            linked = {lvl.style: index for index, lvl in instance.levels.items() if lvl.style}
            level = next((linked[name] for name in style.chain if name in linked), style.ilvl or 0)
        return num_id, min(max(level, 0), LEVELS - 1)

    def count(self, reference: tuple[int, int], counters: Counters) -> Label:
        """Advance the counters by one paragraph and return its label."""
        num_id, index = reference
        instance = self._instances[num_id]
        values = counters.values.setdefault(instance.abstract, [None] * LEVELS)
        current = values[index]
        if reference not in counters.used and index in instance.restarts:
            values[index] = instance.restarts[index]
        elif current is None:
            values[index] = instance.levels.get(index, Level()).start
        else:
            values[index] = current + 1
        counters.used.add(reference)
        return self._label(instance, index, values)

    @staticmethod
    def _label(instance: ListInstance, index: int, values: list[int | None]) -> Label:
        for above in range(index):
            if values[above] is None:  # a skipped level counts as begun
                values[above] = instance.restarts.get(above, instance.levels.get(above, Level()).start)
        for below in range(index + 1, LEVELS):
            restart = instance.levels.get(below, Level()).restart
            if restart is None or index < restart:
                values[below] = None
        level = instance.levels.get(index)
        if level is None:
            return Label("", index, is_bullet=False)
        if level.kind == "bullet":
            return Label(bullet(level.text, level.font), index, is_bullet=True)
        text = _PLACEHOLDER.sub(lambda match: _shown(instance, level, int(match.group(1)) - 1, values), level.text)
        return Label(text, index, is_bullet=False)


def _shown(instance: ListInstance, level: Level, position: int, values: list[int | None]) -> str:
    """Return what a placeholder in the pattern of `level` stands for: the counter of another level, or its own."""
    value, source = values[position], instance.levels.get(position, level)
    if value is None:
        return ""
    if level.legal and source.kind != "none":
        return str(value)
    return f"{value:0{source.zeros}d}" if source.zeros else format_number(value, source.kind)


def _follow(abstract_id: str, links: dict[str, str], nums: dict[int, Element], styles: Styles) -> str:
    """Return the definition that a chain of numbering-style links ends at."""
    seen: set[str] = set()
    while abstract_id in links and abstract_id not in seen:
        seen.add(abstract_id)
        target = nums.get(styles.get(links[abstract_id]).num_id or 0)
        if target is None:
            break
        abstract_id = val(target, W + "abstractNumId") or ""
    return abstract_id


def _instance(element: Element, abstract_id: str, levels: dict[int, Level]) -> ListInstance:
    own = dict(levels)
    restarts: dict[int, int] = {}
    for override in element.iterfind(W + "lvlOverride"):
        index = integer(override.get(W + "ilvl"))
        if index is None:
            continue
        redefined = override.find(W + "lvl")
        if redefined is not None:
            own[index] = _level(redefined)
        start = integer(val(override, W + "startOverride"))
        if start is not None:
            restarts[index] = start
    return ListInstance(abstract_id, own, restarts)


def _levels(abstract: Element) -> dict[int, Level]:
    found: dict[int, Level] = {}
    for element in abstract.iterfind(W + "lvl"):
        index = integer(element.get(W + "ilvl"))
        if index is not None:
            found[index] = _level(element)
    return found


def _level(element: Element) -> Level:
    kind_element = element.find(W + "numFmt")
    zeros = 0
    for choice in element.iterfind(ALTERNATE):  # custom formats hide behind an alternative
        branch = alternative(choice)
        custom = None if branch is None else branch.find(W + "numFmt")
        if custom is not None:
            kind_element = custom
    kind = "decimal" if kind_element is None else kind_element.get(VAL, "decimal")
    if kind == "custom" and kind_element is not None:
        first = kind_element.get(W + "format", "").split(",")[0].strip()
        zeros = len(first) if first.isdigit() else 0
    fonts = element.find(f"{RPR}/{W}rFonts")
    start = integer(val(element, W + "start"))
    return Level(
        # Without w:start a level begins at 0 (ECMA-376, 17.9.25).
        start=0 if start is None else start,
        kind=kind,
        text=val(element, W + "lvlText") or "",
        legal=bool(toggle(element, W + "isLgl")),
        restart=integer(val(element, W + "lvlRestart")),
        style=val(element, W + "pStyle"),
        font="" if fonts is None else fonts.get(W + "ascii", "") or fonts.get(W + "hAnsi", ""),
        zeros=zeros,
    )
