from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from wikiapi.importing.finish import finish_import
from wikiapi.pages.links import update
from wikiapi.pages.links.update import LinksUpdate, mark_all
from wikiapi.site import Site
from wikiapi.title.title import Title
from wikiapi.wikitext import Parser, ParserOutput


@pytest.fixture
def linked(make_site: Callable[..., Site]) -> Callable[[Mapping[str, str]], Site]:
    def make(pages: Mapping[str, str]) -> Site:
        site = make_site(pages, interwiki={"de": "https://de.example/wiki/$1"})
        LinksUpdate(site).run()
        finish_import(site)
        return site

    return make


def targets(site: Site, table: str, prefix: str) -> list[Any]:
    return site.db.execute_sql(
        f"SELECT {prefix}_from, lt_namespace, lt_title, {prefix}_from_namespace FROM {table}"
        f" JOIN linktarget ON lt_id = {prefix}_target_id ORDER BY 1, 2, 3"
    )


def test_pages_and_templates(linked: Callable[..., Site]) -> None:
    site = linked(
        {
            "A": "[[b c#x|label]] {{Box|[[In argument]]}} {{Missing}}",
            "Template:Box": "{{{1}}} [[Via box]]",
        }
    )
    assert targets(site, "templatelinks", "tl") == [(1, 10, "Box", 0), (1, 10, "Missing", 0)]
    assert targets(site, "pagelinks", "pl") == [
        (1, 0, "B_c", 0),
        (1, 0, "In_argument", 0),
        (1, 0, "Via_box", 0),
        (1, 10, "Missing", 0),
        (2, 0, "Via_box", 10),
    ]


@pytest.mark.parametrize(
    ("title", "text", "target"),
    [
        ("MediaWiki:A.css", "#REDIRECT [[B]]", None),
        (
            "MediaWiki:A.css",
            "/* #REDIRECT */@import url({raw}MediaWiki:B%26c.css&action=raw&ctype=text/css);",
            (8, "B&c.css"),
        ),
        (
            "MediaWiki:A.js",
            '/* #REDIRECT */mw.loader.load("{raw}MediaWiki:B.js{script}");',
            (8, "B.js"),
        ),
        ("MediaWiki:A.js", '/* #REDIRECT */load("?title=B.js{script}");', None),
    ],
)
def test_redirects_of_other_content_models(
    linked: Callable[..., Site], title: str, text: str, target: tuple[int, str] | None
) -> None:
    host = linked({"A": ""}).config.site.server.partition("://")[2]
    script = r"\u0026action=raw\u0026ctype=text/javascript"
    raw = f"//{host}/w/index.php?title="
    site = linked({title: text.replace("{raw}", raw).replace("{script}", script)})
    rows = site.db.execute_sql("SELECT rd_namespace, rd_title FROM redirect")
    assert rows == ([target] if target else [])
    assert site.db.execute_sql("SELECT page_is_redirect FROM page") == [(int(target is not None),)]


def test_files_and_addresses(linked: Callable[..., Site]) -> None:
    site = linked({"A": "[[File:Some picture.png]] https://www.example.org:81/a?b [//e.org x]"})
    assert site.db.execute_sql("SELECT * FROM imagelinks") == [(1, "Some_picture.png", 0)]
    assert site.db.execute_sql(
        "SELECT el_from, el_to_domain_index, el_to_path FROM externallinks ORDER BY 2"
    ) == [(1, "https://org.e.", "/"), (1, "https://org.example.www.:81", "/a?b")]


def test_what_is_requested_is_not_linked(linked: Callable[..., Site]) -> None:
    site = linked({"A": "{{#ifexist:B c#d|x}} {{#ifexist:Special:Log|x}} {{#ifexist:de:A|x}}"})
    assert site.db.execute_sql("SELECT * FROM pagelinks") == []
    assert site.db.execute_sql(
        "SELECT exl_from, lt_namespace, lt_title FROM existencelinks"
        " JOIN linktarget ON lt_id = exl_target_id"
    ) == [(1, 0, "B_c")]


def test_special_pages_are_not_linked(linked: Callable[..., Site]) -> None:
    site = linked({"A": "[[Special:Log]] [[Media:X.png]]"})
    assert targets(site, "pagelinks", "pl") == []


@pytest.mark.parametrize(
    ("title", "text", "key", "prefix", "kind"),
    [
        ("Über das", "[[Category:C]]", "ÜBER DAS", "", "page"),
        ("Talk:Abc", "[[Category:C|key]]", "KEY\nABC", "key", "page"),
        ("Category:Sub", "[[Category:C]]", "SUB", "", "subcat"),
        ("File:X.png", "[[Category:C]]", "X.PNG", "", "file"),
        ("Abc", "{{DEFAULTSORT:Def}}[[Category:C]]", "DEF\nABC", "Def", "page"),
        ("Abc", "{{DEFAULTSORT:Def}}[[Category:C|own]]", "OWN\nABC", "own", "page"),
        ("Abc", "[[Category:C|" + "é" * 200 + "]]", "É" * 115, "é" * 127, "page"),
    ],
)  # fmt: skip
def test_categories(
    linked: Callable[..., Site], title: str, text: str, key: str, prefix: str, kind: str
) -> None:
    site = linked({title: text})
    assert site.db.execute_sql(
        "SELECT cl_sortkey, cl_sortkey_prefix, cl_type, collation_name"
        " FROM categorylinks JOIN collation ON collation_id = cl_collation_id"
    ) == [(key, prefix, kind, "uppercase")]


