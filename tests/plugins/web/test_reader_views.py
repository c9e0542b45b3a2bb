"""Histories, differences, sources and earlier revisions."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

import pytest

from tests.plugins.web.readers import Browser, attribute, links, parsed, texts
from tests.plugins.web.readerwiki import EVIL, PAGES, reader_wiki
from wikiapi.site import Site

FIRST = 2
"""The first revision of Tea; two more follow."""
LAST = 4


def test_index_php_leads_to_the_page(wiki: Browser) -> None:
    assert wiki.index("title=Tea").headers["location"] == "/wiki/Tea"
    assert wiki.index("curid=2").headers["location"] == "/wiki/Tea"
    assert wiki.index("").headers["location"] == "/wiki/Main_Page"
    assert wiki.get("/w/index.php/Tea").status == 200
    assert wiki.index("curid=999").status == 404
    assert wiki.index("title=a[b").status == 400


def test_an_action_that_is_not_here_is_not_answered_with_the_page(wiki: Browser) -> None:
    for action in ("unheard", "protect", "credits"):
        reply = wiki.index(f"title=Tea&action={action}")
        assert reply.status == 404
        assert texts(parsed(reply), "main p") == [f"There is no action “{action}” here."]
    assert wiki.index("title=Tea&action=RAW").text == wiki.index("title=Tea&action=raw").text


def test_an_earlier_revision_is_marked_as_such(wiki: Browser) -> None:
    for query in (f"title=Tea&oldid={FIRST + 1}", f"oldid={FIRST + 1}", "title=Coffee&oldid=3"):
        tree = wiki.page("/w/index.php", query)
        assert texts(tree, "h1") == ["Tea"]
        assert "Milk is cold." in tree.css_first(".mw-parser-output").text()
        assert links(tree, ".notice .pager a")[0] == f"/w/index.php?title=Tea&oldid={FIRST}"
    current = wiki.page("/w/index.php", f"title=Tea&oldid={LAST}")
    assert texts(current, ".notice") == []
    assert wiki.index("oldid=999").status == 404


def test_the_history_lists_revisions(wiki: Browser) -> None:
    tree = wiki.page("/w/index.php", "title=Tea&action=history")
    assert len(tree.css(".revisions li")) == 3
    assert texts(tree, ".facts > a > bdi") == ["192.0.2.7", "Ada", "Ada"]
    assert texts(tree, ".revisions abbr") == ["m"]
    assert EVIL not in tree.html
    assert "<script>alert(1)</script>" in texts(tree, ".summary")[0]
    assert links(tree, ".summary a")[-1] == "/wiki/Main_Page"
    checked = [node.attributes["value"] for node in tree.css("input[checked]")]
    assert checked == [str(LAST), str(LAST - 1)]
    assert wiki.index("title=Nothing&action=history").status == 404


def test_a_long_history_is_shown_in_parts(make_site: Callable[..., Site]) -> None:
    wiki = Browser(reader_wiki(make_site, {"Long": [f"text {n}" for n in range(120)]}))
    seen: list[str | None] = []
    url: str | None = "/w/index.php?title=Long&action=history"
    while url:
        tree = wiki.page(*url.partition("?")[::2])
        seen += [node.attributes["value"] for node in tree.css('input[name="diff"]')]
        url = next(iter(links(tree, ".pager a[rel=next]")), None)
    assert len(set(seen)) == 120
    assert [int(str(number)) for number in seen] == sorted(map(int, map(str, seen)), reverse=True)


@pytest.mark.parametrize(
    ("query", "added"),
    [
        (f"title=Tea&diff=prev&oldid={FIRST + 1}", "Milk is cold."),
        (f"title=Tea&diff={FIRST + 1}&oldid={FIRST}", "Milk is cold."),
        (f"title=Tea&diff=next&oldid={FIRST}", "Milk is cold."),
        (f"diff={FIRST + 1}", "Milk is cold."),
        (f"title=Tea&diff=cur&oldid={FIRST}", "is a drink."),
        (f"title=Tea&diff=0&oldid={FIRST}", "is a drink."),
        ("title=Tea&diff=cur", "is a drink."),
        (f"title=Tea&diff=next&oldid={LAST}", "is a drink."),
        (f"title=Tea&diff={FIRST}", "Tea is hot."),
    ],
)
def test_differences(wiki: Browser, query: str, added: str) -> None:
    tree = wiki.page("/w/index.php", query)
    assert any(added in line for line in texts(tree, ".diff-addedline")), tree.html
    assert texts(tree, "h1") == ["Changes to “Tea”"]


def test_equal_revisions_have_no_difference(wiki: Browser) -> None:
    tree = wiki.page("/w/index.php", f"diff={LAST}&oldid={LAST}")
    assert tree.css_first("table.diff") is None


@pytest.mark.parametrize("query", ["diff=999", "diff=prev&oldid=999", "title=Nope&diff=cur"])
def test_no_difference_of_missing_revisions(wiki: Browser, query: str) -> None:
    assert wiki.index(query).status == 404


def test_a_difference_is_escaped(make_site: Callable[..., Site]) -> None:
    wiki = Browser(reader_wiki(make_site, {"Evil": ["x", EVIL, f"y {EVIL} z"]}))
    for query in ("title=Evil&diff=cur", f"title=Evil&{urlencode({'action': 'edit'})}"):
        assert EVIL not in wiki.index(query).text


def test_the_source_is_shown_read_only(wiki: Browser) -> None:
    tree = wiki.page("/w/index.php", "title=Coffee&action=edit&section=1")
    area = tree.css_first("textarea")
    assert "readonly" in area.attributes
    assert area.text().lstrip("\n") == PAGES["Coffee"]
    assert "read-only" in texts(tree, ".notice")[0]
    assert wiki.index("title=Coffee&action=submit").status == 200


def test_a_source_cannot_leave_its_box(make_site: Callable[..., Site]) -> None:
    text = f"</textarea>{EVIL}"
    wiki = Browser(reader_wiki(make_site, {"Evil": text}))
    reply = wiki.index("title=Evil&action=edit")
    assert EVIL not in reply.text
    assert parsed(reply).css_first("textarea").text().lstrip("\n") == text


@pytest.mark.parametrize(
    ("query", "revision"),
    [
        (f"oldid={FIRST}&direction=next", FIRST + 1),
        (f"oldid={LAST}&direction=prev", FIRST + 1),
        (f"oldid={FIRST}&direction=prev", FIRST),
        (f"oldid={LAST}&direction=next", LAST),
        (f"oldid={FIRST}&direction=cur", LAST),
    ],
)
def test_a_direction_leads_to_the_revision_beside(wiki: Browser, query: str, revision: int) -> None:
    page = wiki.page("/w/index.php", f"title=Tea&{query}")
    meant = wiki.page("/w/index.php", f"title=Tea&oldid={revision}")
    assert texts(page, ".mw-parser-output") == texts(meant, ".mw-parser-output")


def test_raw_text_of_the_revision_beside(wiki: Browser) -> None:
    raw = f"title=Tea&action=raw&oldid={FIRST}"
    assert wiki.index(f"{raw}&direction=next").text == "Tea is hot.\n\nMilk is cold."
    beyond = wiki.index(f"{raw}&direction=prev")
    assert (beyond.status, beyond.body) == (404, b"")


def test_raw_text_of_a_section(wiki: Browser) -> None:
    raw = "title=Tea&action=raw&section"
    assert wiki.index(f"{raw}=2").text == "=== Sencha ===\nJapan."
    assert wiki.index(f"{raw}=0").text == "'''Tea''' is a drink."
    for other in ("x", "%22", "-1"):
        assert wiki.index(f"{raw}={other}").text == wiki.index("title=Tea&action=raw").text
    missing = wiki.index(f"{raw}=9")
    assert (missing.status, missing.body) == (404, b"")


def test_raw_text_with_its_templates_expanded(wiki: Browser) -> None:
    reply = wiki.index("title=Coffee&action=raw&templates=expand")
    assert reply.text == "Coffee is bitter. Coffee [[Category:Drinks]]"


def test_raw_text_of_a_missing_page_is_empty(wiki: Browser) -> None:
    reply = wiki.index("title=Nothing&action=raw")
    assert (reply.status, reply.body) == (404, b"")


@pytest.mark.parametrize(
    ("title", "content_type", "status", "sent"),
    [
        ("MediaWiki:Gadget.js", "text/javascript", 200, "text/javascript"),
        ("User:Ada/common.js", "text/javascript", 200, "text/javascript"),
        ("User:Ada", "text/javascript", 403, "text/html"),
        ("Tea", "text/javascript", 403, "text/html"),
        ("Tea", "text/css", 200, "text/css"),
        ("Tea", "application/json", 200, "application/json"),
        ("Tea", "text/html", 200, "text/x-wiki"),
    ],
)
def test_raw_text_has_the_type_that_is_wanted_if_it_is_harmless(
    make_site: Callable[..., Site], title: str, content_type: str, status: int, sent: str
) -> None:
    wiki = Browser(reader_wiki(make_site, {"User:Ada/common.js": "alert(1)"}))
    reply = wiki.index(f"title={title}&action=raw&ctype={content_type}")
    assert (reply.status, reply.headers["content-type"].partition(";")[0]) == (status, sent)


def test_render_sends_the_html_of_the_page_alone(wiki: Browser) -> None:
    reply = wiki.index("title=Main_Page&action=render")
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    assert "<html" not in reply.text
    tree = parsed(reply)
    assert texts(tree, "body > .mw-parser-output > p") == ["Welcome to Tea and Nothing here."]
    assert links(tree)[0] == "http://127.0.0.1:8080/wiki/Tea"
    assert "#" in links(parsed(wiki.index("title=Tea&action=render")), "sup a")[0]
    old = wiki.index(f"title=Tea&action=render&oldid={FIRST}")
    assert texts(parsed(old), "p") == ["Tea is hot."]
    assert wiki.index("title=Nothing&action=render").status == 404


def facts(wiki: Browser, title: str) -> dict[str, str]:
    tree = wiki.page("/w/index.php", f"title={title}&action=info")
    return {
        str(row.attributes["id"]).removeprefix("mw-pageinfo-"): row.css_first("td").text()
        for row in tree.css(".mw-page-info tr")
    }


def test_information_about_a_page(wiki: Browser) -> None:
    tea = facts(wiki, "Tea")
    assert tea["article-id"] == "2"
    assert tea["namespace-id"] == "0"
    assert tea["edits"] == "3"
    assert tea["redirects"] == "1"
    assert (tea["firstuser"], tea["lastuser"]) == ("Ada", "192.0.2.7")
    assert tea["content-model"] == "wikitext"
    assert tea["protect-edit"] == "everybody"
    assert facts(wiki, "Chai")["redirectsto"] == "Tea"
    assert facts(wiki, "Help:Topic")["subpages-name"] == "1"
    assert facts(wiki, "Odd")["robot-policy"] == "may not index the page"
    assert wiki.index("title=Nothing&action=info").status == 404


def test_information_hides_what_is_suppressed(make_site: Callable[..., Site]) -> None:
    site = reader_wiki(make_site)
    hide(site, FIRST, 4)
    assert facts(Browser(site), "Tea")["firstuser"] == "(user hidden)"


def test_the_raw_text_runs_nowhere(wiki: Browser) -> None:
    reply = wiki.index("title=MediaWiki:Gadget.js&action=raw")
    assert reply.text == PAGES["MediaWiki:Gadget.js"]
    assert reply.headers["content-type"] == "text/x-wiki; charset=UTF-8"
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in reply.headers["content-security-policy"]
    assert wiki.index(f"title=Tea&action=raw&oldid={FIRST}").text == "Tea is hot."
    again = wiki.get(
        "/w/index.php",
        "title=Coffee&action=raw",
        If_None_Match=wiki.index("title=Coffee&action=raw").headers["etag"],
    )
    assert again.status == 304


def hide(site: Site, revision: int, bits: int) -> None:
    site.db.execute_sql("UPDATE revision SET rev_deleted = ? WHERE rev_id = ?", (bits, revision))


def test_suppressed_texts_are_never_shown(make_site: Callable[..., Site]) -> None:
    site = reader_wiki(make_site)
    hide(site, FIRST + 1, 1)
    wiki = Browser(site)
    for query in (
        f"title=Tea&oldid={FIRST + 1}",
        f"title=Tea&oldid={FIRST + 1}&action=raw",
        f"title=Tea&oldid={FIRST + 1}&action=edit",
        f"title=Tea&oldid={FIRST + 1}&diff=prev",
        f"title=Tea&oldid={FIRST}&diff={FIRST + 1}",
        f"title=Tea&oldid={FIRST + 1}&diff=cur",
    ):
        reply = wiki.index(query)
        assert reply.status == 403, query
        assert "Milk" not in reply.text
    history = wiki.page("/w/index.php", "title=Tea&action=history")
    assert f"/w/index.php?title=Tea&oldid={FIRST + 1}" not in links(history)


def test_suppressed_names_and_summaries_are_never_shown(make_site: Callable[..., Site]) -> None:
    site = reader_wiki(make_site)
    hide(site, FIRST, 2 | 4)
    wiki = Browser(site)
    history = wiki.page("/w/index.php", "title=Tea&action=history")
    assert texts(history, ".hidden") == ["(user hidden)", "(summary hidden)"]
    for query in (f"title=Tea&oldid={FIRST}", f"title=Tea&diff={FIRST}"):
        text = wiki.index(query).text
        assert "Ada" not in text
        assert "begin" not in text
    changes = wiki.page("/wiki/Special:RecentChanges")
    assert texts(changes, ".hidden") == ["(user hidden)", "(summary hidden)"]


def test_a_hidden_newest_text_hides_the_page(make_site: Callable[..., Site]) -> None:
    site = reader_wiki(make_site)
    hide(site, LAST, 1)
    wiki = Browser(site)
    assert wiki.get("/wiki/Tea").status == 403
    results = wiki.page("/w/index.php", "title=Special:Search&search=leaves&fulltext=1")
    assert texts(results, ".results a") == []


def test_user_names_of_other_wikis_are_no_links(make_site: Callable[..., Site]) -> None:
    from wikiapi.testing.declaration import Edit

    wiki = Browser(reader_wiki(make_site, {"New": Edit("x", user="far>Bob")}))
    tree = wiki.page("/w/index.php", "title=New&action=history")
    assert "far>Bob" in texts(tree, ".facts bdi")
    assert attribute(tree, "main", "id") == "content"
