from __future__ import annotations

from types import SimpleNamespace

import pytest

from wikiapi.temporary import temporary_attribute


def test_the_value_is_the_blocks() -> None:
    holder = SimpleNamespace(value=1)
    with temporary_attribute(holder, "value", 2) as value:
        assert (value, holder.value) == (2, 2)
        with temporary_attribute(holder, "value", 3):
            assert holder.value == 3
        assert holder.value == 2
    assert holder.value == 1


def test_an_exception_goes_on_and_the_value_does_not() -> None:
    holder = SimpleNamespace(value=1)
    with pytest.raises(KeyError), temporary_attribute(holder, "value", 2):
        raise KeyError
    assert holder.value == 1
