"""Office math as one line of text."""

from .names import VAL, Element, M


def formula_text(element: Element) -> str:  # one return a kind of formula
    """Return a formula in linear form: a/b, x^2, x_i, √(x)."""
    tag = element.tag
    if tag == M + "t":
        return element.text or ""
    if tag == M + "f":
        return f"{_group(element, 'num')}/{_group(element, 'den')}"
    if tag in {M + "sSup", M + "sSub", M + "sSubSup"}:
        return _script(element)
    if tag == M + "rad":
        return f"{_part(element, 'deg')}√({_part(element, 'e')})"
    if tag == M + "nary":
        return f"{_property(element, 'chr', '∫')}{_script(element, base='')} {_part(element, 'e')}"
    return _delimited(element) if tag == M + "d" else _all(element)


def _script(element: Element, base: str | None = None) -> str:
    """Return a base with its index and exponent; parts without content are left out."""
    text = _part(element, "e") if base is None else base
    for name, sign in (("sub", "_"), ("sup", "^")):
        group = _group(element, name)
        text += sign + group if group else ""
    return text


def _delimited(element: Element) -> str:
    left, right = _property(element, "begChr", "("), _property(element, "endChr", ")")
    return left + _property(element, "sepChr", "|").join(map(_all, element.iterfind(M + "e"))) + right


def _all(element: Element) -> str:
    return "".join(formula_text(child) for child in element)


def _part(element: Element, name: str) -> str:
    found = element.find(M + name)
    return "" if found is None else _all(found)


def _group(element: Element, name: str) -> str:
    return _braced(_part(element, name))


def _braced(text: str) -> str:
    return text if len(text) <= 1 or text.isalnum() else f"({text})"


def _property(element: Element, name: str, default: str) -> str:
    found = element.find(f"{element.tag}Pr/{M}{name}")
    if found is None:
        return default
    return found.get(M + "val", found.get(VAL, ""))
