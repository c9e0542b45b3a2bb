"""Edits of different pages on one database server do not wait for each other."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from bench import writing
from tests.servers import SERVER_PARAMS, Server, running_or_skipped
from wikiapi.config import parse_config
from wikiapi.factory import open_site
from wikiapi.http.app import make_app
from wikiapi.pages import PageWriter
from wikiapi.pages.links.pending import PendingLinks
from wikiapi.site import Site
from wikiapi.store.models import Category, Page, SiteStats, User
from wikiapi.store.write.counts import recount_categories, site_counts
from wikiapi.testing import ApiClient

_PATIENCE = 20
_SHORT = 0.3
"""Seconds after which an edit that is not done is taken to wait."""


@pytest.fixture(scope="module", params=SERVER_PARAMS)
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    with running_or_skipped(request.param) as started:
        yield started


class Wiki:
    """A wiki that several processes serve, each of them a site with a client of its own."""

    def __init__(self, url: str, closing_: ExitStack) -> None:
        self.sites: list[Site] = []
        self.clients: list[ApiClient] = []
        for _ in range(3):
            site = open_site(parse_config(writing.settings(url)))
            closing_.callback(site.db.close)
            client = ApiClient(make_app(site))
            client.login(writing.WRITER, writing.PASSWORD)
            # The first edit of a process and of a user is alone.
            client.write(action="edit", title="Own", appendtext="x")
            self.sites.append(site)
            self.clients.append(client)

    def text(self, title: str) -> str:
        answer = self.clients[0].get(action="parse", page=title, prop="wikitext")
        return str(answer["parse"]["wikitext"])

    def check(self, *, moves: int = 0) -> None:
        """Compare the counters with those of the rows that they count.

        The revisions of ``moves`` do not count as edits.
        """
        db = self.sites[0].db
        assert not db.execute(Page.select(Page.page_id).where(Page.page_links_updated.is_null()))
        counts = site_counts(db)
        statistics = SiteStats.select(
            SiteStats.ss_total_edits, SiteStats.ss_good_articles, SiteStats.ss_total_pages
        )
        expected = (counts["edits"] - moves, counts["articles"], counts["pages"])
        assert [tuple(row) for row in db.execute(statistics)] == [expected]
        columns = (Category.cat_title, Category.cat_pages, Category.cat_subcats, Category.cat_files)
        categories = Category.select(*columns).order_by(Category.cat_title)
        before = db.execute(categories)
        recount_categories(db)
        assert db.execute(categories) == before


@pytest.fixture
def wiki(tmp_path: Path, server: Server) -> Iterator[Wiki]:
    with ExitStack() as stack:
        yield Wiki(writing.make_store(tmp_path, server), stack)


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4) as pool:
        yield pool


class Pause:
    """Stops the first call of a function in one of its threads, until it is told to go on."""

    def __init__(self, function: Callable[..., Any], *, after: bool = False) -> None:
        self._function, self._after = function, after
        self._is_first = threading.Lock()
        self.reached, self.ends = threading.Event(), threading.Event()

    def __call__(self, *args: Any, **options: Any) -> Any:
        result = self._function(*args, **options) if self._after else None
        if self._is_first.acquire(blocking=False):
            self.reached.set()
            assert self.ends.wait(_PATIENCE)
        return result if self._after else self._function(*args, **options)


@contextmanager
def paused(
    monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, *, after: bool = False
) -> Iterator[Pause]:
    """Stop the first call of a method before or after it has done its work."""
    pause = Pause(getattr(owner, name), after=after)
    monkeypatch.setattr(owner, name, lambda *args, **options: pause(*args, **options))
    try:
        yield pause
    finally:
        pause.ends.set()


def edit(client: ApiClient, title: str, text: str) -> Any:
    return client.write(action="edit", title=title, appendtext=text)


def edited_in_turn(
    wiki: Wiki, pool: ThreadPoolExecutor, pause: Pause, first: Sequence[str], second: Sequence[str]
) -> list[Any]:
    """Return the answers to two edits, of which the second waits for the first, which is stopped.

    ``first`` and ``second`` are the titles and the texts that are appended.
    """
    slow = pool.submit(edit, wiki.clients[0], *first)
    assert pause.reached.wait(_PATIENCE)
    other = pool.submit(edit, wiki.clients[1], *second)
    assert _waits(other)
    pause.ends.set()
    return [each.result(_PATIENCE) for each in (slow, other)]


def is_saved(answer: Any) -> bool:
    return bool(answer["edit"]["result"] == "Success")


@pytest.mark.parametrize("first", ["Shared 1", "New first"])
@pytest.mark.parametrize("second", ["Shared 2", "New second"])
def test_an_edit_of_another_page_does_not_wait(
    wiki: Wiki,
    pool: ThreadPoolExecutor,
    monkeypatch: pytest.MonkeyPatch,
    first: str,
    second: str,
) -> None:
    with paused(monkeypatch, PageWriter, "save", after=True) as pause:
        slow = pool.submit(edit, wiki.clients[0], first, " [[Shared 3]] [[Category:One]]")
        assert pause.reached.wait(_PATIENCE)
        quick = pool.submit(edit, wiki.clients[1], second, " [[Shared 4]] [[Category:Two]]")
        assert is_saved(quick.result(_PATIENCE))
        assert not slow.done()
        pause.ends.set()
    assert is_saved(slow.result(_PATIENCE))
    wiki.check()


def test_an_edit_of_the_same_page_waits_and_keeps_both(
    wiki: Wiki, pool: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    with paused(monkeypatch, PageWriter, "save", after=True) as pause:
        edits = ("Shared 1", " first"), ("Shared 1", " second")
        answers = edited_in_turn(wiki, pool, pause, *edits)
    assert all(map(is_saved, answers))
    assert wiki.text("Shared 1").endswith("first second")
    wiki.check()


def test_a_page_is_created_once(
    wiki: Wiki, pool: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    with paused(monkeypatch, PageWriter, "save", after=True) as pause:
        edits = ("New", "first"), ("New", " second")
        created, appended = edited_in_turn(wiki, pool, pause, *edits)
    assert created["edit"]["new"]
    assert "new" not in appended["edit"]
    assert wiki.text("New") == "first second"
    wiki.check()


def test_a_move_waits_for_edits(
    wiki: Wiki, pool: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    move = {"action": "move", "from": "Shared 2", "to": "Moved", "noredirect": "1"}
    with paused(monkeypatch, PageWriter, "save", after=True) as pause:
        slow = pool.submit(edit, wiki.clients[0], "Shared 1", " first")
        assert pause.reached.wait(_PATIENCE)
        moved = pool.submit(lambda: wiki.clients[1].write(**move))
        assert _waits(moved)
        # Who comes after the move waits for it, so that it gets its turn.
        third = pool.submit(edit, wiki.clients[2], "Shared 3", " third")
        assert _waits(third)
        pause.ends.set()
    assert is_saved(slow.result(_PATIENCE))
    assert moved.result(_PATIENCE)["move"]["to"] == "Moved"
    assert is_saved(third.result(_PATIENCE))
    wiki.check(moves=1)


def test_members_of_a_category_are_all_counted(
    wiki: Wiki, pool: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    with paused(monkeypatch, PendingLinks, "_write", after=True) as pause:
        edits = [(f"Shared {number}", " [[Category:Common]]") for number in (1, 2)]
        answers = edited_in_turn(wiki, pool, pause, *edits)
    assert all(map(is_saved, answers))
    members = Category.select(Category.cat_pages).where(Category.cat_title == "Common")
    assert wiki.sites[0].db.scalar(members) == 2
    wiki.check()


def test_links_follow_a_template_that_is_created_meanwhile(
    wiki: Wiki, pool: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The template's transaction does not see the page's links, nor they the template."""
    with paused(monkeypatch, PageWriter, "save", after=True) as pause:
        text = "[[Category:By template]]"
        slow = pool.submit(edit, wiki.clients[0], "Template:New", text)
        assert pause.reached.wait(_PATIENCE)
        assert is_saved(edit(wiki.clients[1], "Shared 1", " {{New}}"))
        pause.ends.set()
    assert is_saved(slow.result(_PATIENCE))
    members = wiki.clients[0].get(
        action="query", list="categorymembers", cmtitle="Category:By template"
    )
    titles = {row["title"] for row in members["query"]["categorymembers"]}
    assert titles == {"Shared 1", "Template:New"}
    wiki.check()


