"""Python, the libraries and what SQLite was built with."""

from __future__ import annotations

import re
import sys
from importlib import metadata
from typing import TYPE_CHECKING

import apsw

from wikiapi.cli.doctor.declaration import problem, warning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikiapi.cli.doctor.patient import Patient
    from wikiapi.store.check.finding import Finding

_NAME = "environment"
OLDEST_PYTHON = (3, 11)
OLDEST_SQLITE = (3, 37)
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)\s*(?:>=\s*([0-9][0-9.]*))?", re.ASCII)
_REINSTALL = "`pip install --force-reinstall --only-binary apsw apsw` brings one that will do."
_NUMBER = re.compile(r"\d+", re.ASCII)


def check_python(_: Patient) -> Iterator[Finding]:
    """The version of Python."""
    if sys.version_info < OLDEST_PYTHON:
        shown = ".".join(map(str, sys.version_info[:3]))
        text = f"Python {shown} is too old"
        yield problem(_NAME, text, "Make a new environment with Python 3.11 or newer.")


def check_dependencies(_: Patient) -> Iterator[Finding]:
    """The libraries that wikiapi cannot do without."""
    for name, wanted in required():
        try:
            found = metadata.version(name)
        except metadata.PackageNotFoundError:
            yield problem(_NAME, f"{name} is not installed", f"`pip install '{name}>={wanted}'`")
            continue
        if _numbers(found) < _numbers(wanted):
            text = f"{name} {found} is older than {wanted}"
            yield problem(_NAME, text, f"`pip install --upgrade '{name}>={wanted}'`")


def check_sqlite(patient: Patient) -> Iterator[Finding]:
    """The SQLite that its driver was built with, where the store is one of SQLite's."""
    if patient.config and not patient.config.database.url.startswith("sqlite"):
        return
    version = apsw.sqlite_lib_version()
    if _numbers(version) < OLDEST_SQLITE:
        text = f"SQLite {version} is older than 3.37"
        yield warning(_NAME, text, _REINSTALL)
    if "ENABLE_FTS5" not in apsw.compile_options:
        text = "this SQLite has no FTS5, which the search needs"
        yield problem(_NAME, text, _REINSTALL)


def required(distribution: str = "wikiapi") -> Iterator[tuple[str, str]]:
    """The name and lowest version of each library that is not optional."""
    try:
        requirements = metadata.requires(distribution) or []
    except metadata.PackageNotFoundError:
        return
    for requirement in requirements:
        match = _REQUIREMENT.match(requirement)
        if match and "extra ==" not in requirement:
            yield match[1], match[2] or "0"


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, _NUMBER.findall(version)[:3]))
