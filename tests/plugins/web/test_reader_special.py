"""Special pages and search."""

from __future__ import annotations

from collections.abc import Callable

import apsw
import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.plugins.web.readers import Browser, attribute, links, parsed, texts
from tests.plugins.web.readerwiki import EVIL, PAGES, reader_wiki
from wikiapi.site import Site
from wikiapi.store.models import Block, BlockTarget, UserGroups
from wikiapi.store.queries import users
from wikiapi.testing.declaration import DeclaredFile, DeclaredUser


def test_search_goes_to_the_page_that_is_meant(wiki: Browser) -> None:
    for query in ("search=tea", "title=Special:Search&search=Tea", "search=HELP:topic"):
        reply = wiki.index(query)
        assert reply.status == 302, query
    assert wiki.index("search=tea").headers["location"] == "/wiki/Tea"


def test_search_lists_what_is_found(wiki: Browser) -> None:
    tree = wiki.page("/w/index.php", "title=Special:Search&search=leaves&fulltext=1")
    assert texts(tree, ".results a") == ["Tea"]
    assert texts(tree, ".results .searchmatch") == ["leaves", "leaves"]
    assert texts(tree, ".snippet") == [
        "Tea is a drink. Green Green leaves. Sencha Japan. Black Black leaves. Sources"
    ]
    assert attribute(tree, "#find-here", "value") == "leaves"
    assert attribute(tree, ".results time", "datetime") == "2025-01-01T00:03:00Z"
    titles = wiki.page("/w/index.php", "search=quotes")
    assert texts(titles, ".results a") == ["Quotes \"and\" 'apostrophes' & more"]
    exact = wiki.page("/w/index.php", "search=tea&fulltext=1")
    assert texts(exact, ".results a")[0] == "Tea"


def test_redirects_are_folded_in(wiki: Browser) -> None:
    tree = wiki.page("/w/index.php", "title=Special:Search&search=chai&fulltext=1")
    assert texts(tree, ".results li > a") == ["Tea"]
    assert texts(tree, ".results li > .quiet a") == ["Chai"]


def test_some_of_the_words_are_enough_if_no_page_has_all(wiki: Browser) -> None:
    tree = wiki.page("/w/index.php", "title=Special:Search&search=bitter+japan+x1&fulltext=1")
    assert texts(tree, ".results li > a") == ["Coffee", "Tea"]
    assert "come near" in texts(tree, "main p")[0]


def test_other_spellings_and_sections_are_announced(make_site: Callable[..., Site]) -> None:
    text = f"The lead. {'More of it. ' * 40}\n== In the ''garden'' ==\nOne digs."
    wiki = Browser(reader_wiki(make_site, {"Spade": text}))
    tree = wiki.page("/w/index.php", "search=spaed+digs&fulltext=1")
    assert "spade digs" in texts(tree, "main p")[0]
    assert texts(tree, ".results li > a") == ["Spade"]
    assert links(tree, ".results li > .quiet a") == ["/wiki/Spade#In_the_garden"]


def test_talk_and_templates_are_searched_if_wanted(wiki: Browser) -> None:
    query = "title=Special:Search&search=below+is&fulltext=1"
    assert "Help:Topic/Below" in texts(wiki.page("/w/index.php", query), ".results a")
    query = "title=Special:Search&search=it&fulltext=1"
    assert "Talk:Tea" not in texts(wiki.page("/w/index.php", query), ".results a")
    assert "Talk:Tea" in texts(wiki.page("/w/index.php", f"{query}&ns=all"), ".results a")


def test_results_come_in_parts(make_site: Callable[..., Site]) -> None:
    many = {f"Leaf {n}": "A common word." for n in range(50)}
    wiki = Browser(reader_wiki(make_site, many))
    seen: list[str] = []
    url: str | None = "/w/index.php?title=Special:Search&search=common&fulltext=1"
    while url:
        tree = wiki.page(*url.partition("?")[::2])
        seen += texts(tree, ".results a")
        url = next(iter(links(tree, ".pager a[rel=next]")), None)
    assert sorted(seen) == sorted(many)


