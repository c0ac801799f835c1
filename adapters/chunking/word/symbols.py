"""Characters of symbol fonts: what a reader sees where the file holds a font position."""

import unicodedata

# Positions used for bullets, check marks and arrows; from Microsoft's font charts of Wingdings and Symbol.
_WINGDINGS = {
    0x4A: "☺", 0x6C: "●", 0x6D: "❍", 0x6E: "■", 0x6F: "□", 0x70: "□", 0x71: "❑", 0x72: "❒", 0x73: "⬧",
    0x74: "⧫", 0x75: "◆", 0x76: "❖", 0x77: "⬥", 0x78: "☒", 0x80: "⓪",
    0x81: "①", 0x82: "②", 0x83: "③", 0x84: "④", 0x85: "⑤", 0x86: "⑥", 0x87: "⑦", 0x88: "⑧", 0x89: "⑨", 0x8A: "⑩",
    0x9F: "•", 0xA0: "▪", 0xA1: "○", 0xA2: "○", 0xA3: "○", 0xA4: "◉", 0xA5: "◎", 0xA7: "▪", 0xA8: "☐",
    0xAB: "★", 0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE8: "➔", 0xEF: "⇦", 0xF0: "⇨",
    0xF1: "⇧", 0xF2: "⇩", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
_WINGDINGS_2 = {
    0x4F: "✗", 0x50: "✓", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0x96: "•", 0x97: "●", 0x98: "●",
    0xA2: "▪", 0xA3: "□", 0xAE: "◆",
}  # fmt: skip
_WINGDINGS_3 = {0x7D: "▶", 0x7E: "◀", 0x70: "▲", 0x71: "▼", 0x75: "◀", 0x76: "▶"}
_SYMBOL = {
    0xA3: "≤", 0xA5: "∞", 0xAB: "↔", 0xAC: "←", 0xAD: "↑", 0xAE: "→", 0xAF: "↓", 0xB0: "°", 0xB1: "±",
    0xB3: "≥", 0xB4: "×", 0xB7: "•", 0xB8: "÷", 0xB9: "≠", 0xBB: "≈", 0xDE: "⇒", 0xDB: "⇔", 0xD2: "®", 0xD3: "©",
    0xD4: "™", 0x2D: "−", 0x61: "α", 0x62: "β", 0x67: "γ", 0x64: "δ", 0x6C: "λ", 0x6D: "μ", 0x70: "π",
    0x73: "σ", 0x53: "Σ", 0x44: "Δ", 0x57: "Ω", 0x71: "θ",
}  # fmt: skip
_FONTS = {
    "wingdings": _WINGDINGS,
    "wingdings 2": _WINGDINGS_2,
    "wingdings 3": _WINGDINGS_3,
    "symbol": _SYMBOL,
}
_PRIVATE = range(0xF000, 0xF100)
_UNICODE, _SURROGATES = range(1, 0x110000), range(0xD800, 0xE000)
_BYTE = range(0x100)


def symbol(code: int, font: str) -> str:
    """Return the character at a position of a font; `code` may lie in the private area U+F000 to U+F0FF.

    An unknown position of a symbol font is shown as "•": that something stands there matters more than its shape.
    """
    table = _FONTS.get(font.strip().lower())
    if table is None and code not in _PRIVATE:
        return chr(code) if code in _UNICODE and code not in _SURROGATES else ""
    position = code & 0xFF
    return (table or _WINGDINGS).get(position, "•")


def bullet(text: str, font: str) -> str:
    """Return a list bullet as a reader sees it."""
    symbol_font = font.strip().lower() in _FONTS
    return "".join(
        symbol(ord(char), font)
        if ord(char) in _PRIVATE or (symbol_font and ord(char) in _BYTE)
        else "•"
        if unicodedata.category(char) == "Co"
        else char
        for char in text
    )
