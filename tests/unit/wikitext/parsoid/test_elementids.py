"""Ids of elements: the serial numbers they show, and which elements get which."""

from __future__ import annotations

import pytest

from wikiapi.budget import Allowance, Budget
from wikiapi.wikitext.parsoid.document import ElementIds, element_id
from wikiapi.wikitext.parsoid.outline import Outline

UNLIMITED = Budget(Allowance())


@pytest.mark.parametrize(
    ("serial", "name"),
    [(0, "mwAA"), (1, "mwAQ"), (52, "mwNA"), (251, "mw-w"), (255, "mw_w"), (256, "mwAQA")],
)
def test_ids_are_numbers_in_base64(serial, name):
    assert element_id(serial) == name


def test_added_elements_get_the_remaining_numbers():
    outline = Outline('<p></p><b></b><i></i><u id="own"></u><s></s>', UNLIMITED)
    p, b, i, own, s = outline.blocks()
    ids = ElementIds()
    outline.identify([p], iter(ids))
    ids.skip()
    outline.identify([b, own], iter(ids))
    outline.identify([i, s], ids.remaining())
    named = [outline.attribute(place, "id") for place in (p, b, i, own, s)]
    assert named == ["mwAQ", "mwAw", "mwAA", "own", "mwAg"]