@pytest.mark.parametrize(
    "asked", ["%22%3E%3Cscript%3E", "%00", "%FF", "%22", "*", "-", "a" * 5000, "%F0%9F%8D%B5"]
)
def test_nothing_that_can_be_typed_is_an_error(wiki: Browser, asked: str) -> None:
    reply = wiki.index(f"title=Special:Search&fulltext=1&search={asked}")
    assert reply.status == 200
    assert "<script>" not in reply.text.partition("<body>")[2]


def test_an_empty_search_is_a_form(wiki: Browser) -> None:
    tree = wiki.page("/wiki/Special:Search")
    assert attribute(tree, "#find-here", "value") == ""


def test_all_pages_of_a_namespace(wiki: Browser) -> None:
    tree = wiki.page("/wiki/Special:AllPages")
    listed = texts(tree, ".columns a")
    assert listed == sorted(title for title in PAGES if ":" not in title)
    assert texts(tree, ".columns .redirect a") == ["Chai", "Loop"]
    query = "title=Special:AllPages&namespace=12"
    assert texts(wiki.page("/w/index.php", query), ".columns a") == ["Topic", "Topic/Below"]
    query = "title=Special:AllPages&from=p&hideredirects=1"
    assert texts(wiki.page("/w/index.php", query), ".columns a")[0] == "Pictures"


def test_all_pages_come_in_parts(make_site: Callable[..., Site]) -> None:
    many = {f"Page {n:03}": "x" for n in range(650)}
    wiki = Browser(reader_wiki(make_site, many))
    seen: list[str] = []
    url: str | None = "/w/index.php?title=Special:AllPages&hideredirects=1"
    while url:
        tree = wiki.page(*url.partition("?")[::2])
        seen += texts(tree, ".columns a")
        url = next(iter(links(tree, ".pager a[rel=next]")), None)
    assert len(seen) == len(set(seen)) == 650 + sum(":" not in title for title in PAGES) - 2


def test_a_random_page_is_one_with_content(wiki: Browser) -> None:
    for _ in range(5):
        reply = wiki.get("/wiki/Special:Random")
        assert (reply.status, reply.headers["cache-control"]) == (302, "private, no-store")
        location = reply.headers["location"]
        assert wiki.get(location).status == 200
        assert location not in ("/wiki/Chai", "/wiki/Loop")
    assert wiki.get("/wiki/Special:Random/Help").headers["location"].startswith("/wiki/Help:")


def test_recent_changes_begin_with_the_newest(wiki: Browser) -> None:
    tree = wiki.page("/wiki/Special:RecentChanges")
    assert texts(tree, ".revisions strong a")[0] == "Odd"
    assert len(tree.css(".revisions li")) == len(PAGES) + 2
    assert EVIL not in tree.html


def test_what_links_here(wiki: Browser) -> None:
    tree = wiki.page("/wiki/Special:WhatLinksHere/Tea")
    assert texts(tree, ".columns a") == ["Main Page", "Chai"]
    assert texts(tree, ".columns li") == ["Main Page", "Chai (redirect)"]


