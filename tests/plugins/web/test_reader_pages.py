"""Pages as the reader shows them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from tests.icu import needs_icu
from tests.plugins.web.readers import Browser, attribute, links, parsed, texts
from tests.plugins.web.readerwiki import PAGES, reader_wiki
from wikiapi.site import Site
from wikiapi.title import CATEGORY
from wikiapi_plugins.extensions.embedvideo.services import PLAYER_SITES


def test_the_front_door_leads_to_the_main_page(wiki: Browser) -> None:
    for path in ("/", "/wiki", "/wiki/"):
        reply = wiki.get(path)
        assert (reply.status, reply.headers["location"]) == (302, "/wiki/Main_Page")


def test_without_the_reader_the_front_door_leads_to_the_api(
    make_site: Callable[..., Site],
) -> None:
    site = reader_wiki(make_site, plugins={"disabled": ["reader"]})
    assert Browser(site).get("/").headers["location"] == "/w/api.php"
    assert Browser(site).get("/wiki/Tea").status == 404


def test_without_videos_no_site_may_be_framed(make_site: Callable[..., Site]) -> None:
    wiki = Browser(reader_wiki(make_site, plugins={"disabled": ["embedvideo"]}))
    assert "frame-src" not in wiki.get("/wiki/Tea").headers["content-security-policy"]


def test_scripts_of_plugins_are_part_of_the_readers(wiki: Browser) -> None:
    address = attribute(wiki.page("/wiki/Tea"), "script[defer]", "src")
    assert address
    assert b"figure.embedvideo" in wiki.get(address).body


def test_a_page_is_shown_with_what_belongs_to_it(wiki: Browser) -> None:
    tree = wiki.page("/wiki/Tea")
    assert texts(tree, "h1") == ["Tea"]
    assert attribute(tree, "html", "lang") == "en"
    assert "Tea is a drink." in tree.css_first(".mw-parser-output").text()
    assert links(tree, ".toc > details > ol > li > a") == ["#Green", "#Black", "#Sources"]
    assert links(tree, ".toc ol ol a") == ["#Sencha"]
    assert links(tree, "nav.tabs a") == [
        "/wiki/Tea",
        "/wiki/Talk:Tea",
        "/wiki/Tea",
        "/w/index.php?title=Tea&action=edit",
        "/w/index.php?title=Tea&action=history",
    ]
    categories = texts(tree, "nav.cats > ul a")
    assert categories == ["Drinks", "Unwritten", "Deutsch"]
    assert texts(tree, "nav.cats a.new") == ["Unwritten"]
    assert texts(tree, "nav.cats details a") == ["Hidden things"]
    assert links(tree, 'nav.cats a[hreflang="de"]') == ["https://de.example/wiki/Tee"]
    assert texts(tree, "footer time") == ["00:03, 1 January 2025"]


def test_a_page_has_landmarks_and_a_way_past_them(wiki: Browser) -> None:
    tree = wiki.page("/wiki/Tea")
    for selector in ("header", "main#content", "footer", "nav[aria-label]", '[role="search"]'):
        assert tree.css_first(selector), selector
    assert links(tree, "body > a:first-child") == ["#content"]
    assert len(tree.css("h1")) == 1
    labels = {node.attributes["for"] for node in tree.css("label[for]")}
    named = tree.css("input:not([type=hidden]):not([aria-label])")
    assert {node.attributes["id"] for node in named} <= labels


def test_the_policy_lets_nothing_in_from_elsewhere(wiki: Browser) -> None:
    reply = wiki.get("/wiki/Tea")
    policy = dict(
        part.strip().partition(" ")[::2]
        for part in reply.headers["content-security-policy"].split(";")
    )
    assert policy.pop("frame-src").split() == list(PLAYER_SITES)
    assert policy == {
        "default-src": "'none'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
        "script-src": "'self'",
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data:",
        "media-src": "'self'",
        "connect-src": "'self'",
        "form-action": "'self'",
    }
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert reply.headers["referrer-policy"] == "no-referrer"
    tree = parsed(reply)
    fetched = [*links(tree, 'link[rel="stylesheet"]'), attribute(tree, "script", "src")]
    assert all(str(url).startswith("/w/reader/") for url in fetched)
    for url in fetched:
        static = wiki.get(str(url))
        assert static.status == 200
        assert "immutable" in static.headers["cache-control"]
    assert not re.search(r"<script(?![^>]* src=)|\son[a-z]+=", reply.text)


def test_pages_are_cached_until_they_change(wiki: Browser) -> None:
    first = wiki.get("/wiki/Tea")
    assert first.headers["cache-control"] == "public, max-age=0, must-revalidate"
    again = wiki.get("/wiki/Tea", If_None_Match=first.headers["etag"])
    assert (again.status, again.body) == (304, b"")
    other = wiki.get("/wiki/Coffee", If_None_Match=first.headers["etag"])
    assert other.status == 200


def test_a_page_is_rendered_once(make_site: Callable[..., Site]) -> None:
    site = reader_wiki(make_site)
    wiki = Browser(site)
    wiki.page("/wiki/Tea")
    asked: list[str] = []
    parse = site.parser.parse
    site.parser.parse = lambda text, *rest: asked.append(text) or parse(text, *rest)  # type: ignore[method-assign,assignment,func-returns-value]
    wiki.page("/wiki/Tea")
    assert asked == []
    wiki.page("/wiki/Coffee")
    assert len(asked) == 1


def test_head_has_no_body(wiki: Browser) -> None:
    reply = wiki.get("/wiki/Tea", method="HEAD")
    assert (reply.status, reply.body) == (200, b"")


def test_post_is_answered_as_get_is(wiki: Browser) -> None:
    page = wiki.get("/wiki/Tea", method="POST")
    assert (page.status, page.text) == (200, wiki.get("/wiki/Tea").text)
    raw = wiki.get("/w/index.php", "title=Tea&action=raw", method="POST")
    assert raw.text == wiki.index("title=Tea&action=raw").text
    assert wiki.get("/wiki/Tea", method="PUT").headers["allow"] == "GET, HEAD, POST"


def test_a_form_may_be_posted_to_index_php(wiki: Browser) -> None:
    for kind in ("application/x-www-form-urlencoded", "multipart/form-data"):
        reply = wiki.post({"title": "Coffee", "action": "raw"}, content_type=kind)
        assert reply.text == PAGES["Coffee"]
    assert wiki.post({"title": "Coffee"}, "action=raw").text == PAGES["Coffee"]
    random = wiki.post({"title": "Special:Random"})
    assert (random.status, random.headers["location"][:6]) == (302, "/wiki/")


def test_a_form_that_is_too_large_is_refused(make_site: Callable[..., Site]) -> None:
    wiki = Browser(reader_wiki(make_site, http={"max_body": 1000}))
    assert wiki.post({"title": "Tea" * 1000}).status == 413


def test_a_redirect_leads_to_its_section_and_says_so(wiki: Browser) -> None:
    reply = wiki.get("/wiki/Chai")
    assert reply.headers["location"] == "/wiki/Tea?redirectedfrom=Chai#Green"
    tree = wiki.page("/wiki/Tea", "redirectedfrom=Chai")
    assert texts(tree, "p.sub a") == ["Chai"]
    assert links(tree, "p.sub a") == ["/w/index.php?title=Chai&redirect=no"]


@pytest.mark.parametrize("name", ["Coffee", "Nothing", "<b>", "Loop", "de:Tee"])
def test_a_redirect_that_is_none_is_not_spoken_of(wiki: Browser, name: str) -> None:
    assert texts(wiki.page("/wiki/Tea", f"redirectedfrom={name}"), "p.sub") == []


def test_of_a_chain_of_redirects_one_is_followed(wiki: Browser) -> None:
    assert wiki.get("/wiki/Loop").headers["location"] == "/wiki/Chai?redirectedfrom=Loop"
    assert wiki.get("/wiki/Chai", "redirectedfrom=Loop").status == 200
    assert texts(wiki.page("/w/index.php", "title=Chai&redirect=no"), "h1") == ["Chai"]


def test_a_missing_page_offers_to_search(wiki: Browser) -> None:
    reply = wiki.get("/wiki/Teas")
    tree = parsed(reply)
    assert reply.status == 404
    assert texts(tree, "h1") == ["Teas"]
    assert attribute(tree, "#find-here", "value") == "Teas"
    assert attribute(tree, 'meta[name="robots"]', "content") == "noindex"
    assert wiki.get("/w/index.php", "title=Nothing_here&action=edit&redlink=1").status == 404


def test_similar_titles_are_offered(wiki: Browser) -> None:
    tree = parsed(wiki.get("/wiki/Tea_party"))
    assert texts(tree, "main ul:not(nav ul) a") == ["Tea"]


@pytest.mark.parametrize(
    "path",
    ["/wiki/a[b", "/wiki/%3Cscript%3E", "/wiki/a%00b", "/wiki/%FF", "/wiki/./..", "/wiki/%23"],
)
def test_an_invalid_title_is_refused_politely(wiki: Browser, path: str) -> None:
    reply = wiki.get(path)
    assert reply.status == 400
    assert texts(parsed(reply), "h1") == ["Not a valid page title"]
    assert "<script>" not in reply.text


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("/wiki/tea", "/wiki/Tea"),
        ("/wiki/Main Page", "/wiki/Main_Page"),
        ("/wiki/help:topic", "/wiki/Help:Topic"),
        ("/wiki/Image:Photo.png", "/wiki/File:Photo.png"),
        ("/wiki/Media:Photo.png", "/wiki/File:Photo.png"),
        ("/wiki/_Tea_%23Green", "/wiki/Tea#Green"),
    ],
)
def test_another_spelling_leads_to_the_usual_one(wiki: Browser, path: str, location: str) -> None:
    reply = wiki.get(path)
    assert (reply.status, reply.headers["location"]) == (301, location)
    assert wiki.get(location.partition("#")[0]).status == 200


def test_titles_with_special_characters_are_escaped(wiki: Browser) -> None:
    path = "/wiki/Quotes_%22and%22_'apostrophes'_%26_more"
    tree = wiki.page(path)
    assert texts(tree, "h1") == ["Quotes \"and\" 'apostrophes' & more"]
    assert texts(tree, "title") == ["Quotes \"and\" 'apostrophes' & more – Teahouse"]
    for url in links(tree, "nav.tabs a"):
        assert wiki.get(*str(url).partition("?")[::2]).status in (200, 404), url


def test_interwiki_titles_lead_on_to_the_family_alone(wiki: Browser) -> None:
    assert wiki.get("/wiki/de:Tee").headers["location"] == "https://de.example/wiki/Tee"
    reply = wiki.get("/wiki/far:Away")
    assert reply.status == 404
    assert "location" not in reply.headers
    assert links(parsed(reply), "main a") == ["https://far.example/Away"]


def test_sub_pages_lead_up(wiki: Browser) -> None:
    tree = wiki.page("/wiki/Help:Topic/Below")
    assert links(tree, "p.sub a") == ["/wiki/Help:Topic"]


def test_a_category_lists_its_members(wiki: Browser) -> None:
    tree = wiki.page("/wiki/Category:Drinks")
    assert texts(tree, "section.members h2") == ["Pages in this category", "Files in this category"]
    assert texts(tree, ".letter h3") == ["C", "T"]
    assert texts(tree, ".letter a") == ["Coffee", "Tea"]
    assert texts(tree, ".tiles a") == ["Photo.png"]
    assert texts(wiki.page("/wiki/Category:Things"), ".letter a") == ["Drinks"]
    assert wiki.get("/wiki/Category:Empty").status == 404


NUMBERED = dict.fromkeys(("Page 10", "Page 9", "12", "٣", "Änder"), "[[Category:Many]]")


@pytest.mark.parametrize(
    ("settings", "headings", "titles"),
    [
        ({"category_collation": "identity"}, ["1", "P", "Ä", "٣"], ["Page 10", "Page 9"]),
        ({"category_collation": "numeric"}, ["0–9", "P", "Ä", "٣"], ["Page 9", "Page 10"]),
        (
            {"category_collation": "numeric", "language": "ar"},
            ["٠–٩", "P", "Ä"],
            ["Page 9", "Page 10"],
        ),
        pytest.param(
            {"category_collation": "uca-de-u-kn"},
            ["0–9", "A", "P"],
            ["Page 9", "Page 10"],
            marks=needs_icu,
        ),
        pytest.param(
            {"category_collation": "uca-sv"},
            ["1", "3", "P", "Ä"],
            ["Page 10", "Page 9"],
            marks=needs_icu,
        ),
    ],
)
def test_members_are_grouped_by_the_wikis_collation(
    make_site: Callable[..., Site],
    settings: dict[str, str],
    headings: list[str],
    titles: list[str],
) -> None:
    site = make_site(NUMBERED, config={"site": settings})
    tree = Browser(site).page(site.page_path(site.titles.make(CATEGORY, "Many")))
    assert texts(tree, ".letter h3") == headings
    assert [title for title in texts(tree, ".letter a") if title.startswith("P")] == titles


def test_a_large_category_is_shown_in_parts(make_site: Callable[..., Site]) -> None:
    many = {f"Page {n:03}": "[[Category:Many]]" for n in range(450)}
    wiki = Browser(reader_wiki(make_site, many))
    seen: list[str] = []
    url: str | None = "/wiki/Category:Many"
    while url:
        tree = wiki.page(*url.partition("?")[::2])
        seen += texts(tree, ".letter a")
        url = next(iter(links(tree, ".pager a[rel=next]")), None)
    assert seen == sorted(many)


def test_pages_may_ask_not_to_be_indexed(wiki: Browser) -> None:
    robots = 'meta[name="robots"]'
    assert wiki.page("/wiki/Odd").css_first(robots)
    assert wiki.page("/wiki/Tea").css_first(robots) is None
    assert wiki.page("/w/index.php", "title=Tea&oldid=2").css_first(robots)


def test_the_interface_may_be_requested_in_a_language(wiki: Browser) -> None:
    tree = wiki.page("/wiki/Tea", "uselang=he")
    assert (attribute(tree, "html", "lang"), attribute(tree, "html", "dir")) == ("he", "rtl")
    assert attribute(tree, ".mw-parser-output", "dir") == "ltr"
    assert attribute(wiki.page("/wiki/Tea", "uselang=%22%3E"), "html", "lang") == "en"


def test_a_right_to_left_wiki_has_its_direction(make_site: Callable[..., Site]) -> None:
    wiki = Browser(reader_wiki(make_site, site={"language": "ar"}))
    tree = wiki.page("/wiki/Tea")
    assert (attribute(tree, "html", "lang"), attribute(tree, "html", "dir")) == ("ar", "rtl")


def test_scripts_on_pages_are_shown_and_not_run(wiki: Browser) -> None:
    reply = wiki.get("/wiki/MediaWiki:Gadget.js")
    assert reply.status == 200
    assert "<script>alert" not in reply.text


def test_files_of_a_category_have_their_sizes(make_site: Callable[..., Site]) -> None:
    for gallery, expected in (
        ({}, ["640 × 480", "1,234 bytes"]),
        ({"show_bytes": False, "image_width": 60}, ["640 × 480"]),
        ({"show_dimensions": False, "image_height": 24}, ["1,234 bytes"]),
        ({"show_bytes": False, "show_dimensions": False}, []),
    ):
        tree = Browser(reader_wiki(make_site, gallery=gallery)).page("/wiki/Category:Drinks")
        assert texts(tree, ".tiles .quiet") == expected
        width = gallery.get("image_width") or gallery.get("image_height", 90) * 4 // 3
        assert attribute(tree, ".tiles img", "width") == str(width)


def test_a_missing_file_can_be_uploaded_elsewhere(make_site: Callable[..., Site]) -> None:
    files = {"upload_navigation_url": "https://up.example/x"}
    elsewhere = Browser(reader_wiki(make_site, files=files))
    address = "https://up.example/x?wpDestFile=No_such.png"
    assert address in links(parsed(elsewhere.get("/wiki/File:No_such.png")), ".reading a")
    assert "/wiki/Special:Upload" in links(elsewhere.page("/wiki/Special:SpecialPages"), "main a")
    reply = elsewhere.index("title=Special:Upload&wpDestFile=No+such.png")
    assert (reply.status, reply.headers["location"]) == (302, address)
    reply = elsewhere.get("/wiki/Special:Upload")
    assert (reply.status, reply.headers["location"]) == (302, "https://up.example/x")
    closed = Browser(reader_wiki(make_site, files={"uploads": False}))
    assert closed.get("/wiki/Special:Upload").status == 403
    by_programs = Browser(reader_wiki(make_site)).get("/wiki/Special:Upload")
    assert by_programs.status == 404
    assert "Files are uploaded by programs" in by_programs.text


@pytest.mark.parametrize("writable", [True, False])
def test_a_missing_talk_page_is_only_offered_to_who_can_write_it(
    make_site: Callable[..., Site], writable: bool
) -> None:
    pages = {"Tea": "hot", "Cake": "sweet", "Talk:Cake": "How sweet?"}
    browser = Browser(make_site(pages, config={"site": {"writable": writable}}))
    links_of = {title: links(browser.page(f"/wiki/{title}"), ".tabs a") for title in pages}
    assert ("/wiki/Talk:Tea" in links_of["Tea"]) is writable
    assert "/wiki/Talk:Cake" in links_of["Cake"]
    assert "/wiki/Cake" in links_of["Talk:Cake"]


LEAD = "A sentence that is long enough to be the lead. " * 10
PREVIEWED = {
    "Main Page": "Welcome.",
    "Box": "{| class='infobox'\n|\nIn a box, which is not the beginning of a page.\n|}\n"
    "x\n\n'''Box''' is [[Main Page|a thing]]<ref>Note.</ref> with <b>corners</b>, six faces.",
    "Crate": "#REDIRECT [[Box]]",
    "Long": LEAD,
    "List": "* one\n* two",
    "Nothing": "<!-- -->",
}


@pytest.mark.parametrize(
    ("title", "target", "text"),
    [
        ("Box", "Box", "Box is a thing with corners, six faces."),
        ("Crate", "Box", "Box is a thing with corners, six faces."),
        ("List", "List", "one"),
        ("Nothing", "Nothing", ""),
    ],
)
def test_previews(make_site: Callable[..., Site], title: str, target: str, text: str) -> None:
    wiki = Browser(make_site(PREVIEWED))
    reply = wiki.get(f"/wiki/{title}", "action=preview")
    assert json.loads(reply.text) == {
        "title": target, "text": text, "picture": "", "lang": "en", "dir": "ltr",
    }  # fmt: skip


def test_previews_are_short_and_of_pages_that_exist(make_site: Callable[..., Site]) -> None:
    wiki = Browser(make_site(PREVIEWED))
    text = json.loads(wiki.get("/wiki/Long", "action=preview").text)["text"]
    assert len(text) < 330
    assert text.endswith(" …")
    missing = wiki.get("/wiki/Nowhere", "action=preview")
    assert (missing.status, missing.text) == (404, "{}")


def test_subpages_with_codes_of_languages_are_translations(make_site: Callable[..., Site]) -> None:
    pages = {"Tea": "x", "Tea/de": "x", "Tea/he": "x", "Tea/Green": "x", "Tea/It": "x",
             "Tea/fr": "#REDIRECT [[Tea]]", "Help:Tea": "x", "Other/de": "x"}  # fmt: skip
    wiki = Browser(make_site(pages))
    languages = "nav.cats a[hreflang]"
    assert texts(wiki.page("/wiki/Tea"), languages) == ["Deutsch", "עברית"]
    assert links(wiki.page("/wiki/Tea/de"), languages) == ["/wiki/Tea", "/wiki/Tea/he"]
    assert texts(wiki.page("/wiki/Help:Tea"), languages) == []
    assert texts(wiki.page("/wiki/Other/de"), languages) == []
    assert attribute(wiki.page("/wiki/Tea"), "nav.cats a[lang=he]", "dir") == "rtl"
