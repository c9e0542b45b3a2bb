"""The frame of the reader in the words of MediaWiki and of the wiki, in both directions."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.plugins.web.readers import Browser, attribute, parsed, texts
from tests.plugins.web.readerwiki import EVIL, reader_wiki
from tests.reference.material import RECORDED, available
from wikiapi.languages.equivalents import FILE, Equivalent, read_equivalents
from wikiapi.languages.folders import FolderTexts
from wikiapi.site import Site
from wikiapi_plugins.export.site.pages import folder as export_folder
from wikiapi_plugins.web.reader.reader import folder

MADE_UP = Path("tests/fixtures/language_facts/frame")
"""Some messages in Arabic that are not MediaWiki's."""
WORDS: Mapping[str, str] = json.loads((MADE_UP / "ar.json").read_text(encoding="utf-8"))
LISTED = "uselang=ar"
"""A query with which a special page is shown and not redirected to its name in the language."""
FOLDERS = (folder("messages"), export_folder("..").resolve() / "messages")
PASSED = {
    "export-categories": 1,
    "export-files": 1,
    "export-pages": 1,
    "reader-categories": 1,
    "reader-conflict": 1,
    "reader-contributions-of": 1,
    "reader-hidden-categories": 1,
    "reader-info-recent-edits": 1,
    "reader-info-templates": 1,
    "reader-last-edited": 3,
    "reader-members-file": 1,
    "reader-members-page": 1,
    "reader-more-uses": 1,
    "reader-no-links": 1,
    "reader-old-revision": 3,
    "reader-old-revision-by": 5,
    "reader-report-made": 4,
    "reader-results-count": 4,
    "reader-results-more": 4,
    "reader-revision-of": 3,
    "reader-user-page": 1,
}
"""The number of parameters of messages whose own text does without some of them."""
IGNORED = {"reader-info-firstuser": {"$1"}, "reader-info-lastuser": {"$1"}}
"""Parameters that only choose a form by a gender."""
_PARAMETER = re.compile(r"\$[1-9]")


def declared_equivalents() -> Iterator[tuple[str, Equivalent, str]]:
    """Yield keys with what is declared for them, and their own English texts."""
    for place in FOLDERS:
        english = json.loads((place / "en.json").read_text(encoding="utf-8"))
        for key, same in read_equivalents(place).items():
            yield key, same, english[key]


def number_of_parameters(key: str, english: str) -> int:
    own = {int(name[1]) for name in _PARAMETER.findall(english)}
    return PASSED.get(key, max(own, default=0))


@pytest.mark.parametrize("place", FOLDERS, ids=lambda place: place.parent.name)
def test_the_table_names_own_messages_in_order(place: Path) -> None:
    keys = list(json.loads((place / FILE).read_text(encoding="utf-8")))
    assert keys == sorted(keys)
    assert keys
    assert set(keys) <= json.loads((place / "en.json").read_text(encoding="utf-8")).keys()


def test_the_table_passes_parameters_that_there_are() -> None:
    for key, same, english in declared_equivalents():
        assert all(0 <= param <= number_of_parameters(key, english) for param in same.params), key


@pytest.mark.skipif(not available(), reason="needs the recorded messages of MediaWiki")
@pytest.mark.parametrize("language", ["ar", "de", "en", "fa", "fi", "fr", "ja", "pl", "ru", "zh"])
def test_messages_of_mediawiki_have_the_parameters_that_they_get(language: str) -> None:
    recorded = FolderTexts([RECORDED / "messages"])
    for key, same, english in declared_equivalents():
        text = recorded.get(same.key, language)
        if language == "en":
            assert text, (key, same.key)
        names = set(_PARAMETER.findall(text or "")) - IGNORED.get(key, set())
        passed = len(same.params) or number_of_parameters(key, english)
        assert names <= {f"${number}" for number in range(1, passed + 1)}, (key, same.key)


