from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wikiapi.site import Site
from wikiapi.store.models import PageProps
from wikiapi.testing import DeclaredFile, Wiki, ask
from wikiapi.wikitext.options import ParserOptions
from wikiapi_plugins.extensions.pageimages import Candidate, best, score

FILES = [
    DeclaredFile("Photo.jpg", 1600, 1200, mime="image/jpeg"),
    DeclaredFile("Other.png", 800, 800),
    DeclaredFile("Icon.png", 40, 40),
    DeclaredFile("Banner.png", 2000, 200),
]
PAGES = {
    "None": "[[File:Icon.png]] [[File:Banner.png]] [[File:Missing.png]] [[:File:Photo.jpg]]",
    "Lead": "a\n== Later ==\n[[File:Photo.jpg|thumb]]",
    "One": "[[File:Icon.png|20px]] [[File:Photo.jpg|thumb]] [[File:Other.png|50px]]",
    "Two": "{{Box}}",
    "Template:Box": "{|\n| [[File:Other.png|200px]]\n|}",
    "Talk:One": "[[File:Photo.jpg|thumb]]",
}


pytestmark = pytest.mark.wiki(PAGES, files=FILES, writable=False)


def page_image(site: Site, text: str, title: str = "Page") -> str | None:
    output = site.parser.parse(text, site.titles.parse(title), ParserOptions())
    return output.properties.get("page_image_free")


def pageimages(site: Site, titles: str, **params: str) -> dict[str, Any]:
    query = {"action": "query", "prop": "pageimages", "titles": titles, **params}
    pages = ask(site, query).data["query"]["pages"]
    return {page["title"]: {k: v for k, v in page.items() if k not in BASE} for page in pages}


BASE = ("pageid", "ns", "title", "missing", "known")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("no image", None),
        ("[[File:photo.jpg|thumb]]", "Photo.jpg"),
        ("[[File:Photo.jpg|60px]]", None),
        ("[[File:Photo.jpg|x60px]]", None),
        ("[[File:Photo.jpg|x200px]]", "Photo.jpg"),
        ("[[File:Other.png]]", "Other.png"),
        ("[[File:Photo.jpg|thumb|class=notpageimage x]] [[File:Other.png|thumb]]", "Other.png"),
        ("[[File:Other.png|thumb]] [[File:Photo.jpg|thumb]]", "Other.png"),
        ("[[File:Other.png|700px]] [[File:Photo.jpg|thumb]]", "Photo.jpg"),
        ("== a ==\n[[File:Photo.jpg|thumb]]", None),
        ("[[File:Banner.png|thumb|a [[File:Other.png|200px]]]]", "Other.png"),
        ("[[File:Other.png|thumb|a [[File:Photo.jpg|thumb]]]]", "Photo.jpg"),
        ("[[File:Icon.png|a [[File:Other.png]]]]", None),
        ("<gallery>\nIcon.png|[[File:Photo.jpg|thumb]]\n</gallery>", "Photo.jpg"),
        ("<gallery>\nPhoto.jpg\n</gallery>", "Photo.jpg"),
        ("<gallery>\nIcon.png\n</gallery>", None),
        ("[[Media:Photo.jpg]]", None),
        ("<nowiki>[[File:Photo.jpg|thumb]]</nowiki>", None),
    ],
)
def test_choice(site: Site, text: str, name: str | None) -> None:
    assert page_image(site, text) == name


def test_other_namespaces_have_none_unless_configured(make_site: Callable[..., Site]) -> None:
    config = {"extensions": {"pageimages": {"namespaces": [1], "lead_only": False}}}
    site = make_site(PAGES, files=FILES, config=config)
    text = "== a ==\n[[File:Photo.jpg|thumb]]"
    assert (page_image(site, text, "Talk:X"), page_image(site, text, "X")) == ("Photo.jpg", None)


def test_denied_files_do_not_represent_pages(make_site: Callable[..., Site]) -> None:
    pages = PAGES | {"MediaWiki:Pageimages-denylist": "* [[:File:Photo.jpg]]"}
    site = make_site(pages, files=FILES)
    assert page_image(site, "[[File:Photo.jpg|thumb]] [[File:Other.png|thumb]]") == "Other.png"


def test_looking_for_images_does_not_count_as_work(site: Site) -> None:
    text = "<gallery>\nPhoto.jpg\n</gallery>"
    options = ParserOptions(limit_report=False)
    with_images = site.parser.parse(text, site.titles.parse("Page"), options).usage
    without = site.parser.parse(text, site.titles.parse("Talk:Page"), options).usage
    assert with_images
    assert without
    assert with_images.unstrip_size == without.unstrip_size


