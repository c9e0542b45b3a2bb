"""A store follows a wiki that is edited, over HTTP, and ends up with what the wiki has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.sites import SHARED
from wikiapi.errors import DumpError
from wikiapi.importing.deletion import settle_displaced
from wikiapi.importing.finish import finish_unless_done
from wikiapi.importing.live.client import LiveApi
from wikiapi.importing.live.remote import Remote
from wikiapi.importing.live.update import LiveUpdate, UpdateReport
from wikiapi.pages.links.update import LinksUpdate
from wikiapi.site import Site
from wikiapi.store.check.references import check_references
from wikiapi.testing import DeclaredUser, Edit, Wiki, ask
from wikiapi.testing.declaration import Declaration, History

PAGES: dict[str, History] = {
    "Main Page": "Hello [[World]] {{Box|1}}",
    "World": [Edit("one", user="Ada"), Edit("two", user="192.0.2.9", minor=True)],
    "Template:Box": "[[Category:Boxed]] {{{1}}}",
    "Doomed": "[[Main Page]]",
    "Moving": "#REDIRECT [[World]]",
    "Talk:World": "chat",
}
SINCE = "20200101000000"
CONTENT = """
SELECT page_id, page_namespace, page_title, page_is_redirect, page_len, rev_id, rev_timestamp,
    rev_parent_id, rev_minor_edit, rev_deleted, rev_sha1, actor_name, comment_text, old_text
FROM revision JOIN page ON page_id = rev_page JOIN actor ON actor_id = rev_actor
    JOIN comment ON comment_id = rev_comment_id JOIN slots ON slot_revision_id = rev_id
    JOIN content ON content_id = slot_content_id JOIN text ON 'tt:' || old_id = content_address
ORDER BY rev_id
"""
LINKS = """
SELECT {at}_from, lt_namespace, lt_title FROM {table} JOIN linktarget ON lt_id = {at}_target_id
ORDER BY 1, 2, 3
"""
LOGS = """
SELECT log_id, log_type, log_action, log_timestamp, actor_name, log_namespace, log_title
FROM logging JOIN actor ON actor_id = log_actor ORDER BY 1
"""
CHANGES = """
SELECT rc_timestamp, rc_namespace, rc_title, rc_this_oldid, rc_logid, rc_source
FROM recentchanges ORDER BY 1, 4, 5
"""


@pytest.fixture
def wiki() -> Iterator[Wiki]:
    with Wiki(Declaration(pages=PAGES, users=[DeclaredUser("Ada")]), SHARED) as wiki:
        wiki.clock.set(datetime(2025, 1, 2, tzinfo=UTC))
        yield wiki


@pytest.fixture
def copy(wiki: Wiki, make_site: Callable[..., Site]) -> Site:
    """Return a store with the initial state of the wiki."""
    site = make_site()
    follow(site, wiki, since=SINCE)
    return site


def follow(site: Site, wiki: Wiki, since: str | None = None) -> UpdateReport:
    report = LiveUpdate(site, Remote(LiveApi(wiki.api_url)), wiki.api_url).run(since)
    LinksUpdate(site).run()
    finish_unless_done(site)
    return report


def state(site: Site) -> dict[str, list[Any]]:
    rows = {"pages": site.db.execute_sql(CONTENT), "logs": site.db.execute_sql(LOGS)}
    rows["changes"] = site.db.execute_sql(CHANGES)
    rows["stats"] = site.db.execute_sql("SELECT ss_total_pages, ss_good_articles FROM site_stats")
    for table, at in (("pagelinks", "pl"), ("templatelinks", "tl"), ("categorylinks", "cl")):
        rows[table] = site.db.execute_sql(LINKS.format(table=table, at=at))
    return rows


def same(site: Site, wiki: Wiki) -> bool:
    assert state(site) == state(wiki.site)
    assert list(check_references(site.db)) == []
    return True


def test_everything_from_the_beginning(copy: Site, wiki: Wiki) -> None:
    assert same(copy, wiki)


def test_edits_and_new_pages(copy: Site, wiki: Wiki) -> None:
    wiki.clock.advance(60)
    wiki.edit("World", "three [[New page]]", user="Ada", comment="more", minor=True)
    wiki.clock.advance(60)
    wiki.edit("World", "four [[New page]]", user="192.0.2.10")
    wiki.edit("New page", "{{Box|new}}", user="Ada")
    report = follow(copy, wiki)
    assert report.revisions == 3
    assert same(copy, wiki)


def test_template_is_edited(copy: Site, wiki: Wiki) -> None:
    wiki.clock.advance(60)
    wiki.edit("Template:Box", "[[Category:Other]]")
    follow(copy, wiki)
    assert same(copy, wiki)


def test_deletion_and_page_created_again(copy: Site, wiki: Wiki) -> None:
    wiki.clock.advance(60)
    wiki.delete("Doomed", user="Ada", reason="gone")
    assert follow(copy, wiki).deleted == 1
    assert same(copy, wiki)
    wiki.clock.advance(60)
    wiki.edit("Doomed", "back")
    wiki.delete("Template:Box")
    follow(copy, wiki)
    assert same(copy, wiki)


def test_moves(copy: Site, wiki: Wiki) -> None:
    wiki.clock.advance(60)
    wiki.move("World", "Globe", user="Ada", reason="better")
    follow(copy, wiki)
    assert same(copy, wiki)
    wiki.clock.advance(60)
    wiki.move("Globe", "Talk:Globe", redirect=False)
    follow(copy, wiki)
    assert same(copy, wiki)
    params = {"action": "query", "list": "logevents", "leprop": "title|type|details"}
    entries = ask(copy, params).data["query"]["logevents"]
    assert entries == ask(wiki.site, params).data["query"]["logevents"]
    assert [entry["params"]["target_title"] for entry in entries] == ["Talk:Globe", "Globe"]


def test_pages_exchange_their_titles(copy: Site, wiki: Wiki) -> None:
    """Between two updates, so that either has the other's title when it is looked at."""
    wiki.clock.advance(60)
    wiki.move("World", "Between", redirect=False)
    wiki.move("Main Page", "World", redirect=False)
    wiki.move("Between", "Main Page", redirect=False)
    follow(copy, wiki)
    assert same(copy, wiki)


