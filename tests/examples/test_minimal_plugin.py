from __future__ import annotations

import ast

import pytest

from tests.examples.running import EXAMPLES, run_tests

pytestmark = pytest.mark.slow

PLUGIN = EXAMPLES / "minimal_plugin" / "headings.py"
LONGEST = 40


def test_plugin_has_few_lines() -> None:
    lines = PLUGIN.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= LONGEST
    # Not by writing several statements on a line, or by lines that nobody can read.
    assert max(map(len, lines)) <= 100
    statements = [
        n.lineno for n in ast.walk(ast.parse("\n".join(lines))) if isinstance(n, ast.stmt)
    ]
    assert len(statements) == len(set(statements))


def test_plugin_passes_its_tests() -> None:
    assert "4 passed" in run_tests("minimal_plugin", "-c", "pyproject.toml")
