"""The plan is that of the statement as it is run, whose limit is a parameter."""

from __future__ import annotations

import pytest

from wikiapi.store.models import Page
from wikiapi.testing.conformance.queries import steps_of
from wikiapi.testing.snapshots import new_store


@pytest.mark.parametrize("limit", [1, 500])
def test_steps_of_a_statement_with_a_limit(limit: int) -> None:
    db = new_store(None)
    with db.recording() as log:
        db.execute(Page.select(Page.page_id).order_by(Page.page_id).limit(limit))
    (record,) = log
    assert record.sql.endswith(f"LIMIT {limit}")
    assert steps_of(db, record) == ["SCAN t1"]
    db.close()
