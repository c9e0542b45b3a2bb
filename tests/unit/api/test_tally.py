from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiapi.api import tally
from wikiapi.api.result import Arr, Obj, container_version2
from wikiapi.api.tally import Tally, size_of

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None)),
    lambda children: st.lists(children).map(Arr) | st.dictionaries(st.text(), children).map(Obj),
)


@pytest.mark.slow
@given(st.lists(st.lists(ANYTHING).map(Arr)), st.integers(0, 200))
def test_what_fits_is_known_exactly(values: list[Any], limit: int) -> None:
    counted, size = Tally(container_version2), 0
    for value in values:
        fits = size + size_of(value) <= limit
        assert counted.add_if_fits(value, limit) == fits
        size += size_of(value) if fits else 0
        assert not counted.exceeds(size)
        assert not size or counted.exceeds(size - 1)
    assert counted.size == size


def test_what_fits_by_far_is_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Tally(container_version2)
    monkeypatch.setattr(tally, "size_of", None)
    for _ in range(10):
        assert counted.add_if_fits(Arr([Obj({"title": "x" * 50})]), 1000)
    assert not counted.exceeds(1000)
    monkeypatch.undo()
    assert counted.size == 500
