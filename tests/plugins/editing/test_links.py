"""Links are derived when a change is committed, while others may write."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.plugins.editing.pageactions.actors import Actors
from wikiapi.pages.links.check import check_links, skipping_unreadable
from wikiapi.pages.links.deriver import LinkDeriver
from wikiapi.pages.links.pending import update_waiting
from wikiapi.pages.links.update import LinksUpdate
from wikiapi.site import Site
from wikiapi.store import PageLinkSet
from wikiapi.store.check import Severity
from wikiapi.store.models import Category
from wikiapi.store.sql.batches import Key
from wikiapi.store.write.counts import recount_categories_of
from wikiapi.wikitext import Parser

TEMPLATE = {"Template:Box": "[[Category:Old]]", "Tea": "{{Box}}", "Milk": "x"}


pytestmark = pytest.mark.wiki(TEMPLATE)


def categories(wiki: Actors, title: str) -> list[str]:
    page = wiki.query(titles=title, prop="categories")["pages"][0]
    return [category["title"] for category in page.get("categories", [])]


def findings(site: Site) -> list[str]:
    derive = skipping_unreadable(LinkDeriver(site).derive)
    return [finding.problem for finding in check_links(site.db, derive, None, lambda _: None)]


CHANGES: list[tuple[str, dict[str, Any]]] = [
    ("edit", {"title": "Tea", "text": "{{Box}} [[Milk]]"}),
    ("edit", {"title": "Template:Box", "text": "[[Category:New]]"}),
    ("edit", {"title": "Tea", "text": "{{subst:Box}}"}),
    ("edit", {"title": "Tea", "text": "{{Box}}"}),
    ("edit", {"title": "Cocoa", "section": "new", "sectiontitle": "A", "text": "{{Box}}"}),
    ("move", {"from": "Tea", "to": "Chai", "reason": "r"}),
    ("protect", {"title": "Milk", "protections": "edit=sysop"}),
    ("rollback", {"title": "Template:Box", "user": "Admin"}),
    ("delete", {"title": "Template:Box"}),
    ("undelete", {"title": "Template:Box"}),
    ("changecontentmodel", {"title": "Milk", "model": "text"}),
    ("purge", {"titles": "Chai", "forcerecursivelinkupdate": True}),
    ("stashedit", {"title": "Chai", "text": "{{Box}}", "baserevid": 0, "contentmodel": "wikitext",
                   "contentformat": "text/x-wiki"}),
]  # fmt: skip


def test_nothing_is_parsed_while_others_cannot_write(
    wiki: Actors, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[bool] = []
    rendering = Parser._rendering

    def watched(parser: Parser, *args: Any) -> Any:
        parsed.append(parser.site.db.is_in_transaction)
        return rendering(parser, *args)

    monkeypatch.setattr(Parser, "_rendering", watched)
    for action, params in CHANGES:
        before = len(parsed)
        answer = wiki.act("Admin", action, **params)
        assert answer.codes in ("", "alreadyrolled", "onlyauthor"), action
        assert not any(parsed[before:]), action
    assert parsed
    assert findings(wiki.site) == []


class Meanwhile:
    """Lets somebody else write when links have been derived for the first time."""

    def __init__(self, wiki: Actors, monkeypatch: pytest.MonkeyPatch, *change: Any) -> None:
        self._wiki, self._change = wiki, change
        self._derive = LinkDeriver.derive
        monkeypatch.setattr(LinkDeriver, "derive", lambda *args: self.derive(*args))

    def derive(self, deriver: LinkDeriver, keys: Sequence[Key]) -> list[PageLinkSet]:
        links = self._derive(deriver, keys)
        if self._change:
            (action, params), self._change = self._change, ()
            assert self._wiki.act("Admin", action, **params).codes == ""
        return links


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("edit", {"title": "Template:Box", "text": "[[Category:New]]"}), ["Category:New"]),
        (("delete", {"title": "Template:Box"}), []),
        (("edit", {"title": "Coffee", "text": "[[Category:Own]]"}), ["Category:Own"]),
        (("edit", {"title": "Milk", "text": "y"}), ["Category:Old"]),
    ],
    ids=["template", "deleted template", "page", "other page"],
)
def test_links_fit_what_others_have_written_meanwhile(
    wiki: Actors,
    monkeypatch: pytest.MonkeyPatch,
    change: tuple[str, dict[str, Any]],
    expected: list[str],
) -> None:
    Meanwhile(wiki, monkeypatch, *change)
    assert wiki.act("Ada", "edit", title="Coffee", text="{{Box}}").codes == ""
    assert categories(wiki, "Coffee") == expected
    assert findings(wiki.site) == []


def test_a_page_that_is_deleted_meanwhile_has_no_links(
    wiki: Actors, monkeypatch: pytest.MonkeyPatch
) -> None:
    Meanwhile(wiki, monkeypatch, "delete", {"title": "Coffee"})
    assert wiki.act("Ada", "edit", title="Coffee", text="{{Box}}").codes == ""
    members = wiki.query(list="categorymembers", cmtitle="Category:Old")["categorymembers"]
    assert [page["title"] for page in members] == ["Template:Box", "Tea"]


def test_links_that_cannot_be_derived_are_derived_later(
    wiki: Actors, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise MemoryError

    with monkeypatch.context() as context:
        context.setattr(LinkDeriver, "derive", fail)
        assert wiki.act("Ada", "edit", title="Coffee", text="{{Box}}").codes == ""
    assert categories(wiki, "Coffee") == []
    assert LinksUpdate(wiki.site).count() == 1
    update_waiting(wiki.site)
    assert LinksUpdate(wiki.site).count() == 0
    assert categories(wiki, "Coffee") == ["Category:Old"]
    assert findings(wiki.site) == []


def test_an_update_of_all_links_leaves_out_what_is_written_meanwhile(
    wiki: Actors, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiki.site.db.execute_sql("UPDATE page SET page_links_updated = NULL")
    Meanwhile(wiki, monkeypatch, "edit", {"title": "Template:Box", "text": "[[Category:New]]"})
    LinksUpdate(wiki.site).run()
    LinksUpdate(wiki.site).run()
    assert categories(wiki, "Tea") == ["Category:New"]
    assert findings(wiki.site) == []


def test_a_page_may_be_in_any_number_of_categories(wiki: Actors) -> None:
    names = [f"C{number}" for number in range(40_000)]
    text = "\n".join(f"[[Category:{name}]]" for name in names)
    assert wiki.act("Ada", "edit", title="Milk", text=text).codes == ""
    assert wiki.site.db.scalar(Category.select().where(Category.cat_title == names[-1]))
    assert wiki.act("Ada", "edit", title="Milk", text="none").codes == ""
    assert wiki.site.db.scalar(Category.select().where(Category.cat_title == names[-1])) is None


def test_categories_are_counted_with_few_statements(wiki: Actors) -> None:
    db = wiki.site.db
    with db.recording() as records, db.atomic():
        recount_categories_of(db, {f"Missing {number}" for number in range(1000)})
    assert len(records) <= 10


def test_findings_are_errors_unless_links_wait(wiki: Actors) -> None:
    wiki.site.db.execute_sql("UPDATE page SET page_links_updated = NULL WHERE page_title = 'Tea'")
    derive = skipping_unreadable(LinkDeriver(wiki.site).derive)
    (finding,) = check_links(wiki.site.db, derive, None, lambda _: None)
    assert finding.severity is Severity.WARNING


def test_new_targets_that_exist_are_listed_before_those_that_do_not(wiki: Actors) -> None:
    wiki.act("Ada", "edit", title="Cup", text="[[Kettle]] [[User:Ada]] [[Tea]] [[Milk]] [[Leaf]]")
    links = wiki.query(list="alllinks", alprop="title")["alllinks"]
    assert [link["title"] for link in links] == ["Milk", "Tea", "Kettle", "Leaf"]


def test_a_style_sheet_with_the_text_of_a_redirect_shows_what_that_names(wiki: Actors) -> None:
    wiki.act("Ada", "edit", title="User:Ada/a.css", text="#REDIRECT [[File:X.png]]")
    (page,) = wiki.query(titles="User:Ada/a.css", prop="images|links|info")["pages"]
    assert [image["title"] for image in page["images"]] == ["File:X.png"]
    assert "links" not in page
    assert "redirect" not in page
