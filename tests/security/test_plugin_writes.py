"""Actions of plugins that write: the core refuses what MediaWiki's own actions refuse."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from wikiapi.api import Action
from wikiapi.hookspecs import hookimpl
from wikiapi.http.app import make_app
from wikiapi.site import Site
from wikiapi.testing import ApiClient, DeclaredUser, make_site


class Stamp(Action):
    """Says that it writes, and declares nothing else."""

    name = "stamp"
    is_write = True

    def execute(self) -> None:
        self.result.set((), self.name, {"done": True})


class StampPlugin:
    @hookimpl
    def register_actions(self) -> Iterable[type[Action]]:
        return (Stamp,)


def wiki(*, writable: bool) -> Site:
    ada = DeclaredUser("Ada", ("sysop",), password="Ada-password")
    config = {"site": {"writable": writable}}
    return make_site({}, users=[ada], config=config, plugins=[StampPlugin()])


@pytest.fixture
def client() -> Iterator[ApiClient]:
    site = wiki(writable=True)
    yield ApiClient(make_app(site))
    site.db.close()


def code(client: ApiClient, method: str, **params: str) -> str:
    answer = getattr(client, method)({"action": "stamp", **params})
    return str(answer.get("error", {}).get("code", ""))


def test_a_plugin_does_not_write_to_a_read_only_wiki() -> None:
    site = wiki(writable=False)
    client = ApiClient(make_app(site))
    assert code(client, "post", token=client.token()) == "readonly"
    site.db.close()


def test_a_plugin_does_not_write_when_the_owner_says_so() -> None:
    site = make_site({}, config={"site": {"writable": True, "read_only": "Moving"}},
                     plugins=[StampPlugin()])  # fmt: skip
    client = ApiClient(make_app(site))
    assert code(client, "post", token=client.token()) == "readonly"
    site.db.close()


def test_a_plugin_does_not_write_by_a_link(client: ApiClient) -> None:
    assert code(client, "get", token="+\\") == "mustpostparams"
    assert code(client, "get") == "missingparam"


def test_a_plugin_does_not_write_without_a_token(client: ApiClient) -> None:
    client.login("Ada", "Ada-password")
    assert code(client, "post") == "missingparam"
    assert code(client, "post", token="+\\") == "badtoken"
    assert code(client, "post", token=client.token()) == ""
