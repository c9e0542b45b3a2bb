from __future__ import annotations

import json
from typing import Any

import pytest

from tests.plugins.rendering import parsed
from wikiapi.site import Site
from wikiapi.testing import DeclaredFile

BOX = """<infobox theme-source="theme"><title source="name"><default>''None''</default></title>
<image source="image"><caption source="caption"><default>Nothing</default></caption></image>
<group><header>Facts</header>
<data source="size"><label>Size</label><format>{{{size}}} m, {{{colour|}}}</format></data>
<data source="list"/></group>
<navigation>[[Zeta]] {{{missing}}}</navigation></infobox>"""


pytestmark = pytest.mark.wiki(
    {"Template:Box": BOX, "Alpha": "", "Zeta": ""},
    files=[DeclaredFile("Photo.png", 400, 200), DeclaredFile("Tall.png", 200, 2000)],
    writable=False,
)


def box(found: dict[str, Any]) -> Any:
    return json.loads(found["properties"]["infoboxes"])[0]


def test_values_come_from_the_call(site: Site) -> None:
    found = parsed(site, "{{Box|name=N|size=3|colour=red|list=\n* a\n* [[Alpha]]}}")
    html = found["text"]
    assert '<h2 class="pi-item pi-item-spacing pi-title" data-source="name">N</h2>' in html
    assert '<div class="pi-data-value pi-font">3 m, red</div>' in html
    assert "<ul><li>a</li><li><a " in html
    assert "{{{" not in html
    kinds = [item["type"] for item in box(found)["data"]]
    assert kinds == ["title", "group", "navigation"]
    sources = box(found)["metadata"][2]["metadata"][1]["sources"]
    assert sources["colour"] == {"label": "Size (colour)"}
    assert sources["size"] == {"label": "Size (size)", "primary": True}


def test_what_has_no_value_is_left_out(site: Site) -> None:
    html = parsed(site, "{{Box|size=}}")["text"]
    assert "<i>None</i>" in html
    assert "Facts" not in html
    assert "pi-data" not in html
    assert "pi-media" not in html


def test_zero_is_a_value(site: Site) -> None:
    assert ">0 m" in parsed(site, "{{Box|size=0}}")["text"]


@pytest.mark.parametrize("value", ["Photo.png", "File:Photo.png", "[[File:Photo.png|thumb|x]]"])
def test_pictures(site: Site, value: str) -> None:
    found = parsed(site, f"{{{{Box|image={value}|caption=''C''}}}}")
    assert 'width="270" height="135"' in found["text"]
    assert '<figcaption class="pi-item-spacing pi-caption"><i>C</i></figcaption>' in found["text"]
    assert found["images"] == ["Photo.png"]


def test_galleries_and_high_pictures(site: Site) -> None:
    gallery = "<gallery>\nPhoto.png|one\nTall.png|two\n</gallery>"
    html = parsed(site, f"{{{{Box|image={gallery}}}}}")["text"]
    assert html.count("<figure") == 2
    assert 'width="50" height="500"' in html


def test_missing_pictures_are_left_out(site: Site) -> None:
    assert "pi-media" not in parsed(site, "{{Box|image=No.png|name=a}}")["text"]


def test_links_are_noted(site: Site) -> None:
    titles = [link["title"] for link in parsed(site, "{{Box|name=[[Zeta]] [[Alpha]]}}")["links"]]
    assert titles == ["Alpha", "Zeta"]


GROUPS = {
    '<group layout="horizontal"><header>H</header>{data}</group>': "<th ",
    '<group row-items="2">{data}</group>': "calc(1 / 2 * 100%)",
    '<group collapse="open"><header>H</header>{data}</group>': "pi-collapse-open",
    "<panel><section><label>One</label>{data}</section><section>{data}</section></panel>": "One",
    '<group show="incomplete"><data source="x"><label>Alone</label></data>{data}</group>': "Alone",
}


@pytest.mark.parametrize("group", GROUPS)
def test_groups(site: Site, group: str) -> None:
    data = "<data><label>L</label><default>v</default></data>" * 2
    html = parsed(site, f"<infobox>{group.format(data=data)}</infobox>")["text"]
    assert GROUPS[group] in html
    assert ">v<" in html


@pytest.mark.parametrize(
    "text",
    [
        "<infobox><data></infobox>",
        "<infobox></data></infobox>",
        "<infobox><group><data></group></data></infobox>",
        "<infobox><data><default>x</data></infobox>",
    ],
)
def test_broken_boxes_say_so(site: Site, text: str) -> None:
    found = parsed(site, text)
    assert "There is a problem" in found["text"]
    assert found["properties"] == {}


def test_nothing_of_the_box_becomes_markup(site: Site) -> None:
    html = parsed(site, '<infobox theme="&quot;&gt;&lt;script&gt;" layout="x"><data name="&quot;>">'
                  "<default><script>1</script></default></data></infobox>")["text"]  # fmt: skip
    assert "<script" not in html
    assert "pi-layout-default" in html
    assert "pi-theme--script-" in html


def test_deep_groups_end(site: Site) -> None:
    html = parsed(site, f"<infobox>{'<group>' * 500}{'</group>' * 500}</infobox>")["text"]
    assert "Unimplemented infobox tag" in html
