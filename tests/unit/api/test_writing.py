"""An action whose transaction others undo is performed again, as if for the first time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wikiapi.errors import StoreConflict
from wikiapi.http.app import make_app
from wikiapi.site import Site
from wikiapi.store import running
from wikiapi.testing import ApiClient, DeclaredUser

USER, PASSWORD = "Ada", "Ada-password"


class Conflicts:
    """Lets commits fail as often as the test says, as on a node of a cluster."""

    def __init__(self, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left = 0
        self._commit = site.db._control_transaction
        monkeypatch.setattr(site.db, "_control_transaction", self._control)

    def _control(self, sql: str, *args: Any, **options: Any) -> Any:
        if sql == "COMMIT" and self.left:
            self.left -= 1
            raise StoreConflict("deadlock")
        return self._commit(sql, *args, **options)


@pytest.fixture
def site(make_site: Callable[..., Site]) -> Site:
    user = DeclaredUser(USER, groups=("sysop",), password=PASSWORD)
    return make_site({"Page": "old"}, users=[user], writable=True)


@pytest.fixture
def client(site: Site) -> ApiClient:
    client = ApiClient(make_app(site))
    client.login(USER, PASSWORD)
    return client


@pytest.fixture
def conflicts(site: Site, client: ApiClient, monkeypatch: pytest.MonkeyPatch) -> Conflicts:
    monkeypatch.setattr(running, "_LONGEST_PAUSE", 0)
    return Conflicts(site, monkeypatch)


def revisions(site: Site) -> int:
    return int(site.db.execute_sql("SELECT COUNT(*) FROM revision")[0][0])


def test_an_edit_is_made_once_and_answered_once(
    site: Site, client: ApiClient, conflicts: Conflicts
) -> None:
    before = revisions(site)
    conflicts.left = 3
    answer = client.write(action="edit", title="Page", appendtext=" new", requestid="7")
    assert conflicts.left == 0
    assert answer["edit"]["result"] == "Success"
    assert answer["requestid"] == "7"
    assert revisions(site) == before + 1
    text = client.get(action="parse", page="Page", prop="wikitext")["parse"]["wikitext"]
    assert text == "old new"


def test_a_list_in_the_answer_is_not_repeated(client: ApiClient, conflicts: Conflicts) -> None:
    token = client.token("watch")
    conflicts.left = 2
    answer = client.post(action="watch", titles="Page|Other", token=token)
    assert conflicts.left == 0
    assert len(answer["watch"]) == 2


def test_it_gives_up_and_changes_nothing(
    site: Site, client: ApiClient, conflicts: Conflicts
) -> None:
    before = revisions(site)
    conflicts.left = 1000
    reply = client.reply(
        "POST", action="edit", title="Page", text="new", token=client.token("csrf")
    )
    assert reply.headers["mediawiki-api-error"] == "readonly"
    assert "retry-after" in reply.headers
    assert conflicts.left == 1000 - running.MOST_ATTEMPTS
    assert revisions(site) == before


def test_within_a_transaction_nothing_is_repeated(site: Site) -> None:
    calls = []

    def work() -> None:
        calls.append(1)
        raise StoreConflict("deadlock")

    with pytest.raises(StoreConflict), site.db.atomic():
        site.db.repeated(work)
    assert calls == [1]