def test_title_goes_to_another_page(copy: Site, wiki: Wiki) -> None:
    wiki.clock.advance(60)
    wiki.delete("World")
    wiki.move("Moving", "World", redirect=False)
    wiki.edit("Moving", "new page under the old title")
    follow(copy, wiki)
    assert same(copy, wiki)


def test_redirect_of_a_move_is_edited_and_moved_on(copy: Site, wiki: Wiki) -> None:
    wiki.clock.advance(60)
    wiki.move("World", "Globe", user="Ada")
    wiki.edit("World", "#REDIRECT [[Globe]] edited")
    wiki.move("World", "Earth", redirect=False)
    # As action=move does it: no change tells of the revision that makes the redirect.
    wiki.site.db.execute_sql(
        "DELETE FROM recentchanges WHERE rc_logid = 0 AND rc_this_oldid IN (SELECT min(rev_id)"
        " FROM revision JOIN page ON page_id = rev_page WHERE page_title = 'Earth')"
    )
    follow(copy, wiki)
    assert state(copy)["pages"] == state(wiki.site)["pages"]


def test_older_revisions_are_restored(make_site: Callable[..., Site]) -> None:
    boss = DeclaredUser("Boss", groups=("sysop",))
    with Wiki(Declaration(pages=PAGES, users=[DeclaredUser("Ada"), boss]), SHARED) as wiki:
        client = wiki.login("Boss")
        client.write(action="delete", title="World")
        client.write(action="edit", title="World", text="created again")
        site = make_site()
        follow(site, wiki, since=SINCE)
        wiki.clock.advance(60)
        client.write(action="undelete", title="World")
        assert follow(site, wiki).revisions == 2
        assert state(site)["pages"] == state(wiki.site)["pages"]


