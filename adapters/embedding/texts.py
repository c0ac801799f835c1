"""What every embedder does to a text before a model sees it."""


def readable(text: str) -> str:
    """Return the text as tokenizers can take it.

    Lone surrogates (from damaged Office files) cannot be encoded as UTF-8, and a NUL ends a C string early.
    """
    if "\x00" in text:
        text = text.replace("\x00", " ")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
    return text
