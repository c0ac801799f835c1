"""A checksum in a readable file: every flipped bit is found, what people write is read."""

import json
import zlib

import pytest
from kisoku.adapters.handbook.sealed_json import sealed, unsealed

TEXT = json.dumps({"version": "v12", "規則": ["太字", {"a": 1}]}, ensure_ascii=False, indent=1) + "\n"


def test_the_checksum_is_that_of_the_lines_before():
    lines = sealed(TEXT).splitlines(keepends=True)
    assert lines[-1] == "}\n"
    before = "".join(lines[:-2]).removesuffix(",\n")
    assert json.loads(sealed(TEXT))["crc32"] == zlib.crc32(before.encode())
    assert unsealed(sealed(TEXT).encode()) == TEXT.encode()


def test_every_flipped_bit_is_found():
    whole = sealed(TEXT).encode()
    accepted = []
    for place in range(len(whole)):
        for bit in range(8):
            data = bytearray(whole)
            data[place] ^= 1 << bit
            try:
                found = json.loads(unsealed(bytes(data)))
            except ValueError:
                continue
            if found != json.loads(TEXT):
                accepted.append((place, bit, found))
    # What is left either lies behind the object, or puts a wrong name on the checksum, which no model accepts.
    assert [a for a in accepted if set(a[2]) == {"version", "規則"}] == []


@pytest.mark.parametrize("length", range(1, len(sealed(TEXT).encode()) - 1, 7))
def test_a_file_cut_short_is_never_taken_for_whole(length):
    with pytest.raises(ValueError):
        json.loads(unsealed(sealed(TEXT).encode()[:length]))


@pytest.mark.parametrize("indent", [None, 0, 2])
def test_what_a_person_or_tool_laid_out_anew_is_read(indent):
    assert json.loads(unsealed(json.dumps(json.loads(sealed(TEXT)), indent=indent).encode())) == json.loads(TEXT)


@pytest.mark.parametrize("data", [b"", b"[]", b'{"version": "v1"}', b"\xff\xfe"])
def test_what_has_no_checksum_is_left_to_the_reader(data):
    assert unsealed(data) == data