def arabic(make_site: Callable[..., Site], **pages: str) -> Browser:
    """Return a browser for the wiki in Arabic, with the made-up messages."""
    return Browser(
        reader_wiki(
            make_site,
            pages,
            site={"name": "Teahouse", "language": "ar"},
            messages={"folders": [str(MADE_UP.resolve())]},
        )
    )


def test_messages_of_mediawiki_are_in_the_frame(make_site: Callable[..., Site]) -> None:
    tree = arabic(make_site).page("/wiki/Tea")
    assert texts(tree, ".tabs a")[:2] == [WORDS["nstab-main"], WORDS["talk"]]
    assert WORDS["recentchanges"] in texts(tree, ".ways a")
    assert texts(tree, ".cats h2")[0] == "صنفان"


def test_parameters_are_where_mediawiki_has_them(make_site: Callable[..., Site]) -> None:
    wiki = arabic(make_site)
    assert texts(wiki.page("/wiki/Special:Contributions/Ada", LISTED), "h1") == ["ما كتبه Ada"]
    tree = wiki.page("/w/index.php", "title=Tea&action=history")
    assert texts(tree, "h1") == ["ماضي «Tea»"]
    assert texts(tree, "title") == ["ماضي «Tea» – Teahouse"]
    assert [node.text() for node in tree.css("h1 bdi")] == ["Tea"]
    tree = wiki.page("/wiki/Tea", "redirectedfrom=Chai")
    assert texts(tree, ".sub") == ["(من Chai)"]
    edited = texts(tree, "footer > p")[0]
    assert edited.startswith("آخر لمسة")
    assert "$" not in edited
    notice = texts(wiki.page("/w/index.php", "title=Tea&oldid=2"), ".notice p")[0]
    assert notice.startswith("نسخة")
    assert "لAda في" in notice
    assert "$" not in notice


def test_markup_of_messages_is_for_sentences_alone(make_site: Callable[..., Site]) -> None:
    wiki = arabic(make_site)
    tree = parsed(wiki.get("/wiki/Nothing_here"))
    assert "أيًّا كان" in texts(tree, ".ways a")
    assert texts(tree, "main .reading > p:first-child a") == ["ابحث"]
    assert "<script>alert(1)</script>" in tree.css_first("main p").text()
    assert "حجم" in texts(wiki.page("/wiki/Special:ListFiles", LISTED), "th")


def test_hostile_messages_are_escaped(make_site: Callable[..., Site]) -> None:
    names = ("Recentchanges", "Nstab-main", "History-title", "Noarticletext-nopermission",
             "Redirectedfrom", "Searchsuggest-search", "Listfiles_size", "Nospecialpagetext",
             "Reader-tab-talk")  # fmt: skip
    evil = f'"><img src=x onerror=alert(1)>{EVIL}'
    wiki = Browser(reader_wiki(make_site, {f"MediaWiki:{name}": evil for name in names}))
    for address in ("/wiki/Tea", "/wiki/Nothing_here", "/wiki/Special:ListFiles",
                    "/wiki/Special:Nonsense", "/wiki/Special:RecentChanges"):  # fmt: skip
        document = wiki.get(address).text
        assert EVIL not in document, address
        assert "<img src=x" not in document, address
    for query in ("title=Tea&action=history", "title=Tea&redirectedfrom=Chai"):
        document = wiki.index(query).text
        assert EVIL not in document, query
        assert "<img src=x" not in document, query
    assert parsed(wiki.get("/wiki/Tea")).css_first("script:not([src]):not([type])") is None


def test_names_are_not_parsed_in_messages(make_site: Callable[..., Site]) -> None:
    wiki = Browser(reader_wiki(make_site, {"MediaWiki:History-title": "'''$1''' then"}))
    tree = parsed(wiki.index("title=Tea&action=history"))
    assert texts(tree, "h1 b") == ["Tea"]
    reply = wiki.index("title=Special:Contributions&target=''%7B%7BPAGENAME%7D%7D''")
    assert texts(parsed(reply), "h1") == ["Contributions of “''{{PAGENAME}}''”"]


