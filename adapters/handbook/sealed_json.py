"""A checksum in the last line of a JSON object: one flipped bit is damage, and not another rule or version."""

import json
import re
import zlib

_LAST_LINE = re.compile(rb',\n "crc32": ([0-9]+)\n\}\n?\Z')
_END = "\n}\n"


def sealed(text: str) -> str:
    r"""Return a JSON object, written with an indent of one, with the CRC-32 of everything before its last line.

    Example:
        >>> sealed('{\n "version": "v1"\n}\n')
        '{\n "version": "v1",\n "crc32": 3859119194\n}\n'
    """
    body = text.removesuffix(_END)
    return f'{body},\n "crc32": {zlib.crc32(body.encode())}{_END}'


def unsealed(data: bytes) -> bytes:
    """Return the object without its checksum; what has none (written by hand, or before there were any) as it is.

    A file that a person or a tool laid out anew cannot be compared any more, and is taken as it reads.

    Raises:
        ValueError: The content is not what the checksum was made of.
    """
    match = _LAST_LINE.search(data)
    if match is None:
        return _without_checksum(data)
    body = data[: match.start()]
    if zlib.crc32(body) != int(match[1]):
        raise ValueError("its content is not what was written (crc32)")
    return body + _END.encode()


def _without_checksum(data: bytes) -> bytes:
    if b'"crc32"' not in data:
        return data
    try:
        content = json.loads(data)
        del content["crc32"]
    except (ValueError, TypeError, KeyError):
        return data  # the reader says what is wrong with it
    return json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass")
