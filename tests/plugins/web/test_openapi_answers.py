"""Each operation of the description is asked a little, and answers as it is described."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from schemathesis.generation import GenerationMode

from tests.plugins.web.openapi_session import described, operations, try_operation, wiki

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schemathesis import BaseSchema

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture(scope="module")
def schema() -> Iterator[BaseSchema]:
    site = wiki()
    yield described(site)
    site.db.close()


@pytest.mark.parametrize("part", range(8))
@pytest.mark.parametrize(
    ("mode", "count"), [(GenerationMode.POSITIVE, 2), (GenerationMode.NEGATIVE, 1)]
)
def test_answers_are_as_described(
    schema: BaseSchema, part: int, mode: GenerationMode, count: int
) -> None:
    chosen = list(operations(schema))[part::8]
    assert len(chosen) >= 20
    for operation in chosen:
        try_operation(operation, mode, count, number=1)
