"""``Special:Export``, as archivers and importing wikis use it."""

from __future__ import annotations

from collections.abc import Callable
from gzip import GzipFile
from io import BytesIO
from xml.etree import ElementTree

import pytest

from tests.plugins.web.readers import Browser, parsed
from tests.plugins.web.readerwiki import PAGES, reader_wiki
from wikiapi.api import exportxml
from wikiapi.site import Site
from wikiapi.testing.declaration import Edit
from wikiapi_plugins.web.reader.views import export

EXPORT = "{http://www.mediawiki.org/xml/export-0.11/}"
TEA = ["Tea is hot.", "Tea is hot.\n\nMilk is cold."]


def texts_by_title(text: str) -> dict[str, list[str]]:
    """The texts of each page in an export."""
    root = ElementTree.fromstring(text)
    return {
        page.findtext(f"{EXPORT}title", ""): [
            revision.findtext(f"{EXPORT}text", "") for revision in page.iter(f"{EXPORT}revision")
        ]
        for page in root.iter(f"{EXPORT}page")
    }


def post_export(wiki: Browser, pages: str, **form: str) -> dict[str, list[str]]:
    reply = wiki.post({"title": "Special:Export", "pages": pages, "action": "submit", **form})
    assert reply.status == 200, reply.text
    return texts_by_title(reply.text)


def test_an_address_exports_the_current_revision(wiki: Browser) -> None:
    reply = wiki.get("/wiki/Special:Export/Tea")
    assert reply.headers["content-type"] == "application/xml; charset=utf-8"
    assert reply.headers["x-robots-tag"] == "noindex,nofollow"
    (tea,) = texts_by_title(reply.text)["Tea"]
    assert tea.startswith("'''Tea''' is a drink.")
    named = wiki.index("title=Special:Export&pages=Coffee%0ATea%0Acoffee%0ANothing")
    assert list(texts_by_title(named.text)) == ["Coffee", "Tea"]
    assert len(texts_by_title(wiki.index("title=Special:Export/Tea&history=1").text)["Tea"]) == 3


def test_it_is_what_the_api_exports(wiki: Browser) -> None:
    for title in ("Tea", "Chai", "File:Photo.png"):
        api = wiki.get("/w/api.php", f"action=query&titles={title}&export=1&exportnowrap=1")
        assert wiki.index(f"title=Special:Export&pages={title}").text == api.text


def test_a_form_exports_histories_unless_told_otherwise(wiki: Browser) -> None:
    assert post_export(wiki, "Tea")["Tea"][:2] == TEA
    assert len(post_export(wiki, "Tea", curonly="1")["Tea"]) == 1
    assert len(post_export(wiki, "Tea", history="1", limit="1")["Tea"]) == 3


def test_histories_come_in_parts(make_site: Callable[..., Site]) -> None:
    edits = [Edit(f"text {n}", timestamp=f"202601010000{n:02}") for n in range(20)]
    wiki = Browser(reader_wiki(make_site, {"Long": edits}))
    assert post_export(wiki, "Long", limit="2")["Long"] == ["text 0", "text 1"]
    assert post_export(wiki, "Long", offset="1", limit="2")["Long"] == ["text 0", "text 1"]
    after = post_export(wiki, "Long", offset="2026-01-01T00:00:01Z", limit="3")["Long"]
    assert after == ["text 2", "text 3", "text 4"]
    newest = post_export(wiki, "Long", dir="desc", limit="2", offset="20260101000010")["Long"]
    assert newest == ["text 9", "text 8"]
    last = wiki.post({"title": "Special:Export", "pages": "Long", "offset": "20270101000000"})
    assert texts_by_title(last.text) == {}
    bad = wiki.post({"title": "Special:Export", "pages": "Long", "offset": "soon"})
    assert bad.status == 400


def test_parameters_may_be_in_the_address_of_a_post(wiki: Browser) -> None:
    query = "title=Special:Export&pages=Tea&action=submit&offset=1&limit=1000"
    assert texts_by_title(wiki.post({}, query).text)["Tea"][:2] == TEA


