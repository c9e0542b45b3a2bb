from __future__ import annotations

import json
import re
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


def box(answer: dict[str, Any]) -> Any:
    return json.loads(answer["properties"]["infoboxes"])[0]


def test_values_come_from_the_call(site: Site) -> None:
    answer = parsed(site, "{{Box|name=N|size=3|colour=red|list=\n* a\n* [[Alpha]]}}")
    html = answer["text"]
    assert '<h2 class="pi-item pi-item-spacing pi-title" data-source="name">N</h2>' in html
    assert '<div class="pi-data-value pi-font">3 m, red</div>' in html
    assert "<ul><li>a</li><li><a " in html
    assert "{{{" not in html
    kinds = [item["type"] for item in box(answer)["data"]]
    assert kinds == ["title", "group", "navigation"]
    sources = box(answer)["metadata"][2]["metadata"][1]["sources"]
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
    answer = parsed(site, f"{{{{Box|image={value}|caption=''C''}}}}")
    assert 'width="270" height="135"' in answer["text"]
    assert '<figcaption class="pi-item-spacing pi-caption"><i>C</i></figcaption>' in answer["text"]
    assert answer["images"] == ["Photo.png"]


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
    '<group row-items="2">{data}</group>': 'style="width: 50%"',
    '<group collapse="open"><header>H</header>{data}</group>': "pi-collapse-open",
    '<group row-items="3">{data}</group>': 'style="width: 50%"',
    '<group row-items="1">{data}</group>': 'style="width: 100%"',
    "<panel><section><label>One</label>{data}</section><section>{data}</section></panel>": (
        '<li class="pi-section-tab pi-item-spacing" data-ref="1">'
    ),
    "<panel><section>{data}</section></panel>": "pi-section-active",
    '<group show="incomplete"><data source="x"><label>Alone</label></data>{data}</group>': "Alone",
}


@pytest.mark.parametrize("group", GROUPS)
def test_groups(site: Site, group: str) -> None:
    data = "<data><label>L</label><default>v</default></data>" * 2
    html = parsed(site, f"<infobox>{group.format(data=data)}</infobox>")["text"]
    assert GROUPS[group] in html
    assert ">v<" in html


def test_columns_are_spanned(site: Site) -> None:
    data = "".join(
        f"<data {attributes}><default>v</default></data>"
        for attributes in ("", 'span="2"', 'layout="default"', "")
    )
    html = parsed(site, f'<infobox><group row-items="3">{data}</group></infobox>')["text"]
    assert re.findall('width: ([^"]*)%', html) == ["33.333333333333", "66.666666666667", "100"]
    assert html.count('<section class="pi-smart-group-body">') == 2


def test_panels_without_labels_show_all_sections(site: Site) -> None:
    data = "<data><default>v</default></data>"
    panel = f"<panel><header>H</header><section>{data}</section><section>{data}</section></panel>"
    html = parsed(site, f"<infobox>{panel}</infobox>")["text"]
    assert html.count("pi-section-active") == 2
    assert "pi-section-tab" not in html
    assert html.index(">H<") < html.index("pi-section-contents")


def test_data_of_groups_and_panels(site: Site) -> None:
    data = '<data source="x"><label>L</label></data><data><default>v</default></data>'
    group = f'<group show="incomplete" row-items="2">{data}</group>'
    panel = f"<panel><section>{data}</section></panel>"
    described = box(parsed(site, f"<infobox>{group}{panel}<group/></infobox>"))
    grouped, switched = described["data"]
    assert [one["data"]["value"] for one in grouped["data"]["value"]] == ["", "v"]
    assert grouped["data"]["row-items"] == 2
    assert [one["data"]["label"] for one in switched["data"]["value"]] == [""]
    assert switched["data"]["collapse"] is None
    assert described["metadata"][1] == {"type": "panel", "sources": []}


def test_captions_come_from_parameters_and_defaults(site: Site) -> None:
    captions = ("own", "<default>given</default>", "<default>given</default>own")
    for caption, expected in zip(captions, (None, "given", "given"), strict=True):
        image = f"<image><default>Photo.png</default><caption>{caption}</caption></image>"
        picture = box(parsed(site, f"<infobox>{image}</infobox>"))["data"][0]["data"][0]
        assert picture["caption"] == expected


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
    answer = parsed(site, text)
    assert "There is a problem" in answer["text"]
    assert answer["properties"] == {}


def test_nothing_of_the_box_becomes_markup(site: Site) -> None:
    html = parsed(site, '<infobox theme="&quot;&gt;&lt;script&gt;" layout="x"><data name="&quot;>">'
                  "<default><script>1</script></default></data></infobox>")["text"]  # fmt: skip
    assert "<script" not in html
    assert "pi-layout-default" in html
    assert "pi-theme--script-" in html


def test_deep_groups_end(site: Site) -> None:
    html = parsed(site, f"<infobox>{'<group>' * 500}{'</group>' * 500}</infobox>")["text"]
    assert "Unimplemented infobox tag" in html