def test_categories_are_counted(linked: Callable[..., Site]) -> None:
    site = linked(
        {"A": "[[Category:C]]", "Category:S": "[[Category:C]]", "File:F.png": "[[Category:C]]"}
    )
    assert site.db.execute_sql("SELECT * FROM category WHERE cat_title = 'C'")[0][1:] == (
        "C",
        3,
        1,
        1,
    )


def test_other_languages_and_wikis(linked: Callable[..., Site]) -> None:
    site = linked({"A": "[[de:Seite eins]] [[:de:Zwei]]"})
    assert site.db.execute_sql("SELECT * FROM langlinks") == [(1, "de", "Seite eins")]
    assert site.db.execute_sql("SELECT * FROM iwlinks") == [(1, "de", "Zwei")]


def test_redirect_gets_its_fragment_and_flag(make_site: Callable[..., Site]) -> None:
    site = make_site({"A": "#REDIRECT [[B#Part one]]", "B": "no redirect"})
    # As a dump might say, whose <redirect> has no fragment.
    site.db.execute_sql("UPDATE redirect SET rd_fragment = ''")
    site.db.execute_sql("UPDATE page SET page_is_redirect = 1 - page_is_redirect")
    mark_all(site.db)
    LinksUpdate(site).run()
    assert site.db.execute_sql("SELECT * FROM redirect") == [(1, 0, "B", "", "Part one")]
    assert site.db.execute_sql("SELECT page_is_redirect FROM page ORDER BY page_id") == [(1,), (0,)]


def test_properties(linked: Callable[..., Site]) -> None:
    site = linked({"A": "__NOTOC__ {{DEFAULTSORT:x}}"})
    rows = site.db.execute_sql(
        "SELECT pp_propname, pp_value, pp_sortkey FROM page_props ORDER BY 1"
    )
    assert rows == [("defaultsort", "x", None), ("notoc", "", None)]


def test_articles_are_pages_that_link(linked: Callable[..., Site]) -> None:
    site = linked({"A": "[[B]]", "B": "no link", "C": "#REDIRECT [[A]]", "Talk:A": "[[A]]"})
    assert site.db.execute_sql("SELECT ss_good_articles FROM site_stats") == [(1,)]


def test_done_pages_are_not_done_again(linked: Callable[..., Site]) -> None:
    site = linked({"A": "[[B]]"})
    update = LinksUpdate(site)
    assert (update.count(), update.run()) == (0, 0)
    site.db.execute_sql("DELETE FROM pagelinks")
    mark_all(site.db)
    assert (update.count(), update.run()) == (1, 1)
    assert targets(site, "pagelinks", "pl") == [(1, 0, "B", 0)]


def test_links_of_a_changed_page_are_replaced(linked: Callable[..., Site]) -> None:
    site = linked({"A": "[[B]] [[Category:X]]"})
    site.db.execute_sql("UPDATE text SET old_text = '[[C]]'")
    mark_all(site.db)
    LinksUpdate(site).run()
    finish_import(site)
    assert targets(site, "pagelinks", "pl") == [(1, 0, "C", 0)]
    assert site.db.execute_sql("SELECT * FROM categorylinks") == []
    assert site.db.execute_sql("SELECT * FROM category") == []


def test_number_of_queries_does_not_grow_with_the_pages(make_site: Callable[..., Site]) -> None:
    text = "[[A]] {{Box}} [[Category:C]] https://e.org/"
    counts = []
    for pages in (10, 100):
        site = make_site({**{f"P{n}": text for n in range(pages)}, "Template:Box": "[[X]]"})
        with site.db.recording() as log:
            LinksUpdate(site).run()
        counts.append(len(log))
    assert counts[0] == counts[1]


def test_a_page_that_cannot_be_parsed_has_no_links_and_is_named(
    make_site: Callable[..., Site],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    site = make_site({"A": "[[X]]", "B": "[[Y]]", "C": "[[Z]]"})
    mark_all(site.db)
    links_of = Parser.links_of

    def broken(parser: Parser, text: str, title: Title, *shared: Any) -> ParserOutput:
        if title.text == "B":
            raise ZeroDivisionError("nothing divides")
        return links_of(parser, text, title, *shared)

    monkeypatch.setattr(Parser, "links_of", broken)
    assert LinksUpdate(site).run() == 3
    assert [row[2] for row in targets(site, "pagelinks", "pl")] == ["X", "Z"]
    assert "page 'B'" in caplog.records[-1].getMessage()
    assert "ZeroDivisionError: nothing divides" in caplog.records[-1].getMessage()


def test_progress_is_measured_in_pages_and_wikitext(
    make_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(update, "PAGES_PER_BATCH", 1)
    site = make_site({"Long": "x" * 9000, "Short": "x", "User:A/code.js": "y" * 9000})
    mark_all(site.db)
    links, progress = LinksUpdate(site), list[tuple[int, int]]()
    work = links.work()
    links.run(lambda pages, done: progress.append((pages, done)))
    # Scripts are not parsed.
    assert progress == [(1, 10_000), (2, 11_001), (3, 12_001)]
    assert work == 12_001
