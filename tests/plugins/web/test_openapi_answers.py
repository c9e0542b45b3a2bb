"""Each operation of the description is asked a little, and answers as it is described."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from schemathesis.core.failures import FailureGroup
from schemathesis.generation import GenerationMode

from tests.plugins.web.openapi_session import open_wiki, operations, schema_of, try_operation, wiki

if TYPE_CHECKING:
    from schemathesis import APIOperation, BaseSchema

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::DeprecationWarning")]


@pytest.fixture(scope="module")
def asked_as_described() -> Iterator[BaseSchema]:
    site = wiki()
    yield schema_of(site)
    site.db.close()


@pytest.fixture(scope="module")
def asked_anything() -> Iterator[BaseSchema]:
    site = open_wiki()
    yield schema_of(site)
    site.db.close()


PARTS = 8


def part_of(schema: BaseSchema, part: int) -> list[APIOperation]:
    chosen = list(operations(schema))[part::PARTS]
    assert len(chosen) >= 20
    return chosen


@pytest.mark.parametrize("part", range(PARTS))
def test_answers_are_as_described(asked_as_described: BaseSchema, part: int) -> None:
    for operation in part_of(asked_as_described, part):
        try_operation(operation, GenerationMode.POSITIVE, count=2, number=1)


@pytest.mark.parametrize("part", range(PARTS))
def test_no_request_breaks_the_server(asked_anything: BaseSchema, part: int) -> None:
    for operation in part_of(asked_anything, part):
        try_operation(operation, GenerationMode.NEGATIVE, count=1, number=1)


def test_rest_answers_as_described() -> None:
    site = wiki()
    with closing(site.db):
        for operation in operations(schema_of(site, rest=True)):
            # The wiki is read-only: it answers with the status 503 to those who write.
            if operation.method == "get":
                try_operation(operation, GenerationMode.POSITIVE, count=10, number=1)


def test_a_failure_is_noticed() -> None:
    """What is tested here would be worth nothing if this passed."""
    site = wiki()
    schema = schema_of(site)
    site.db.close()
    operation = next(o for o in operations(schema) if "list=allpages" in o.path)
    with pytest.raises((AssertionError, FailureGroup)):
        try_operation(operation, GenerationMode.POSITIVE, count=1, number=1)
