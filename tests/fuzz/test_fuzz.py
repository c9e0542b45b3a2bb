"""Each target with a few inputs, the same each time, and with all that fuzzing has ever found.

For longer runs see ``python -m tests.fuzz --help``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from tests.fuzz import corpus
from tests.fuzz.findings import FOLDER, findings_of
from tests.fuzz.target import Opened, Target
from tests.fuzz.targets import TARGETS


@pytest.fixture(scope="module", params=list(TARGETS.values()), ids=list(TARGETS))
def target(request: pytest.FixtureRequest) -> Target:
    return request.param


@pytest.fixture(scope="module")
def opened(target: Target) -> Iterator[Opened]:
    with target.open() as ready:
        yield ready


def test_nothing_breaks(target: Target, opened: Opened) -> None:
    @given(opened.inputs)
    @settings(max_examples=target.examples, suppress_health_check=list(HealthCheck))
    def run(value: Any) -> None:
        opened.check(value)

    run()


def test_findings_stay_fixed(target: Target, opened: Opened) -> None:
    for name, value in findings_of(target.name).items():
        try:
            opened.check(value)
        except Exception as error:
            raise AssertionError(f"{target.name}: {name}") from error


def test_what_reaches_most_is_handled_well(target: Target, opened: Opened) -> None:
    for name, data in corpus.inputs_of(target.name):
        assert opened.read, f"{target.name} has no use for a corpus"
        value = opened.read(data)
        try:
            opened.check(value)
        except Exception as error:
            raise AssertionError(f"{target.name}/{name}: {value!r}") from error


def test_findings_and_inputs_belong_to_targets() -> None:
    assert {file.stem for file in FOLDER.glob("*.json")} <= set(TARGETS)
    assert {folder.name for folder in corpus.FOLDER.iterdir()} <= set(TARGETS)
