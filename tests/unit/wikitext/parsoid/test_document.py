"""Renderings in Parsoid's form: sections, links, pictures and page properties."""

from __future__ import annotations

import re

import pytest
from selectolax.lexbor import LexborHTMLParser

from wikiapi.testing import DeclaredFile
from wikiapi.wikitext.options import ParserOptions

PAGES = {
    "Beta": "b",
    "Gamma": "#REDIRECT [[Beta]]",
    "Template:Head": "== Brought ==\nx",
}
_OPTIONS = ParserOptions(parsoid=True, limit_report=False)


pytestmark = pytest.mark.wiki(
    PAGES,
    interwiki={"de": "https://de.example/wiki/$1", "mw": "https://mw.example/$1"},
    files=[DeclaredFile("Foobar.jpg", width=1941, height=220)],
)


@pytest.fixture
def document(site):
    def rendered(text, title="Alpha"):
        html = site.parser.parse(text, site.titles.parse(title), _OPTIONS).html
        return LexborHTMLParser(f"<body>{html}</body>").body

    return rendered


def test_the_container_has_the_version_of_the_format(document):
    container = document("x").css_first(".mw-parser-output")
    assert container.attributes["data-mw-html-version"] == "2.8.0"


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("", "0()"),
        ("x", "0()"),
        ("== A ==\n=== B ===\n== C ==", "0()1(2())3()"),
        ("=== A ===\n== B ==\n==== C ====\n=== D ===", "0()1()2(3()4())"),
        ("{{Head}}\n== A ==", "0()-1()1()"),
        ("<div>\n== A ==\n</div>", "-1()-2()"),
    ],
)
def test_sections_follow_from_the_headings_of_the_page(document, text, shape):
    def shape_of(node):
        sections = [child for child in node.iter() if child.tag == "section"]
        return "".join(
            f"{child.attributes['data-mw-section-id']}({shape_of(child)})" for child in sections
        )

    assert shape_of(document(text).css_first(".mw-parser-output")) == shape


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("[[Category:Teas|\n*]]", "./Category:Teas#*"),
        ("[[Category:Teas| a\nb]]", "./Category:Teas#%20a%0Ab"),
        ("[[File:Foobar.jpg|40px|page=2]]", "{server}/wiki/File:Foobar.jpg?page=2"),
        ("[[File:Foobar.jpg|40px|page=last]]", "{server}/wiki/File:Foobar.jpg"),
    ],
)
def test_addresses_have_sort_keys_and_pages(document, site, text, address):
    element = document(text).css_first("link, a")
    assert element.attributes["href"] == address.format(server=site.config.site.server)


def test_classes_of_a_gallery_follow_its_own(document):
    gallery = document('<gallery class="x y">\nFoobar.jpg\n</gallery>').css_first("ul")
    assert gallery.attributes["class"] == "gallery mw-gallery-traditional x y"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[Beta]]", {"rel": "mw:WikiLink", "href": "{server}/wiki/Beta"}),
        ("[[Gamma]]", {"rel": "mw:WikiLink", "class": "mw-redirect"}),
        (
            "[[Help:No one]]",
            {
                "rel": "mw:WikiLink",
                "href": "{server}/wiki/Help:No_one?action=edit&redlink=1",
                "typeof": "mw:LocalizedAttrs",
                "data-mw-i18n": '{"title":{"lang":"x-page","key":"red-link-title",'
                '"params":["Help:No one"]}}',
            },
        ),
        ("[[mw:X y]]", {"rel": "mw:WikiLink/Interwiki", "href": "https://mw.example/X%20y"}),
        ("[[Alpha]]", {"rel": "mw:WikiLink", "class": "mw-selflink selflink"}),
        ("[https://x.example/ x]", {"rel": "mw:ExtLink nofollow", "href": "https://x.example/"}),
    ],
)
def test_links_have_their_kind(site, document, text, expected):
    attributes = document(text).css_first("p a").attributes
    server = site.config.site.server
    for name, value in expected.items():
        assert attributes[name] == value.replace("{server}", server)


