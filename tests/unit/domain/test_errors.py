"""Errors: they cross process borders, and the tree in the docstring is the tree."""

import pickle
import re

import pytest
from kisoku.domain import errors
from kisoku.domain.errors import BuildError, CorruptDocumentError, DocumentError, KisokuError, TransientModelError


def tree(kind=KisokuError):
    yield kind
    for sub in kind.__subclasses__():
        if sub.__module__ == errors.__name__:
            yield from tree(sub)


KINDS = sorted(set(tree()), key=lambda k: k.__name__)


def make(kind):
    return (
        kind("a.docx", "壊れている。", hint="直す。")
        if issubclass(kind, DocumentError)
        else kind("壊れている。", hint="直す。")
    )


@pytest.mark.parametrize("kind", KINDS, ids=lambda k: k.__name__)
def test_errors_survive_pickling(kind):
    error = pickle.loads(pickle.dumps(make(kind)))  # noqa: S301  # made here
    assert type(error) is kind
    assert (error.message, error.hint, str(error)) == ("壊れている。", "直す。", "壊れている。 直す。")
    if issubclass(kind, DocumentError):
        assert error.document == "a.docx"


def test_a_build_error_keeps_its_failures():
    error = pickle.loads(pickle.dumps(BuildError("2 documents", [make(CorruptDocumentError)], hint="x")))  # noqa: S301  # made here
    assert [f.document for f in error.failures] == ["a.docx"]


def test_codes_are_unlike():
    own = [k.code for k in KINDS if not issubclass(k, DocumentError)]
    assert len(own) == len(set(own))


def test_the_tree_in_the_docstring_is_complete():
    drawn = set(re.findall(r"[├└]── (\w+)", errors.__doc__)) | {"KisokuError"}
    assert drawn == {k.__name__ for k in KINDS}


def test_the_tree_in_the_docstring_is_right():
    parents: dict[int, str] = {0: "KisokuError"}
    for line in errors.__doc__.splitlines():
        match = re.match(r"    ([│ ]*)[├└]── (\w+)", line)
        if match:
            depth = len(match[1]) // 4 + 1
            parents[depth] = match[2]
            assert getattr(errors, match[2]).__base__.__name__ == parents[depth - 1], line


def test_only_transient_errors_are_worth_a_retry():
    assert [k for k in KINDS if k.__name__.startswith("Transient")] == [TransientModelError]