def test_templates_are_exported_with_their_pages(make_site: Callable[..., Site]) -> None:
    more = {"User": "{{Inner}}", "Template:Inner": "{{Deep}}", "Template:Deep": "x"}
    wiki = Browser(reader_wiki(make_site, more))
    assert list(post_export(wiki, "User", curonly="1")) == ["User"]
    with_templates = post_export(wiki, "User", curonly="1", templates="1")
    assert sorted(with_templates) == ["Template:Deep", "Template:Inner", "User"]


def test_the_pages_of_a_category_are_added_to_the_form(wiki: Browser) -> None:
    reply = wiki.post(
        {"title": "Special:Export", "catname": "Drinks", "addcat": "1", "pages": "Main Page"}
    )
    area = parsed(reply).css_first("textarea[name=pages]")
    named = area.text().strip().split("\n")
    assert sorted(named) == ["Coffee", "File:Photo.png", "Main Page", "Tea"]
    assert sorted(post_export(wiki, "\n".join(named), curonly="1")) == sorted(named)
    nothing = wiki.index("title=Special:Export&addcat=1&catname=a[b")
    assert nothing.status == 200


def test_without_pages_there_is_a_form(wiki: Browser) -> None:
    tree = wiki.page("/wiki/Special:Export")
    assert tree.css_first("form[method=post] textarea[name=pages]") is not None
    assert texts_by_title(wiki.index("title=Special:Export&pages=Nothing").text) == {}


def test_an_export_may_be_saved(wiki: Browser) -> None:
    reply = wiki.index("title=Special:Export&pages=Tea&wpDownload=1")
    disposition = reply.headers["content-disposition"]
    assert disposition.startswith("attachment;filename=Teahouse-20")
    assert disposition.endswith(".xml")


def test_hidden_texts_are_not_exported(make_site: Callable[..., Site]) -> None:
    site = reader_wiki(make_site)
    site.db.execute_sql("UPDATE revision SET rev_deleted = 7 WHERE rev_id = 2")
    text = Browser(site).post({"title": "Special:Export", "pages": "Tea"}).text
    assert texts_by_title(text)["Tea"][:2] == ["", TEA[1]]
    assert "begin" not in text
    assert text.count('deleted="deleted"') == 3


def test_a_large_export_is_sent_in_pieces(
    make_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "_REVISIONS_TOGETHER", 3)
    monkeypatch.setattr(exportxml, "TOGETHER", 50_000)
    long = [f"{n} {'x' * 20_000}" for n in range(40)]
    wiki = Browser(reader_wiki(make_site, {"Long": long}))
    reply = wiki.post({"title": "Special:Export", "pages": "Long\nTea"})
    assert "content-length" not in reply.headers
    pages = texts_by_title(reply.text)
    assert pages["Long"] == long
    assert len(pages["Tea"]) == 3
    query = "title=Special:Export&pages=Long%0ATea&history=1"
    packed = wiki.get("/w/index.php", query, Accept_Encoding="gzip")
    assert packed.headers["content-encoding"] == "gzip"
    assert GzipFile(fileobj=BytesIO(packed.body)).read().decode() == reply.text


def test_current_revisions_cost_a_fixed_number_of_queries(
    make_site: Callable[..., Site],
) -> None:
    site = reader_wiki(make_site)
    counts = []
    # The first request also asks which messages the wiki has changed.
    post_export(Browser(site), "Tea", curonly="1")
    for names in (["Tea", "Chai"], list(PAGES)):
        with site.db.recording() as asked:
            post_export(Browser(site), "\n".join(names), curonly="1")
        counts.append(len(asked))
    assert counts[0] == counts[1] <= 6


def test_the_number_of_pages_is_bounded(wiki: Browser) -> None:
    reply = wiki.post({"title": "Special:Export", "pages": "Tea\n" * 20_001})
    assert reply.status == 400
    assert post_export(wiki, "Tea\n" * 1000, curonly="1").keys() == {"Tea"}


def test_templates_of_many_pages(make_site: Callable[..., Site]) -> None:
    many = {f"Page {n}": f"{{{{T{n % 3}}}}}" for n in range(600)}
    wiki = Browser(reader_wiki(make_site, {**many, "Template:T1": "x"}))
    pages = post_export(wiki, "\n".join(many), curonly="1", templates="1")
    assert len(pages) == 601