def test_images_of_pages(site: Site) -> None:
    by_title = pageimages(site, "None|Lead|One|Two|Talk:One|Nowhere")
    assert {title for title, facts in by_title.items() if facts} == {"One", "Two"}
    assert by_title["One"]["pageimage"] == "Photo.jpg"
    thumbnail = by_title["One"]["thumbnail"]
    assert (thumbnail["width"], thumbnail["height"]) == (50, 38)
    assert thumbnail["source"].startswith("http://127.0.0.1:8080/images/thumb/")


def test_a_thumbnail_is_never_larger_than_its_file(site: Site) -> None:
    thumbnail = pageimages(site, "One", pithumbsize="5000", piprop="thumbnail")["One"]["thumbnail"]
    assert (thumbnail["width"], thumbnail["height"]) == (1600, 1200)
    assert "/thumb/" not in thumbnail["source"]


@pytest.mark.parametrize("size", ["0", "-7"])
def test_no_thumbnail_of_no_size(site: Site, size: str) -> None:
    assert pageimages(site, "One", pithumbsize=size) == {"One": {"pageimage": "Photo.jpg"}}


def test_original(site: Site) -> None:
    original = pageimages(site, "One", piprop="original")["One"]["original"]
    assert (original["width"], original["height"]) == (1600, 1200)


def test_file_pages_are_represented_by_their_files(site: Site) -> None:
    by_title = pageimages(site, "File:Photo.jpg|File:Missing.png", piprop="name|thumbnail")
    assert by_title["File:Photo.jpg"].keys() == {"pageimage", "thumbnail"}
    assert by_title["File:Missing.png"] == {"pageimage": "Missing.png"}


def test_image_that_is_not_free_is_reported_only_if_requested(wiki: Wiki) -> None:
    site = wiki.site
    site.db.insert_many(PageProps, [(2, "page_image", "Other.png", None)])
    assert pageimages(site, "Lead", piprop="name") == {"Lead": {}}
    by_title = pageimages(site, "Lead|One", piprop="name", pilicense="any")
    assert by_title == {"Lead": {"pageimage": "Other.png"}, "One": {"pageimage": "Photo.jpg"}}


def test_walk(site: Site) -> None:
    query = {"action": "query", "prop": "pageimages", "titles": "None|One|Two", "pilimit": "1"}
    names, going_on = [], {}
    for _ in range(3):
        data = ask(site, query | {key: str(value) for key, value in going_on.items()}).data
        names += [page["pageimage"] for page in data["query"]["pages"] if "pageimage" in page]
        going_on = data.get("continue", {})
    assert names == ["Photo.jpg", "Other.png"]
    assert going_on == {}


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"piprop": "nonsense"}, "noprop"),
        ({"picontinue": "99"}, "badcontinue"),
        ({"picontinue": "1"}, "badcontinue"),
        ({"picontinue": "x"}, "badinteger"),
        ({"pilicense": "none"}, "badvalue"),
    ],
)
def test_refusals(site: Site, params: dict[str, str], code: str) -> None:
    query = {"action": "query", "prop": "pageimages", "titles": "None|One", **params}
    assert ask(site, query).codes == code


def test_three_queries_for_any_number_of_pages(site: Site) -> None:
    query = {"action": "query", "prop": "pageimages"}
    counts = []
    for titles in ("One", "One|Two|Lead|None"):
        with site.db.recording() as log:
            ask(site, query | {"titles": titles})
        counts.append(len(log))
    assert counts[0] == counts[1]


@pytest.mark.parametrize(
    ("candidate", "position", "points"),
    [
        (Candidate("a", 1600, 1200, 300), 0, 8 + 10 + 5),
        (Candidate("a", 1600, 1200, 500), 1, 6 + 5 + 5),
        (Candidate("a", 1600, 1200, 9000), 9, 5),
        (Candidate("a", 1600, 1200, 119), 3, 3 - 100 + 5),
        (Candidate("a", 90, 90, 0), 0, 8 - 100 + 5),
        (Candidate("a", 300, 100, 200), 0, 8 + 10),
        (Candidate("a", 320, 100, 200), 0, 8 + 10 - 100),
        (Candidate("a", 300, 0, 200), 0, 8 + 10 - 100),
        (Candidate("a", 1600, 1200, 300, True), 0, -1000),
    ],
)
def test_scores(candidate: Candidate, position: int, points: int) -> None:
    assert score(candidate, position) == points


def test_the_first_of_equals_is_best() -> None:
    a, b = Candidate("a", 800, 800, 200), Candidate("b", 800, 800, 200)
    filler = [Candidate(f"x{n}", 800, 800, 100) for n in range(5)]
    assert best([*filler, b, a]) == "b"
    assert best([]) is None
    assert best([Candidate("a", 10, 10, 10)]) is None
