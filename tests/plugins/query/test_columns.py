"""Items made column by column."""

from __future__ import annotations

import pytest

from wikiapi_plugins.query.columns import NOWHERE, flags, hidden, items_of


def test_items_tell_the_columns_in_their_order_and_nothing_of_what_is_none() -> None:
    columns = [("b", [1, 2]), ("hidden", NOWHERE), ("a", [None, "x"]), ("c", flags([0, 3]))]
    items = items_of(2, iter(columns))
    assert [list(item.items()) for item in items] == [
        [("b", 1), ("c", False)],
        [("b", 2), ("a", "x"), ("c", True)],
    ]


def test_there_are_items_even_if_nothing_is_told() -> None:
    assert items_of(2, ()) == [{}, {}]


def test_every_column_has_a_value_for_each_item() -> None:
    with pytest.raises(ValueError, match="shorter"):
        items_of(3, [("a", [1, 2])])


def test_only_what_is_hidden_is_said_to_be() -> None:
    assert list(hidden([0, 5, 2], 1)) == [None, True, None]
    assert hidden([0, 0], 1) is NOWHERE
