"""Decode text files of unknown encoding: UTF-8, UTF-16 and the older encodings of Japan and China."""

import codecs
import re
from operator import itemgetter

from ....domain.errors import CorruptDocumentError
from ....ports.chunker import SourceDocument

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_KANA = "ぁ-んァ-ヶー「」"
# The encodings of one country read those of the other as rare letters. Kana have the same codes in EUC-JP and
# GB 18030, so they tell against Chinese.
_OLDER = (
    ("cp932", re.compile(f"[{_KANA}、。（）]"), re.compile("[｡-ﾟ]")),
    ("euc_jp", re.compile(f"[{_KANA}、。（）]"), re.compile("[\ue000-\uf8ff]")),
    ("gb18030", re.compile("[的是不了在有和为这中，。（）]"), re.compile(f"[{_KANA}\ue000-\uf8ff]")),
    ("big5", re.compile("[的是不了在有和為這中，。（）]"), re.compile(f"[{_KANA}\ue000-\uf8ff]")),
)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_SAMPLE = 20_000
_MOST_CONTROLS = 0.01


def decode(document: SourceDocument) -> str:
    """Return the document's text, every kind of line break made a line feed.

    An older encoding is chosen by how much of the text looks like everyday Japanese or Chinese in it.

    Raises:
        CorruptDocumentError: The bytes are no text in any known encoding.
    """
    text = _decoded(document.data)
    if text is None or len(_CONTROL.findall(text[:_SAMPLE])) > _MOST_CONTROLS * len(text[:_SAMPLE]):
        raise CorruptDocumentError(
            document.name,
            f"{document.name} is no text in UTF-8, UTF-16, Shift_JIS, EUC-JP, GB 18030 or Big5.",
            hint="Save it as UTF-8.",
        )
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")


def _decoded(data: bytes) -> str | None:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _tried(data, encoding)
    text = _tried(data, "utf-8")
    if text is not None and "\0" not in text:
        return text
    head = data[:_SAMPLE]
    if len(data) % 2 == 0 and b"\0" in head:
        # Without a byte order mark: the zeros of ASCII signs are on the high bytes' side.
        little = head[1::2].count(0) >= head[0::2].count(0)
        return _tried(data, "utf-16-le" if little else "utf-16-be")
    candidates = [
        (_plausibility(text[:_SAMPLE], usual, odd), text)
        for encoding, usual, odd in _OLDER
        if (text := _tried(data, encoding)) is not None
    ]
    return max(candidates, key=itemgetter(0))[1] if candidates else None


def _tried(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None


def _plausibility(sample: str, usual: re.Pattern[str], odd: re.Pattern[str]) -> float:
    """Return how much of a text is everyday writing, from -2 to 1."""
    foreign = sum(1 for sign in sample if sign > "\x7f")
    return (len(usual.findall(sample)) - 2 * len(odd.findall(sample))) / max(foreign, 1)