def test_pages_of_the_wiki_change_the_frame(make_site: Callable[..., Site]) -> None:
    pages = {"MediaWiki:Recentchanges": "What is new", "MediaWiki:Recentchanges/de": "Neues",
             "MediaWiki:Reader-random-page": "Any", "MediaWiki:Randompage": "Chance"}  # fmt: skip
    wiki = Browser(reader_wiki(make_site, pages))
    frame = texts(wiki.page("/wiki/Tea"), ".ways a")
    assert "What is new" in frame
    assert "Any" in frame
    assert "Chance" not in frame
    assert "Neues" in texts(wiki.page("/wiki/Tea", "uselang=de"), ".ways a")


def test_a_message_that_is_switched_off_leaves_our_own(make_site: Callable[..., Site]) -> None:
    wiki = arabic(make_site, **{"MediaWiki:Recentchanges": "-"})
    tree = wiki.page("/wiki/Special:NewPages", LISTED)
    assert texts(tree, "h1") == ["New pages"]
    assert WORDS["recentchanges"] in texts(tree, ".ways a")


def test_frame_and_content_have_their_own_language(make_site: Callable[..., Site]) -> None:
    wiki = Browser(reader_wiki(make_site))
    tree = wiki.page("/wiki/Tea", "uselang=ar")
    assert attribute(tree, "html", "lang") == "ar"
    assert attribute(tree, "html", "dir") == "rtl"
    assert attribute(tree, ".mw-parser-output", "dir") == "ltr"
    assert attribute(tree, ".mw-parser-output", "lang") == "en"
    assert attribute(tree, "h1 bdi", "lang") == "en"
    tree = wiki.page("/w/index.php", "title=Tea&action=edit&uselang=ar")
    assert attribute(tree, "textarea", "dir") == "ltr"
    tree = wiki.page("/w/index.php", "title=Tea&diff=cur&uselang=ar")
    assert "content-ltr" in attribute(tree, "table.diff", "class")
    tree = arabic(make_site).page("/w/index.php", "title=Tea&action=edit&uselang=en")
    assert attribute(tree, "html", "dir") == "ltr"
    assert attribute(tree, "textarea", "dir") == "rtl"


def test_sentences_that_are_not_translated_say_so(make_site: Callable[..., Site]) -> None:
    tree = arabic(make_site).page("/w/index.php", "title=Tea&oldid=1&diff=1")
    note = tree.css_first(".sides bdi[lang=en]")
    assert note is not None
    assert note.attributes["dir"] == "ltr"


def test_numbered_lists_have_the_digits_of_the_language(make_site: Callable[..., Site]) -> None:
    wiki = Browser(reader_wiki(make_site))
    address = "/wiki/Special:ListRedirects"
    style = attribute(wiki.page(address, "uselang=fa"), "ol.report", "style")
    assert style == "list-style-type: persian"
    assert attribute(wiki.page(address), "ol.report", "style") is None


def test_changes_of_size_keep_their_sign_in_front(make_site: Callable[..., Site]) -> None:
    tree = arabic(make_site).page("/w/index.php", "title=Tea&action=history")
    changes = tree.css(".change")
    assert changes
    assert all(node.attributes["dir"] == "ltr" for node in changes)


_SIDE = re.compile(
    r"(?<![-\w])(?:(?:margin|padding|border)-(?:left|right)"
    r"|(?:text-align|float|clear): *(?:left|right)|(?:left|right):)"
)


def test_the_style_of_the_frame_has_no_left_and_right() -> None:
    sheet = (folder("static") / "reader.css").read_text(encoding="utf-8")
    lines = [line for line in sheet.splitlines() if _SIDE.search(line)]
    assert all(line.startswith(".scroll-frame::") for line in lines)