def test_categories_are_listed_with_their_sizes(wiki: Browser) -> None:
    tree = wiki.page("/wiki/Special:Categories")
    assert "Drinks (3 members)" in texts(tree, ".columns li")


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("/wiki/Special:PermanentLink/3", "/w/index.php?oldid=3"),
        ("/wiki/Special:Permalink/3", "/w/index.php?oldid=3"),
        ("/wiki/Special:Diff/3", "/w/index.php?diff=3"),
        ("/wiki/Special:Diff/3/4", "/w/index.php?oldid=3&diff=4"),
        ("/wiki/Special:PageHistory/Tea", "/w/index.php?title=Tea&action=history"),
        ("/wiki/Special:FilePath/Photo.png", "/images/"),
        ("/wiki/Special:FilePath/Photo.png?width=100", "/images/thumb/"),
        ("/wiki/Special:FilePath?file=Photo.png&width=100", "/images/thumb/"),
        ("/wiki/Special:FilePath/Photo.png?height=90", "/images/thumb/"),
        ("/wiki/Special:Redirect/file/Photo.png", "/images/"),
        ("/wiki/Special:Redirect/file/File:Photo.png?width=100", "/images/thumb/"),
        ("/wiki/Special:Redirect/page/2", "/w/index.php?curid=2"),
        ("/wiki/Special:Redirect/revision/3", "/w/index.php?oldid=3"),
        ("/wiki/Special:Redirect/user/1", "/wiki/User:Ada"),
        ("/wiki/Special:Redirect?wptype=user&wpvalue=1", "/wiki/User:Ada"),
        ("/wiki/Special:Randompage", "/wiki/"),
    ],
)
def test_special_pages_that_lead_on(wiki: Browser, path: str, location: str) -> None:
    reply = wiki.get(*path.partition("?")[::2])
    while reply.status == 301:
        reply = wiki.get(reply.headers["location"])
    assert reply.status == 302
    assert reply.headers["location"].startswith(location)


def test_thumbnails_have_the_size_that_is_wanted(wiki: Browser) -> None:
    wide = wiki.get("/wiki/Special:FilePath/Photo.png", "width=100").headers["location"]
    assert wide.endswith("/100px-Photo.png")
    high = wiki.get("/wiki/Special:Redirect/file/Photo.png", "height=90").headers["location"]
    assert high.endswith("/120px-Photo.png")
    large = wiki.get("/wiki/Special:FilePath/Photo.png", "width=5000").headers["location"]
    assert "/thumb/" not in large


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/wiki/Special:Nonsense", 404),
        ("/wiki/Special:Upload", 404),
        ("/wiki/Special:Diff/x", 400),
        ("/wiki/Special:PermanentLink", 400),
        ("/wiki/Special:WhatLinksHere/a[b", 400),
        ("/wiki/Special:PageHistory/de:x", 400),
        ("/wiki/Special:FilePath/None.png", 404),
        ("/wiki/Special:Redirect", 404),
        ("/wiki/Special:Redirect/nothing/1", 404),
        ("/wiki/Special:Redirect/file/None.png", 404),
        ("/wiki/Special:Redirect/file/a[b", 400),
        ("/wiki/Special:Redirect/page/999", 404),
        ("/wiki/Special:Redirect/page/x", 404),
        ("/wiki/Special:Redirect/revision/999", 404),
        ("/wiki/Special:Redirect/user/999", 404),
        ("/wiki/Special:Redirect/logid/999", 404),
        ("/wiki/Special:%3Cb%3E", 400),
    ],
)
def test_special_pages_that_cannot_be_shown(wiki: Browser, path: str, status: int) -> None:
    reply = wiki.get(path)
    assert reply.status == status
    assert "<b>" not in reply.text
    assert texts(parsed(reply), "main p")


def test_special_pages_that_may_be_transcluded_are_shown(wiki: Browser) -> None:
    tree = wiki.page("/wiki/Special:PrefixIndex/Co")
    assert links(tree, ".columns a") == ["/wiki/Coffee"]


def test_special_pages_are_listed_and_all_answer(wiki: Browser) -> None:
    tree = wiki.page("/wiki/Special:SpecialPages")
    assert len(links(tree, ".columns a")) > 40
    for url in links(tree, ".columns a"):
        assert wiki.get(str(url)).status in (200, 302), url


def test_the_version_names_software_and_extensions(wiki: Browser) -> None:
    tree = wiki.page("/wiki/Special:Version")
    assert texts(tree, "#sv-software td")[:2] == ["MediaWiki", "1.45.0"]
    assert texts(tree, "#sv-software td")[-2:] == ["sqlite", apsw.sqlite_lib_version()]
    assert "ParserFunctions" in texts(tree, "#sv-ext a")


