"""Complex fields: which of their text is shown, and what fields without a result show."""

import re
from dataclasses import dataclass, field

from .names import VAL, Element, W, integer, toggle, val

_CONTENTS = re.compile(r"\s*(?:TOC|TOA|INDEX|RD)\b", re.IGNORECASE)
_EQUATION = re.compile(r"\s*EQ\b", re.IGNORECASE)
_SILENT = re.compile(r"\s*(?:PAGE|PAGEREF|NUMPAGES|SEQ|REF|TOC|HYPERLINK|FORM\w+|STYLEREF|EQ)\b", re.IGNORECASE)
_GROUP = re.compile(r"\(([^()]*)\)")
_CIRCLES = frozenset("○◯〇")
_MOST_CIRCLED = 20
_LONGEST_EQUATION = 1000


@dataclass(slots=True)
class _Field:
    """One open field: its code so far, and whether its result has begun."""

    form: Element | None
    code: list[str] = field(default_factory=list)
    in_result: bool = False
    contents: bool = False
    had_result: bool = False


@dataclass(slots=True)
class Fields:
    """The fields that are open at a point of a story; they may span paragraphs.

    Attributes:
        codes: Codes met that hold more than a well-known instruction.
        disabled: Field marks are not balanced in this story: every text counts as shown.
    """

    codes: dict[str, None] = field(default_factory=dict)
    disabled: bool = False
    _open: list[_Field] = field(default_factory=list)

    @property
    def shown(self) -> bool:
        """Whether text at this point is displayed: no open field is still in its code."""
        return all(each.in_result for each in self._open)

    @property
    def in_contents(self) -> bool:
        """Whether this point lies in a table of contents or an index."""
        return any(each.contents for each in self._open)

    @property
    def balanced(self) -> bool:
        """Whether no field is open."""
        return not self._open

    def code(self, text: str) -> None:
        """Take a piece of a field's code."""
        if self._open and not self._open[-1].in_result:
            self._open[-1].code.append(text)

    def mark(self, element: Element) -> str:
        """Take a field mark (w:fldChar); return text that the field shows without having a result."""
        if self.disabled:
            return ""
        kind = element.get(W + "fldCharType")
        if kind == "begin":
            self._open.append(_Field(element.find(W + "ffData")))
        elif kind == "separate" and self._open:
            top = self._open[-1]
            top.in_result = top.had_result = True
            top.contents = _CONTENTS.match("".join(top.code)) is not None
        elif kind == "end" and self._open:
            return self._close(self._open.pop())
        return ""

    def _close(self, closed: _Field) -> str:
        code = "".join(closed.code)
        if code.strip() and not _SILENT.match(code):
            self.codes[code.strip()] = None
        if not self.shown:
            return ""
        if closed.form is not None:
            return _form_value(closed.form, has_result=closed.had_result)
        return equation_text(code) if _EQUATION.match(code) and not closed.had_result else ""


def _form_value(form: Element, *, has_result: bool) -> str:
    """Return what a legacy form field shows: a box, or the chosen entry."""
    box = form.find(W + "checkBox")
    if box is not None:
        checked = toggle(box, W + "checked")
        return "☑" if (toggle(box, W + "default") if checked is None else checked) else "☐"
    choices = form.find(W + "ddList")
    if choices is not None and not has_result:
        entries = [entry.get(VAL, "") for entry in choices.iterfind(W + "listEntry")]
        chosen = integer(val(choices, W + "result")) or integer(val(choices, W + "default")) or 0
        return entries[chosen] if 0 <= chosen < len(entries) else ""
    return ""


def equation_text(code: str) -> str:
    r"""Return the text of an EQ field: enclosed characters (`\o\ac(○,1)` is ①), ruby (the base), fractions."""
    if len(code) > _LONGEST_EQUATION:
        return ""
    body = re.sub(r"^\s*EQ\b|\\\*\s*\w+(?:\s*\"[^\"]*\")?|\\\*\s*\"[^\"]*\"", "", code, flags=re.IGNORECASE)
    while (match := _GROUP.search(body)) is not None:
        command = re.search(r"((?:\\[a-z]+\s*\d*\s*)*)$", body[: match.start()], re.IGNORECASE)
        name = command.group(1).lower() if command else ""
        parts = [part.strip() for part in re.split(r"[,;]", match.group(1))]
        if "\\ac" in name and parts[0] in _CIRCLES:
            number = integer(parts[-1])
            circled = number is not None and 0 < number <= _MOST_CIRCLED
            value = chr(0x2460 + number - 1) if circled and number is not None else parts[-1]
        elif "\\up" in name or "\\do" in name:
            value = ""  # raised text over a base: a reading
        elif "\\f" in name:
            value = "/".join(parts)
        else:
            value = "".join(parts)
        start = match.start() - len(command.group(1)) if command else match.start()
        body = body[:start] + value + body[match.end() :]
    return re.sub(r"\\[a-z]+\s*", "", body, flags=re.IGNORECASE).strip()
