"""Plugins that raise, hang or take what is another's: they are named, and the others go on."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import ClassVar

import pytest

from tests.unit.http.sites import client_of, empty_site
from wikiapi.api.module import Action
from wikiapi.api.query.module import ListModule
from wikiapi.errors import PluginError
from wikiapi.hookspecs import hookimpl
from wikiapi.store.models import Page

CHECK = {"action": "checktoken", "type": "csrf", "token": "x"}
PATIENCE = 30.0
"""Seconds after which a test that hangs fails."""


class Raises(Action):
    """Raise."""

    name = "raises"

    def execute(self) -> None:
        raise ZeroDivisionError


class Hangs(Action):
    """Wait for something that does not come."""

    name = "hangs"
    begun: ClassVar[threading.Event]
    released: ClassVar[threading.Event]

    def execute(self) -> None:
        self.begun.set()
        assert self.released.wait(PATIENCE)


class AsksForever(Action):
    """Ask the store without end."""

    name = "asksforever"

    def execute(self) -> None:
        while True:
            self.db.execute(Page.select(Page.page_id))


class Taker(ListModule):
    """Take the prefix of ``list=allpages``."""

    name = "taker"
    prefix = "ap"

    def execute(self) -> None:
        """List nothing."""


class Generated(Taker):
    """Take the prefix that ``list=allpages`` has as a generator."""

    prefix = "gap"


class HostilePlugin:
    """Registers actions of a test."""

    def __init__(self, *actions: type[Action]) -> None:
        self.actions = actions

    @hookimpl
    def register_actions(self) -> Iterable[type[Action]]:
        return self.actions


class TakingPlugin:
    """Registers a query module of a test."""

    def __init__(self, module: type[ListModule]) -> None:
        self.module = module

    @hookimpl
    def register_query_modules(self) -> Iterable[type[ListModule]]:
        return [self.module]


def test_a_plugin_that_raises_is_named_and_the_server_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    client = client_of(plugins=[HostilePlugin(Raises)])
    with caplog.at_level(logging.ERROR):
        reply = client.reply("GET", action="raises")
    assert reply.headers["mediawiki-api-error"] == "internal_api_error_ZeroDivisionError"
    assert "in raises of plugin HostilePlugin" in caplog.records[-1].getMessage()
    assert "checktoken" in client.get(CHECK)


def test_a_plugin_that_hangs_holds_up_nobody_else() -> None:
    Hangs.begun, Hangs.released = threading.Event(), threading.Event()
    client = client_of(plugins=[HostilePlugin(Hangs)])
    with ThreadPoolExecutor(1) as pool:
        hanging = pool.submit(client.reply, "GET", {"action": "hangs"})
        try:
            assert Hangs.begun.wait(PATIENCE)
            assert "checktoken" in client.get(CHECK)
            assert not hanging.done()
        finally:
            Hangs.released.set()
        assert hanging.result(PATIENCE).status == 200


def test_a_plugin_that_asks_the_store_forever_meets_the_deadline() -> None:
    client = client_of(plugins=[HostilePlugin(AsksForever)], database={"query_deadline": 0.05})
    reply = client.reply("GET", action="asksforever")
    assert "mediawiki-api-error" in reply.headers
    assert "query" in client.get(action="query", meta="siteinfo")


@pytest.mark.parametrize("module", [Taker, Generated])
def test_a_prefix_that_is_taken_is_refused_at_the_start(module: type[ListModule]) -> None:
    with pytest.raises(PluginError) as caught:
        empty_site(plugins=[TakingPlugin(module)])
    assert "allpages of builtin and taker of TakingPlugin" in str(caught.value)
    assert module.prefix in str(caught.value)