def test_pages_that_begin_alike(wiki: Browser) -> None:
    tree = wiki.page("/w/index.php", "title=Special:AllPages&prefix=C&hideredirects=1")
    assert texts(tree, ".columns a") == ["Coffee"]
    tree = wiki.page("/w/index.php", "title=Special:PrefixIndex&prefix=Help:Topic/")
    assert texts(tree, ".columns a") == ["Topic/Below"]
    assert attribute(tree, "#namespace option[selected]", "value") == "12"


def test_pages_that_begin_alike_come_in_parts(make_site: Callable[..., Site]) -> None:
    many = {f"Page {n:04}": "x" for n in range(700)}
    wiki = Browser(reader_wiki(make_site, many))
    for special in ("AllPages", "PrefixIndex"):
        seen: list[str] = []
        url: str | None = f"/w/index.php?title=Special:{special}&prefix=Page"
        while url:
            tree = wiki.page(*url.partition("?")[::2])
            seen += texts(tree, ".columns a")
            url = next(iter(links(tree, ".pager a[rel=next]")), None)
        assert seen == sorted(many), special


def test_what_links_here_tells_how(wiki: Browser) -> None:
    assert texts(wiki.page("/wiki/Special:WhatLinksHere"), "main form label") == ["Page"]
    tree = wiki.page("/w/index.php", "title=Special:WhatLinksHere&target=Tea")
    assert "Chai (redirect)" in texts(tree, ".columns li")
    assert "Main Page" in texts(tree, ".columns li")
    tree = wiki.page("/wiki/Special:WhatLinksHere/File:Photo.png")
    assert texts(tree, ".columns li") == ["Pictures (shows the file)"]


def test_statistics_count(wiki: Browser) -> None:
    tree = wiki.page("/wiki/Special:Statistics")
    rows = dict(zip(texts(tree, "main th"), texts(tree, "main td"), strict=True))
    assert rows["Files"] == "1"
    assert int(rows["Pages of all kinds"]) == len(PAGES)


def test_files_are_listed(make_site: Callable[..., Site]) -> None:
    names = [f"Photo {n}.png" for n in range(70)]
    site = make_site(files=[DeclaredFile(name, width=640, height=480) for name in names])
    wiki, seen = Browser(site), []
    url: str | None = "/wiki/Special:ListFiles"
    while url:
        tree = wiki.page(*url.partition("?")[::2])
        seen += texts(tree, "tbody td:nth-child(2) a")
        url = next(iter(links(tree, ".pager a[rel=next]")), None)
    assert sorted(seen) == sorted(names)
    assert len(tree.css("tbody img")) == 20


def test_files_are_counted_by_type(make_site: Callable[..., Site]) -> None:
    files = [
        DeclaredFile("One.png", size=1000),
        DeclaredFile("Two.png", size=234),
        DeclaredFile("Three.jpg", size=5, mime="image/jpeg"),
        DeclaredFile("Shape.svg", size=41, mime="image/svg+xml", media_type="DRAWING"),
        DeclaredFile("Odd.bin", size=1, mime="unknown/unknown", media_type="SOMETHING"),
    ]
    tree = Browser(make_site(files=files)).page("/wiki/Special:MediaStatistics")
    assert [" | ".join(texts(row, "th, td")) for row in tree.css("main tr")] == [
        "Type | Files | Size",
        "Pictures",
        "image/png | 2 | 1,234 bytes",
        "image/jpeg | 1 | 5 bytes",
        "Drawings",
        "image/svg+xml | 1 | 41 bytes",
        "Others",
        "unknown/unknown | 1 | 1 byte",
        "Total | 5 | 1,281 bytes",
    ]


