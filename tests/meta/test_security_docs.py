"""The page about attacks names tests that exist, and every file of tests/security."""

from __future__ import annotations

import re

from tests.meta.test_packaging import ROOT

PAGE = (ROOT / "docs/security.md").read_text(encoding="utf-8")
NAMED = frozenset(re.findall(r"`(test_\w+)`", PAGE))
FILES = sorted((ROOT / "tests").rglob("test_*.py"))


def test_the_tests_of_every_attack_exist() -> None:
    functions = {
        name
        for path in FILES
        for name in re.findall(r"^def (test_\w+)\(", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert sorted(NAMED - functions - {path.stem for path in FILES}) == []


def test_every_attack_has_tests() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ")]
    assert [row for row in rows if not row.startswith("| attack |") and "`test_" not in row] == []


def test_every_file_about_security_is_named() -> None:
    files = {path.stem for path in (ROOT / "tests/security").glob("test_*.py")}
    assert sorted(files - NAMED) == []
