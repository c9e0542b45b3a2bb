"""The tests of bots in examples/clients pass, with the clients that are installed."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.examples.running import NO_TESTS, run_tests

pytestmark = pytest.mark.slow

CLIENTS = ("mwclient", "pywikibot")


@pytest.mark.parametrize("client", CLIENTS)
def test_tests_of_a_client_pass(client: str) -> None:
    if find_spec(client) is None:
        pytest.skip(f"{client} is not installed; it is in the extra 'test'")
    output = run_tests("clients", f"test_{client}.py")
    assert " passed" in output
    assert "skipped" not in output


def test_tests_of_clients_that_are_not_there_are_skipped(tmp_path: Path) -> None:
    # A module that is None in sys.modules cannot be imported.
    code = f"import sys\nsys.modules.update(dict.fromkeys({CLIENTS}))\n"
    (tmp_path / "absence.py").write_text(code, encoding="utf-8")
    output = run_tests("clients", "-rs", "-p", "absence", path=str(tmp_path), code=NO_TESTS)
    for client in CLIENTS:
        assert f"could not import {client!r}" in output
