"""No regular expression of the project takes longer than the text is long that it is put to."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.meta.test_packaging import ROOT
from tests.processes import environment
from tests.security.growth import Stopwatch
from tests.security.patterncollector import Pattern
from tests.security.patterntiming import PATIENCE, measure

LONGEST = 3600
"""Seconds; it takes half a minute of an idle machine."""
LUA = "plugins/wikiapi_plugins/extensions/scribunto/worker/"
MADE_LATE: Mapping[str, str] = {
    "plugins/wikiapi_plugins/extensions/imagemap/areas.py:_address": "the wiki's protocols, and "
    "what ends at the next bracket",
    f"{LUA}luapattern.py:frontier": "a part of a module's pattern, whose worker is killed in time",
    f"{LUA}luapattern.py:regex": "as above",
    f"{LUA}matching.py:match": "as above",
    f"{LUA}matching.py:member": "as above",
    "wikiapi/search/results.py:_pattern": "escaped words of a search, each followed by what is "
    "taken without going back",
    "wikiapi/title/codec.py:_repeated": "escaped prefixes, without going back",
    "wikiapi/wikitext/parsoid/clearing.py:_address": "the wiki's protocols, and what is taken "
    "without going back",
    "wikiapi/wikitext/parsoid/extents.py:pattern": "the name of an element of the page's HTML",
    "wikiapi/languages/grammar.py:_rules": "ends of words in the package's data, on short words",
    "wikiapi/languages/linktrails.py:leading_letters": "letters at the end, each tried once",
    "wikiapi/languages/linktrails.py:trailing_letters": "letters and short words, each tried once",
}
"""Patterns that are made in other ways than a small wiki makes them, with why that is no danger."""


@dataclass
class Report:
    """What the process told that measured all patterns."""

    count: int = 0
    unknown: list[str] = field(default_factory=list)
    slow: list[dict[str, Any]] = field(default_factory=list)
    last: str = ""
    is_finished: bool = False

    def read(self, facts: dict[str, Any]) -> None:
        if "patterns" in facts:
            self.count, self.unknown = facts["patterns"], facts["unknown"]
        elif "begun" in facts:
            self.last = facts["begun"]
        elif "slow" in facts:
            self.slow.append(facts)
        else:
            self.is_finished = facts["finished"]


@pytest.fixture(scope="module")
def report() -> Report:
    command = [sys.executable, "-m", "tests.security.patterntiming"]
    try:
        output = subprocess.run(
            command, cwd=ROOT, env=environment(), capture_output=True, timeout=LONGEST, check=True
        ).stdout
    except subprocess.TimeoutExpired as error:
        output = error.stdout or b""
    report = Report()
    for line in output.splitlines():
        report.read(json.loads(line))
    return report


def test_no_pattern_grows_faster_than_its_text(report: Report) -> None:
    assert report.slow == []
    assert report.is_finished, report.last


def test_every_pattern_is_known(report: Report) -> None:
    assert report.unknown == sorted(MADE_LATE)
    assert report.count > 350


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        (r"(?:a+)+b", "match"),
        (r"(?:a|aa)*b", "match"),
        (r"<[^>]*>", "finditer"),
        (r"\s+$", "search"),
        (r"\s*(?:px)?\s*\Z", "match"),
        (r"<!--.*?-->", "finditer"),
        (r"(.+?)_*:", "fullmatch"),
        (r"(?:.*@)?[^:]*(?::[0-9]*)?", "fullmatch"),
        (r"<(/?)([A-Za-z][^\t\n\v />\0<]*)([^<>]*?)(/?)>", "finditer"),
        (r"<style\b[^>]*>[^<]*</style>", "finditer"),
        (rb"^\s*`", "finditer"),
    ],
)
def test_slow_patterns_are_found(text: str | bytes, mode: str) -> None:
    flags = re.MULTILINE if isinstance(text, bytes) else 0
    with Stopwatch(PATIENCE) as watch:
        assert measure(Pattern("", text, flags, mode), watch)


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        (r"<[^<>]*+>", "finditer"),
        (r"(?<!\s)\s++$", "search"),
        (r"\s*+(?:px\s*+)?\Z", "match"),
        (r"<!--.*?-->|(<!--.*+)", "finditer"),
        (r"\s*:", "match"),
    ],
)
def test_others_are_not(text: str, mode: str) -> None:
    with Stopwatch(PATIENCE) as watch:
        assert measure(Pattern("", text, 0, mode), watch) is None
