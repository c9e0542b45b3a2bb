"""Copies of the database lag behind, or go away: an answer is of one state, and there is one."""

from __future__ import annotations

import gc
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.faults.served import client_of, in_thread, make_store, opened, outcome, title_of
from tests.servers import Server, running_or_skipped
from wikiapi.store.copying import copy_store
from wikiapi.store.database import Database
from wikiapi.store.schema import migrate
from wikiapi.testing import ApiClient, Edit, make_site

OLD, NEW = "the old text", "the new text"
MOMENTS = ("20250101000000", "20250102000000")
# A socket that could not be connected is left to the garbage collector by PyMySQL.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

CONTENT: dict[str, Any] = {
    "action": "query",
    "prop": "revisions",
    "titles": "Page",
    "rvprop": "ids|content",
    "rvslots": "main",
}


def states_of(client: ApiClient, times: int = 8) -> set[tuple[int, str]]:
    """Return the revisions and texts of the page in repeated answers."""
    states = set()
    for _ in range(times):
        (page,) = client.get(CONTENT)["query"]["pages"]
        (revision,) = page["revisions"]
        states.add((revision["revid"], revision["slots"]["main"]["content"]))
    return states


class TestBehind:
    """One copy is a day behind, the other is not."""

    @pytest.fixture
    def urls(self, tmp_path: Path) -> dict[str, str]:
        first = Edit(OLD, timestamp=MOMENTS[0])
        states = {
            "behind": {"Page": [first]},
            "present": {"Page": [first, Edit(NEW, timestamp=MOMENTS[1])]},
        }
        for name, pages in states.items():
            site = make_site(pages, path=tmp_path / f"{name}.sqlite")
            site.db.execute_sql("PRAGMA wal_checkpoint(TRUNCATE)")
            site.db.close()
        shutil.copy(tmp_path / "present.sqlite", tmp_path / "primary.sqlite")
        return {
            name: f"sqlite:///{tmp_path / name}.sqlite" for name in ("primary", "present", "behind")
        }

    @pytest.fixture
    def client(self, urls: dict[str, str]) -> Iterator[ApiClient]:
        database = {"replicas": [urls["present"], urls["behind"]]}
        with opened(urls["primary"], database=database) as site:
            yield client_of(site)

    def test_an_answer_is_wholly_of_one_state(self, client: ApiClient) -> None:
        assert states_of(client) == {(1, OLD), (2, NEW)}

    def test_a_page_is_rendered_as_one_of_them_had_it(self, client: ApiClient) -> None:
        states = set()
        for _ in range(8):
            answer = client.get(action="parse", page="Page", prop="text|revid")["parse"]
            states.add((answer["revid"], OLD in answer["text"], NEW in answer["text"]))
        assert states == {(1, True, False), (2, False, True)}


class TestGone:
    @pytest.mark.parametrize("gone", [["one"], ["one", "two"]])
    def test_the_others_answer(self, tmp_path: Path, gone: list[str]) -> None:
        for name in ("primary", "one", "two"):
            make_store(tmp_path / f"{name}.sqlite")
        urls = [f"sqlite:///{tmp_path}/{name}.sqlite" for name in ("primary", "one", "two")]
        with opened(urls[0], database={"replicas": urls[1:]}) as site:
            client = client_of(site)
            assert [title_of(client) for _ in range(4)] == ["ok"] * 4
            for name in gone:
                (tmp_path / f"{name}.sqlite").unlink()
            assert in_thread(lambda: [title_of(client) for _ in range(6)]) == ["ok"] * 6
            assert in_thread(lambda: outcome(client, action="parse", page="World")) == "ok"

    def test_a_server_that_ends_during_requests_is_not_noticed(
        self, server: Server, url: str
    ) -> None:
        with running_or_skipped(server.kind) as copy:
            replica = copy.create("copy")
            with closing(Database(url)) as source, closing(Database(replica)) as target:
                migrate.upgrade(target)
                list(copy_store(source, target))
            with opened(url, database={"replicas": [replica]}) as site:
                client = client_of(site)
                assert title_of(client) == "ok"
                copy.stop()
                assert [title_of(client) for _ in range(4)] == ["ok"] * 4
                assert outcome(client, action="parse", page="World") == "ok"
        gc.collect()


def test_a_thread_reads_from_one_copy_until_it_takes_the_next(tmp_path: Path) -> None:
    for name in ("primary", "one", "two"):
        make_site({name.title(): "x"}, path=tmp_path / f"{name}.sqlite").db.close()
    urls = [f"sqlite:///{tmp_path}/{name}.sqlite" for name in ("primary", "one", "two")]
    db = Database(urls[0], replicas=urls[1:])
    seen = []
    for _ in range(3):
        db.take_turn()
        seen.append(
            [db.execute_sql("SELECT page_title FROM page", reading=True)[0][0] for _ in range(3)]
        )
    assert seen == [["One"] * 3, ["Two"] * 3, ["One"] * 3]
    db.close()
