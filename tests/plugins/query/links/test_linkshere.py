"""Items of which a request may want less than all."""

from __future__ import annotations

from typing import Any

import pytest

from wikiapi_plugins.query.links.linkshere import picked

KEYS = {"ids": ("pageid",), "title": ("ns", "title"), "fragment": ("fragment",)}


def items() -> list[dict[str, Any]]:
    return [
        {"pageid": 1, "ns": 0, "title": "A"},
        {"pageid": 2, "ns": 0, "title": "B", "fragment": "C"},
    ]


@pytest.mark.parametrize(
    ("props", "left"),
    [
        (("fragment", "title", "ids"), [["pageid", "ns", "title"], [*items()[1]]]),
        (("title", "ids"), [["pageid", "ns", "title"]] * 2),
        (("fragment", "ids"), [["pageid"], ["pageid", "fragment"]]),
        (("fragment",), [[], ["fragment"]]),
        ((), [[], []]),
    ],
)
def test_keys_that_are_requested_stay_in_the_order_of_the_items(
    props: tuple[str, ...], left: list[list[str]]
) -> None:
    chosen = picked(items(), KEYS, props)
    assert [list(item) for item in chosen] == left
    assert all(item.items() <= whole.items() for item, whole in zip(chosen, items(), strict=True))
