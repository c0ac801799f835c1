"""Shared by the integration tests: the command line, called in this process."""

import sys

import pytest
from kisoku.adapters.cli.main import run


@pytest.fixture
def kisoku(capfd, monkeypatch):
    """Run a command in this process, as the console script does; returns exit code, output, errors."""
    monkeypatch.setenv("KISOKU_BUILD__WORKERS", "0")
    monkeypatch.setenv("KISOKU_LANGUAGE", "en")
    monkeypatch.setenv("COLUMNS", "200")

    def call(*arguments):
        from kisoku.adapters.cli import output

        output.console.cache_clear()
        output.error_console.cache_clear()
        monkeypatch.setattr(sys, "argv", ["kisoku", *map(str, arguments)])
        capfd.readouterr()
        try:
            run()
            code = 0
        except SystemExit as ended:
            code = ended.code or 0
        out, err = capfd.readouterr()
        return code, out, err

    return call


@pytest.fixture
def counted(kisoku, monkeypatch):
    """Commands over handbooks of the shared, once loaded model."""
    monkeypatch.setenv("KISOKU_EMBEDDING__ADAPTER", "counting")
    return kisoku
