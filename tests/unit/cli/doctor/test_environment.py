from __future__ import annotations

import sys
from importlib import metadata

import apsw
import pytest

from wikiapi.cli.doctor.environment import (
    check_dependencies,
    check_python,
    check_sqlite,
    required,
)
from wikiapi.cli.doctor.installation import Installation


def test_where_the_tests_run_is_well() -> None:
    installation = Installation()
    assert [
        *check_python(installation),
        *check_dependencies(installation),
        *check_sqlite(installation),
    ] == []


def test_an_old_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 2))
    (finding,) = check_python(Installation())
    assert finding.problem == "Python 3.10.2 is too old"


def test_libraries_that_are_required_but_not_the_optional_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = [
        "click>=8.1",
        "Brotli",
        'lupa>=2.2; extra == "lua"',
        "peewee >=4.0 ; python_version>'3'",
    ]
    monkeypatch.setattr(metadata, "requires", lambda _: lines)
    assert list(required()) == [("click", "8.1"), ("Brotli", "0"), ("peewee", "4.0")]


def test_old_and_missing_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, "requires", lambda _: ["click>=8.1", "nothing-there>=2"])
    monkeypatch.setattr(metadata, "version", _version)
    old, missing = check_dependencies(Installation())
    assert (old.problem, old.advice) == (
        "click 8.0.9 is older than 8.1",
        "`pip install --upgrade 'click>=8.1'`",
    )
    assert missing.problem == "nothing-there is not installed"


def _version(name: str) -> str:
    if name == "click":
        return "8.0.9"
    raise metadata.PackageNotFoundError(name)


def test_an_old_sqlite(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apsw, "sqlite_lib_version", lambda: "3.30.0")
    (finding,) = check_sqlite(Installation())
    assert finding.problem.endswith(" is older than 3.37")
    assert list(check_sqlite(Installation(database_url="mysql://h/d"))) == []