def test_a_wiki_without_files_has_none_of_any_type(make_site: Callable[..., Site]) -> None:
    tree = Browser(make_site()).page("/wiki/Special:MediaStatistics")
    assert texts(tree, "main p") == ["There are no files here."]


ACCOUNTS = [
    DeclaredUser("Ada", groups=("sysop", "bureaucrat")),
    DeclaredUser("Adam", groups=("bot",)),
    DeclaredUser("Bob & <b>"),
    DeclaredUser("Carl", groups=("sysop",)),
]


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("", ["Ada: bureaucrat, sysop", "Adam: bot", "Bob & <b>:", "Carl: sysop"]),
        ("/sysop", ["Ada: bureaucrat, sysop", "Carl: sysop"]),
        ("?group=bot", ["Adam: bot"]),
        ("?group=nonsense&prefix=ada", ["Ada: bureaucrat, sysop", "Adam: bot"]),
        ("?from=adam", ["Adam: bot", "Bob & <b>:", "Carl: sysop"]),
        ("?group=sysop&prefix=C", ["Carl: sysop"]),
        ("?prefix=Nobody", []),
        ("?prefix=%25", []),
    ],
)
def test_accounts_are_listed(
    make_site: Callable[..., Site], address: str, expected: list[str]
) -> None:
    wiki = Browser(make_site(users=ACCOUNTS))
    tree = wiki.page(*f"/wiki/Special:ListUsers{address}".partition("?")[::2])
    assert [f"{name}: {groups}".strip() for name, groups in _accounts(tree)] == expected
    assert texts(tree, "main p") == ([] if expected else ["There are no accounts here."])


def test_accounts_come_in_parts(make_site: Callable[..., Site]) -> None:
    names = [f"User {number:03}" for number in range(230)]
    declared = [DeclaredUser(name, groups=("bot",)) for name in names]
    wiki, seen = Browser(make_site(users=declared)), []
    url: str | None = "/wiki/Special:ListUsers/bot"
    while url:
        tree = wiki.page(*url.partition("?")[::2])
        seen += [name for name, _ in _accounts(tree)]
        url = next(iter(links(tree, ".pager a[rel=next]")), None)
    assert seen == names


def test_hidden_accounts_and_former_groups_are_not_listed(make_site: Callable[..., Site]) -> None:
    site = make_site(users=ACCOUNTS)
    accounts = users.by_names(site.db, ["Adam", "Carl"])
    site.db.insert_many(UserGroups, [(accounts["Adam"].user_id, "sysop", "20200101000000")])
    site.db.insert_many(BlockTarget, [(1, accounts["Carl"].user_id)], ("bt_id", "bt_user"))
    block = {"bl_target": 1, "bl_by_actor": 1, "bl_reason_id": 1, "bl_deleted": 1,
             "bl_timestamp": "20240101000000", "bl_expiry": "infinity"}  # fmt: skip
    site.db.insert_many(Block, [tuple(block.values())], tuple(block))
    tree = Browser(site).page("/wiki/Special:ListUsers")
    assert _accounts(tree) == [("Ada", "bureaucrat, sysop"), ("Adam", "bot"), ("Bob & <b>", "")]
    assert len(_accounts(Browser(site).page("/wiki/Special:ListUsers/sysop"))) == 1


def _accounts(tree: LexborHTMLParser) -> list[tuple[str, str]]:
    """Return name and groups of the accounts that a page lists."""
    rows = [texts(row, "td") for row in tree.css("main tbody tr")]
    return [(name, groups) for name, groups, *_ in rows]


def test_lists_for_maintenance(wiki: Browser) -> None:
    tree = wiki.page("/wiki/Special:MostLinkedPages")
    assert "Main Page (2)" not in texts(tree, ".report li")
    assert texts(tree, ".report li") == ["Tea (2)"]
    wanted_pages = wiki.page("/wiki/Special:WantedPages")
    assert "Nothing here (1)" in texts(wanted_pages, ".report li")
    assert attribute(wanted_pages, ".report a", "class") == "new"
    redirects = wiki.page("/wiki/Special:ListRedirects")
    assert texts(redirects, ".report li") == ["Chai → Tea", "Loop → Chai"]
    assert "bytes)" in texts(wiki.page("/wiki/Special:LongPages"), ".report li")[0]
    assert wiki.get("/wiki/Special:UnwatchedPages").status == 404


