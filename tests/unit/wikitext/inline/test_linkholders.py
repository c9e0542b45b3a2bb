"""The order of the links of a page, as far as it depends on when their targets were looked up."""

from __future__ import annotations

import pytest

PAGES = ("Alpha", "Beta", "Gamma", "Delta", "Template:Box", "Category:Colours")
pytestmark = pytest.mark.wiki(dict.fromkeys(PAGES, "text"))

ORDERS = {
    "looked up together": (
        "[[Gamma]] [[Absent]] [[Beta]] [[Also absent]] [[Alpha]]",
        "Alpha Beta Gamma Absent Also_absent",
    ),
    "namespaces": (
        "[[:Category:Colours]] [[Talk:Alpha]] [[Gamma]] [[Template:Box]] [[Alpha]]",
        "Alpha Gamma Template:Box Category:Colours Talk:Alpha",
    ),
    "transcluded": (
        "[[Gamma]] [[Beta]] {{:Delta}} [[Delta]] [[Alpha]]",
        "Delta Alpha Beta Gamma",
    ),
    "transcluded, in a namespace of its own": (
        "[[Beta]] [[Alpha]] [[Template:Box]] {{Box}} {{None}} [[Template:None]]",
        "Template:Box Template:None Alpha Beta",
    ),
    "only named as a template": (
        "[[Gamma]] {{#if:|{{:Gamma}}}} [[Alpha]]",
        "Alpha Gamma",
    ),
    "checked": (
        "[[Gamma]] {{#ifexist:Gamma|{{#ifexist:Absent||}}}} [[Absent]] [[Delta]] [[Beta]]",
        "Gamma Beta Delta Absent",
    ),
    "recorded outright": (
        "[[Gamma]] [[Beta]] {{REVISIONID:Gamma}} [[Alpha]]",
        "Gamma Alpha Beta",
    ),
    "in a part that is rendered first": (
        "[[Absent]] [[Gamma]] <indicator name=x>[[Beta]] [[None]]</indicator> [[Alpha]] [[Last]]",
        "Beta None Alpha Gamma Absent Last",
    ),
    "in the description of a map": (
        "[[Beta]] <imagemap>\nFile:A.png|thumb|[[Delta]]\nrect 1 1 2 2 [[Alpha]]\n</imagemap>",
        "Delta Alpha Beta",
    ),
}


@pytest.mark.parametrize("name", ORDERS)
def test_order(parse, name):
    text, order = ORDERS[name]
    links = parse(text).links.values()
    assert " ".join(link.prefixed_text.replace(" ", "_") for link in links) == order


def test_many_links_are_looked_up_in_batches(parse):
    absent = "".join(f"[[A{number}]]" for number in range(1001))
    links = [
        link.text for link in parse(f"[[Gamma]]{absent}[[Beta]][[Delta]][[Alpha]]").links.values()
    ]
    assert links[:3] == ["Gamma", "A0", "A1"]
    assert links[-4:] == ["Alpha", "Beta", "Delta", "A1000"]
