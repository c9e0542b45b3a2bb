"""Ids of elements: the serial numbers they show, and which elements get which."""

from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser

from wikiapi.wikitext.parsoid.document import ElementIds, element_id


@pytest.mark.parametrize(
    ("serial", "name"),
    [(0, "mwAA"), (1, "mwAQ"), (52, "mwNA"), (251, "mw-w"), (255, "mw_w"), (256, "mwAQA")],
)
def test_ids_are_numbers_in_base64(serial, name):
    assert element_id(serial) == name


def test_added_elements_get_the_remaining_numbers():
    body = LexborHTMLParser("<body><p></p><b></b><i></i><u id=own></u><s></s></body>").body
    p, b, i, own, s = body.iter()
    ids = ElementIds()
    ids.name(p)
    ids.skip()
    ids.name(b)
    ids.name(own)
    ids.name_added([i, s])
    named = [node.attributes["id"] for node in (p, b, i, own, s)]
    assert named == ["mwAQ", "mwAw", "mwAA", "own", "mwAg"]