def test_users_without_a_page_are_linked_to_their_contributions(wiki: Browser) -> None:
    tree = wiki.page("/w/index.php", "title=Tea&action=history")
    assert links(tree, ".facts > a:has(bdi)") == [
        "/wiki/Special:Contributions/192.0.2.7",
        "/wiki/User:Ada",
        "/wiki/User:Ada",
    ]
    missing = parsed(wiki.get("/wiki/User_talk:192.0.2.7"))
    assert "/wiki/Special:Contributions/192.0.2.7" in links(missing, "main a")


@pytest.mark.parametrize(
    ("asked", "proposed"),
    [
        ("tea", "Tea"),
        ("Cofee", "Coffee"),
        ("Cofffees", "Coffee"),
        ("Quotes_and_apostrophes", "Quotes \"and\" 'apostrophes' & more"),
        ("The_coffee_house", "Coffee"),
        ("Help:Below", "Help:Topic/Below"),
    ],
)
def test_a_missing_page_proposes_titles(wiki: Browser, asked: str, proposed: str) -> None:
    reply = wiki.get(f"/wiki/{asked}")
    if reply.status == 301:
        return
    assert reply.status == 404
    assert texts(parsed(reply), "main h2 + ul a")[0] == proposed


def test_related_changes(make_site: Callable[..., Site]) -> None:
    pages = {"Hub": "[[Tea]] [[Missing]]", "Tea": "[[Cup]]", "Cup": "x", "Far": "y"}
    browser = Browser(make_site(pages))

    def titles_of(query: str) -> list[str]:
        return texts(browser.page("/w/index.php", query), ".revisions strong a")

    name = "title=Special:RecentChangesLinked"
    assert titles_of(f"{name}&target=Hub") == ["Tea"]
    assert texts(browser.page("/wiki/Special:RecentChangesLinked/Tea"), ".revisions a")[0] == "Cup"
    assert titles_of(f"{name}&target=Tea&showlinkedto=1") == ["Hub"]
    assert titles_of(f"{name}&target=Nowhere") == []
    assert browser.page("/wiki/Special:RecentChangesLinked").css_first("#target") is not None
    feed = browser.index(f"{name}/Tea&feed=atom&showlinkedto=1").headers["location"]
    assert "target=Tea" in feed
    assert "showlinkedto=1" in feed
    assert browser.index(f"{name}&target=a%5Bb").status == 400


def test_templates_are_expanded(make_site: Callable[..., Site]) -> None:
    browser = Browser(make_site({"Template:Box": "in a [[box]] of {{PAGENAME}}"}))
    form = {"title": "Special:ExpandTemplates", "wpInput": "{{Box}} <b>", "wpContextTitle": "Tea"}
    assert texts(parsed(browser.post(form)), "textarea") == [
        "{{Box}} <b>",
        "in a [[box]] of Tea <b>",
    ]
    refused = parsed(browser.post({**form, "wpContextTitle": "a[b"}))
    assert texts(refused, "[role=alert] p")
    assert len(texts(browser.page("/wiki/Special:ExpandTemplates"), "textarea")) == 1


def test_the_sandbox_is_the_explorer(make_site: Callable[..., Site]) -> None:
    reply = Browser(make_site({})).get("/wiki/Special:ApiSandbox")
    assert (reply.status, reply.headers["location"]) == (302, "/explore")
    without = make_site({}, config={"plugins": {"disabled": ["explorer"]}})
    assert Browser(without).get("/wiki/Special:ApiSandbox").status == 404
