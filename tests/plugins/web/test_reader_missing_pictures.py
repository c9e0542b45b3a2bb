"""Pictures that are not there, as readers see them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.plugins.web.readers import Browser
from wikiapi.http.app import make_app
from wikiapi.site import Site
from wikiapi.testing import ApiClient
from wikiapi.testing.declaration import DeclaredFile

FRAME = re.compile(r'<(a|span) class="(no-picture[^"]*)"([^>]*)>')
FILES = (DeclaredFile("Here.png", 40, 30), DeclaredFile("Lost one.png", 640, 480))


def page(make_site: Callable[..., Site], text: str, folder: str = "") -> str:
    site = make_site({"Page": text}, files=FILES, config={"files": {"folder": folder}})
    html = Browser(site).get("/wiki/Page").text
    return html[html.index("mw-parser-output") : html.rindex("</main>")]


@pytest.mark.parametrize(
    ("text", "classes", "style", "label"),
    [
        (
            "[[File:No.png|thumb|a caption]]",
            "no-picture",
            "width:180px;aspect-ratio:180/120",
            "No.png",
        ),
        (
            "[[File:No.png|thumb|90x60px|alt=x|y]]",
            "no-picture",
            "width:90px;aspect-ratio:90/60",
            "x",
        ),
        ("[[File:No.png|100px|words]]", "no-picture", "width:100px;aspect-ratio:100/66", "words"),
        (
            "[[File:No.png|20px]]",
            "no-picture no-picture-small",
            "width:20px;aspect-ratio:20/13",
            "No.png",
        ),
        ("[[File:No.png]]", "no-picture no-picture-inline", "", "No.png"),
        ("[[File:No.png|9999px]]", "no-picture", "width:2000px;aspect-ratio:2000/1333", "No.png"),
        ("<gallery>\nNo.png|y\n</gallery>", "no-picture", "width:120px;aspect-ratio:120/120", "y"),
    ],
)
def test_a_missing_picture_is_a_frame(
    make_site: Callable[..., Site], text: str, classes: str, style: str, label: str
) -> None:
    html = page(make_site, text)
    frame = FRAME.search(html)
    assert frame
    assert frame[2] == classes
    assert f'aria-label="{label}"' in frame[3]
    assert (f'style="{style}"' in frame[3]) == bool(style)
    assert "href" not in frame[3]
    assert "Special:Upload" not in html


def test_the_caption_stays(make_site: Callable[..., Site]) -> None:
    html = page(make_site, "[[File:No.png|thumb|a ''caption'']]")
    assert "<figcaption>a <i>caption</i></figcaption>" in html
    assert ">No.png</span>" in html


def test_text_is_not_taken_for_html(make_site: Callable[..., Site]) -> None:
    html = page(make_site, '[[File:No.png|100px|alt=<nowiki><b a="x">&</nowiki>]]')
    assert "&lt;b a=" in html
    assert "<b" not in html


def test_the_api_answers_as_before(make_site: Callable[..., Site]) -> None:
    site = make_site({"Page": "[[File:No.png|thumb]]"})
    Browser(site).get("/wiki/Page")
    text = ApiClient(make_app(site)).get(action="parse", page="Page")["parse"]["text"]
    assert 'class="new"' in text
    assert "no-picture" not in text


def test_files_of_the_store_that_are_not_on_disk(
    make_site: Callable[..., Site], tmp_path: Path
) -> None:
    text = "[[File:Here.png]] [[File:Lost one.png|thumb|lost]] [[File:Lost one.png|x|link=]]"
    (tmp_path / "Here.png").write_bytes(b"x")
    html = page(make_site, text, str(tmp_path))
    assert html.count("<img") == 1
    assert "/Here.png" in html
    frames = FRAME.findall(html)
    assert [name for name, _, _ in frames] == ["span", "span"]
    assert 'style="width:300px;aspect-ratio:300/225"' in frames[0][2]
    assert 'href="/wiki/File:Lost_one.png" class="mw-file-description"><span class="no-p' in html


def test_without_a_folder_files_are_served_by_others(make_site: Callable[..., Site]) -> None:
    assert "no-picture" not in page(make_site, "[[File:Here.png]]")


@pytest.mark.parametrize(
    ("text", "classes", "style", "label"),
    [
        (
            "[[File:No.png|thumb|a caption]]",
            "no-picture",
            "width:180px;aspect-ratio:180/120",
            "No.png",
        ),
        ("[[File:No.png|thumb|90px|y]]", "no-picture", "width:90px;aspect-ratio:90/60", "No.png"),
        ("[[File:No.png|100px|words]]", "no-picture no-picture-inline", "", "words"),
    ],
)
def test_frames_in_the_old_form(
    make_site: Callable[..., Site], text: str, classes: str, style: str, label: str
) -> None:
    site = make_site(
        {"Page": f"{text} [[Media:No.png]]"}, config={"wikitext": {"legacy_media": True}}
    )
    html = Browser(site).get("/wiki/Page").text
    frame = FRAME.search(html)
    assert frame
    assert frame[2] == classes
    assert f'aria-label="{label}"' in frame[3]
    assert (f'style="{style}"' in frame[3]) == bool(style)
    assert html.count("Special:Upload") == 1, "the link to the file itself stays"


def test_frames_where_nothing_can_be_uploaded(make_site: Callable[..., Site]) -> None:
    text = "[[File:No.png|100px]] [[File:Here.png|upright=-1|frameless]]"
    site = make_site({"Page": text}, files=FILES, config={"files": {"uploads": False}})
    html = Browser(site).get("/wiki/Page").text
    assert html.count('class="no-picture') == 1
    assert 'href="/wiki/File:Here.png"' in html


def test_absent_files_in_the_old_form(make_site: Callable[..., Site], tmp_path: Path) -> None:
    config = {"files": {"folder": str(tmp_path)}, "wikitext": {"legacy_media": True}}
    site = make_site({"Page": "[[File:Lost one.png|thumb|x]]"}, files=FILES, config=config)
    html = Browser(site).get("/wiki/Page").text
    assert FRAME.search(html)
    assert "<img" not in html[html.index("mw-parser-output") :]