@pytest.mark.parametrize("is_interrupted", [False, True])
def test_edit_that_recent_changes_no_longer_list(
    make_site: Callable[..., Site], is_interrupted: bool
) -> None:
    """A deletion removes all edits of its title from them, also those of a page moved from it."""
    boss = DeclaredUser("Boss", groups=("sysop",))
    with Wiki(Declaration(pages=PAGES, users=[DeclaredUser("Ada"), boss]), SHARED) as wiki:
        client = wiki.login("Boss")
        site = make_site()
        follow(site, wiki, since=SINCE)
        for params in (
            {"action": "edit", "title": "World", "text": "between"},
            {"action": "edit", "title": "World", "text": "edited"},
            {"action": "move", "from": "World", "to": "Globe"},
            {"action": "edit", "title": "Globe", "text": "moved"},
            {"action": "delete", "title": "World"},
        ):
            wiki.clock.advance(300)
            client.write(**params)
        listed = client.get(action="query", list="recentchanges", rctype="edit|new", rcprop="title")
        assert [change["title"] for change in listed["query"]["recentchanges"]].count("World") == 0
        if is_interrupted:
            update = LiveUpdate(site, Remote(LiveApi(wiki.api_url)), wiki.api_url)
            with pytest.raises(KeyboardInterrupt):
                update.run(on_progress=interrupt)
        assert follow(site, wiki).revisions == (2 if is_interrupted else 4)
        assert state(site)["pages"] == state(wiki.site)["pages"]


def interrupt(_: UpdateReport) -> None:
    raise KeyboardInterrupt


def test_nothing_new(copy: Site, wiki: Wiki) -> None:
    wiki.clock.advance(3600)
    report = follow(copy, wiki)
    assert (report.pages, report.revisions, report.deleted) == (0, 0, 0)
    assert same(copy, wiki)


def test_interrupted_update_goes_on(
    copy: Site, wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wikiapi.importing.live.remote.PER_REQUEST", 3)
    for number in range(12):
        wiki.clock.advance(120)
        wiki.edit(f"Page {number % 5}", f"text {number} {{{{Box|{number}}}}}")
    seen: list[int] = []

    def interrupt(report: UpdateReport) -> None:
        seen.append(report.changes)
        if len(seen) == 2:
            raise KeyboardInterrupt

    update = LiveUpdate(copy, Remote(LiveApi(wiki.api_url)), wiki.api_url)
    with pytest.raises(KeyboardInterrupt):
        update.run(on_progress=interrupt)
    settle_displaced(copy.db)
    report = follow(copy, wiki)
    assert 0 < report.revisions < 12
    assert same(copy, wiki)


def test_failure_inside_a_batch_undoes_the_batch(
    copy: Site, wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiki.clock.advance(60)
    wiki.edit("World", "changed")
    wiki.delete("Doomed")
    before = state(copy)

    def fail(*_: object) -> None:
        raise OSError("no luck")

    with monkeypatch.context() as patch:
        patch.setattr("wikiapi.importing.live.update.save_last_change", fail)
        with pytest.raises(OSError, match="no luck"):
            follow(copy, wiki)
    assert state(copy) == before
    follow(copy, wiki)
    assert same(copy, wiki)


def test_another_wiki_is_refused(copy: Site) -> None:
    with (
        Wiki(Declaration(config={"site": {"wiki_id": "otherwiki"}})) as other,
        pytest.raises(DumpError, match="this is the wiki 'otherwiki', but the store has 'wiki'"),
    ):
        follow(copy, other)


def test_empty_store_is_refused(wiki: Wiki, make_site: Callable[..., Site]) -> None:
    with pytest.raises(DumpError, match="the store is empty"):
        follow(make_site(), wiki)


def test_gap_is_refused(copy: Site, wiki: Wiki) -> None:
    wiki.clock.advance(200 * 86_400)
    wiki.edit("World", "much later")
    with pytest.raises(DumpError, match="recent changes do not reach back to"):
        follow(copy, wiki)


@pytest.mark.parametrize("url", ["ftp://a.example/api.php", "api.php", "https://a.example/?x=1"])
def test_address_that_is_none(url: str) -> None:
    with pytest.raises(DumpError, match=r"is not the address of an api\.php"):
        LiveApi(url)