def test_the_numbers_of_links_are_left_to_style_sheets(document):
    link = document("[https://x.example/]").css_first("a.autonumber")
    assert link.inner_html == ""


def test_pictures_have_the_data_of_their_files(site, document):
    picture = document("[[File:Foobar.jpg|100px]]").css_first("img").attributes
    assert picture["resource"] == f"{site.config.site.server}/wiki/File:Foobar.jpg"
    assert (picture["data-file-width"], picture["data-file-height"]) == ("1941", "220")
    assert picture["data-file-type"] == "bitmap"


def test_page_properties_stand_where_the_source_has_them(document):
    text = "__NOTOC__[[de:A b]]\n[[Category:C d|k&l]]\n== S ==\nx\n[[Category:E]]"
    root = document(text)
    properties = [
        [
            node.attributes.get("property") or node.attributes["href"]
            for node in section.css("meta, link")
        ]
        for section in root.css("section")
    ]
    assert properties == [
        ["mw:PageProp/notoc", "https://de.example/wiki/A%20b", "./Category:C_d#k%26l"],
        ["./Category:E"],
    ]
    assert root.css('section[data-mw-section-id="1"] > link')


def test_a_redirect_tells_its_target(document):
    link = document("#REDIRECT [[Beta]]").css_first("link")
    assert link.attributes["rel"] == "mw:PageProp/redirect"
    assert link.attributes["href"] == "./Beta"


def test_a_heading_wrapper_of_the_page_s_own_begins_no_section(document):
    assert len(document('<div class="mw-heading">\nx</div>').css("section")) == 1


def test_every_element_has_an_id_of_its_own(document):
    text = "== A ==\n'''b''' [[Beta]]\n== B ==\n* c\n== C ==\n== D ==\n[[Category:X]]"
    nodes = document(text).css(".mw-parser-output *")
    ids = [node.attributes.get("id") for node in nodes]
    assert None not in ids
    assert len(set(ids)) == len(ids)


def test_the_source_is_numbered_before_what_stands_around_it(document):
    html = document("== A ==\n<b>c</b>").html
    named = re.findall(r'<(section|p|b|div)[^>]* id="(mw[\w-]+)"', html)
    assert named == [
        ("section", "mwAQ"),
        ("section", "mwAg"),
        ("div", "mwAA"),
        ("p", "mwAw"),
        ("b", "mwBA"),
    ]


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("''a [https://x b''c''d] e''", "<i>a <a>b<i>c</i>d</a> e</i>"),
        ("[https://x b''c] d''", "<a>b<i>c</i></a> d"),
        ("[https://x '''b]'''", "<a><b>b</b></a>"),
        ("''[https://x''y'' b]", "<i>"),
    ],
)
def test_apostrophes_in_labels_of_urls_are_apart(document, text, html):
    paragraph = document(text).css_first("p").inner_html
    assert re.sub("<(a|i|b) [^<>]*>", r"<\1>", paragraph).startswith(html)


@pytest.mark.parametrize(
    ("text", "content"), [("\n\nfoo", "\nfoo"), ("\nfoo", "foo"), ("foo", "foo")]
)
def test_only_the_line_break_after_a_tag_of_preformatted_text_is_dropped(site, text, content):
    html = site.parser.parse(f"<pre>{text}</pre>", site.titles.parse("Alpha"), _OPTIONS).html
    assert f">{content}</pre>" in html


def test_categories_between_rows_are_before_the_table(document):
    root = document(
        "{|\n|-\n| a\n|-[[Category:B]]\n| c\n|}\n{|\n<!-- d -->[[Category:E]]\n|-\n| f\n|}"
    )
    assert not root.css("tr > link, tbody > link, table > link")
    assert root.css_first("td").text(strip=True) == "a"
