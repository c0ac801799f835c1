"""What a document's name tells."""

import re

_LEADING_NUMBER = re.compile(r"^[0-9][0-9._\-]*(?=\D)")


def document_title(name: str) -> str:
    """Return what a document's name says about its content: no extension, no leading number, no underscores.

    "465-1_運用ガイド.docx" gives "運用ガイド".
    """
    stem = name.rpartition(".")[0] or name
    words = " ".join(_LEADING_NUMBER.sub("", stem).replace("_", " ").split())
    return words or stem
