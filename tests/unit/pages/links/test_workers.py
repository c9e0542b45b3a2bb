from __future__ import annotations

import os
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.unit.importing.test_importer import snapshot
from wikiapi.config import Config
from wikiapi.errors import StoreError
from wikiapi.factory import open_site
from wikiapi.hookspecs import hookimpl
from wikiapi.pages.links import update
from wikiapi.pages.links.update import LinksUpdate, mark_all
from wikiapi.site import Site
from wikiapi.store.database import Database
from wikiapi.wikitext import ExtensionTag, TagCall

pytestmark = pytest.mark.slow


def open_for_reading(url: str) -> Site:
    return open_site(Config(), database=Database(url, read_only=True))


def fail_to_open() -> Site:
    raise RuntimeError("no luck")


class Brittle:
    """A plugin with a tag that fails."""

    @hookimpl
    def register_extension_tags(self) -> list[ExtensionTag]:
        def fail(call: TagCall) -> str:
            raise ZeroDivisionError

        return [ExtensionTag("brittle", fail)]


def open_brittle(url: str) -> Site:
    return open_site(Config(), database=Database(url, read_only=True), plugins=[Brittle()])


def die() -> Site:
    os._exit(3)


class Deadly:
    """A plugin with a tag that ends its process."""

    @hookimpl
    def register_extension_tags(self) -> list[ExtensionTag]:
        def kill(call: TagCall) -> str:
            os.kill(os.getpid(), signal.SIGKILL)
            return ""

        return [ExtensionTag("deadly", kill)]


def open_deadly(url: str) -> Site:
    return open_site(Config(), database=Database(url, read_only=True), plugins=[Deadly()])


@pytest.fixture
def site(make_site: Callable[..., Site], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    monkeypatch.setattr(update, "PAGES_WORTH_WORKERS", 1)
    monkeypatch.setattr(update, "PAGES_PER_BATCH", 7)
    pages = {
        f"Page {n}": f"[[Target {n}]] {{{{Box|{n}}}}} [[Category:C{n % 3}]]" for n in range(50)
    }
    pages["Template:Box"] = "[[Box {{{1}}}]] https://e{{{1}}}.org"
    return make_site(pages, path=tmp_path / "store.sqlite")


def derived(site: Site, workers: Any) -> dict[str, list[Any]]:
    for table in ("pagelinks", "templatelinks", "externallinks", "categorylinks", "linktarget"):
        site.db.execute_sql(f"DELETE FROM {table}")
    mark_all(site.db)
    assert LinksUpdate(site, workers).run() == 51
    rows = snapshot(site)
    # The only numbers that go on counting where rows were deleted.
    rows["externallinks"] = sorted(row[1:] for row in rows["externallinks"])
    return rows


def test_workers_write_the_same_rows(site: Site, tmp_path: Path) -> None:
    open_it = partial(open_for_reading, f"sqlite:///{tmp_path / 'store.sqlite'}")
    alone = derived(site, None)
    assert derived(site, (3, open_it)) == alone
    assert len(alone["pagelinks"]) == 100


def test_what_workers_log_is_logged_here(
    make_site: Callable[..., Site],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(update, "PAGES_WORTH_WORKERS", 1)
    path = tmp_path / "store.sqlite"
    site = make_site({"A": "<brittle />", "B": "<brittle /> [[C]]"}, path=path)
    mark_all(site.db)
    LinksUpdate(site, (2, partial(open_brittle, f"sqlite:///{path}"))).run()
    assert [record.failed for record in caplog.records] == ["<brittle> of plugin Brittle"] * 2  # type: ignore[attr-defined]
    assert "page 'B'" in caplog.records[-1].getMessage()


def test_failure_in_a_worker_is_reported(site: Site) -> None:
    mark_all(site.db)
    with pytest.raises(StoreError, match="RuntimeError: no luck"):
        LinksUpdate(site, (2, fail_to_open)).run()


def test_death_of_a_worker_is_reported(site: Site) -> None:
    mark_all(site.db)
    with pytest.raises(StoreError, match="has died"):
        LinksUpdate(site, (2, die)).run()


def test_a_page_that_kills_workers_is_named(
    make_site: Callable[..., Site], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pages before it have their links, and the others wait for the next run."""
    monkeypatch.setattr(update, "PAGES_WORTH_WORKERS", 1)
    monkeypatch.setattr(update, "PAGES_PER_BATCH", 1)
    path = tmp_path / "store.sqlite"
    site = make_site({"A": "[[X]]", "B": "<deadly />", "C": "[[Y]]"}, path=path)
    mark_all(site.db)
    update_ = LinksUpdate(site, (2, partial(open_deadly, f"sqlite:///{path}")))
    with pytest.raises(StoreError, match=r"SIGKILL, while it worked on 'B'"):
        update_.run()
    assert update_.count() == 2
