from __future__ import annotations

import os
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests import clusters
from tests.unit.importing.test_importer import snapshot
from wikiapi.cli import main
from wikiapi.config import Config, parse_config
from wikiapi.errors import StoreError
from wikiapi.factory import open_site, reading_workers
from wikiapi.hookspecs import hookimpl
from wikiapi.pages.links import update
from wikiapi.pages.links.update import LinksUpdate, mark_all
from wikiapi.site import Site
from wikiapi.store.database import Database
from wikiapi.wikitext import ExtensionTag, TagCall
from wikiapi.workers import BatchWorkers

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
    assert derived(site, BatchWorkers(open_it, 3)) == alone
    assert len(alone["pagelinks"]) == 100


def test_cluster_writes_the_same_rows(site: Site, tmp_path: Path) -> None:
    alone = derived(site, None)
    with clusters.running(tmp_path) as cluster:
        config = parse_config({"database": {"url": f"sqlite:///{tmp_path / 'store.sqlite'}"}})
        assert derived(site, reading_workers(config, 1, cluster.address)) == alone
        store = ["--database", str(tmp_path / "store.sqlite"), "--cluster", cluster.address]
        findings = CliRunner().invoke(main, ["check", "--links", *store])
    assert (findings.exit_code, "51 pages" in findings.output) == (0, True), findings.output


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
    open_it = partial(open_brittle, f"sqlite:///{path}")
    LinksUpdate(site, BatchWorkers(open_it, 2)).run()
    assert [record.failed for record in caplog.records] == ["<brittle> of plugin Brittle"] * 2  # type: ignore[attr-defined]
    assert "page 'B'" in caplog.records[-1].getMessage()


def test_failure_in_a_worker_is_reported(site: Site) -> None:
    mark_all(site.db)
    with pytest.raises(StoreError, match="RuntimeError: no luck"):
        LinksUpdate(site, BatchWorkers(fail_to_open, 2)).run()


def test_death_of_a_worker_is_reported(site: Site) -> None:
    mark_all(site.db)
    with pytest.raises(StoreError, match="has died"):
        LinksUpdate(site, BatchWorkers(die, 2)).run()


def test_a_page_that_kills_workers_is_named(
    make_site: Callable[..., Site], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pages before it have their links, and the others wait for the next run."""
    monkeypatch.setattr(update, "PAGES_WORTH_WORKERS", 1)
    monkeypatch.setattr(update, "PAGES_PER_BATCH", 1)
    path = tmp_path / "store.sqlite"
    site = make_site({"A": "[[X]]", "B": "<deadly />", "C": "[[Y]]"}, path=path)
    mark_all(site.db)
    open_it = partial(open_deadly, f"sqlite:///{path}")
    update_ = LinksUpdate(site, BatchWorkers(open_it, 2))
    with pytest.raises(StoreError, match=r"SIGKILL, while it worked on 'B'"):
        update_.run()
    assert update_.count() == 2