def test_links_follow_a_template_that_is_changed_while_they_are_stored(
    wiki: Wiki, pool: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert is_saved(edit(wiki.clients[0], "Template:Old", "[[Category:Before]]"))
    with paused(monkeypatch, PendingLinks, "_write") as pause:
        slow = pool.submit(edit, wiki.clients[0], "Shared 1", " {{Old}}")
        assert pause.reached.wait(_PATIENCE)
        assert is_saved(edit(wiki.clients[1], "Template:Old", "[[Category:After]]"))
        pause.ends.set()
    assert is_saved(slow.result(_PATIENCE))
    members = wiki.clients[0].get(action="query", list="categorymembers", cmtitle="Category:After")
    titles = {row["title"] for row in members["query"]["categorymembers"]}
    assert titles == {"Shared 1", "Template:Old"}
    wiki.check()


def test_edits_are_counted_for_their_author(wiki: Wiki, pool: ThreadPoolExecutor) -> None:
    count = User.select(User.user_editcount).where(User.user_name == writing.WRITER)
    before = wiki.sites[0].db.scalar(count)
    edits = [
        pool.submit(_edit_often, client, f"Page {number}")
        for number, client in enumerate(wiki.clients)
    ]
    for done in edits:
        done.result(_PATIENCE)
    assert wiki.sites[0].db.scalar(count) == before + 30
    wiki.check()


def _edit_often(client: ApiClient, title: str) -> None:
    for number in range(10):
        assert is_saved(edit(client, title, f" {number} [[Category:Counted]]"))


def _waits(future: Future[Any]) -> bool:
    try:
        future.result(_SHORT)
    except TimeoutError:
        return True
    return False
