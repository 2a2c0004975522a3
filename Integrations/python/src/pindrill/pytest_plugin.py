"""The fixture ``pindrill``, for pytest."""

from __future__ import annotations

from typing import Iterator

import pytest

from . import PinDrill


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("pindrill", "PinDrill, which judges how an app pins")
    group.addoption("--pindrill-file", metavar="FILE", help="the scenario file (or pindrill_file in the ini file)")
    group.addoption("--pindrill-url", metavar="URL", help="a PinDrill that is there (or PINDRILL_URL)")
    group.addoption("--pindrill-token-file", metavar="FILE", help="where its token is (or PINDRILL_TOKEN_FILE)")
    parser.addini("pindrill_file", "the scenario file of the fixture 'pindrill'", type="paths")


@pytest.fixture(scope="session")
def pindrill(pytestconfig: pytest.Config) -> Iterator[PinDrill]:
    """PinDrill for all tests; it is ended after the last."""
    files = [pytestconfig.getoption("--pindrill-file"), *pytestconfig.getini("pindrill_file")]
    with PinDrill(
        next((file for file in files if file), None),
        url=pytestconfig.getoption("--pindrill-url"),
        token_file=pytestconfig.getoption("--pindrill-token-file"),
    ) as found:
        yield found
