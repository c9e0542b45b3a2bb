"""Processes that work for us are killed from outside: the page says so, and the next has others."""

from __future__ import annotations

import multiprocessing
import os
import signal
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from tests.faults.served import client_of, make_store, outcome
from wikiapi.config import NamespaceConfig, parse_config
from wikiapi.dump.linkworkers import link_workers
from wikiapi.errors import StoreError
from wikiapi.factory import open_site
from wikiapi.hookspecs import hookimpl
from wikiapi.testing import make_site
from wikiapi.wikitext.declarations import ParserFunction

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from wikiapi.site import Site
    from wikiapi.testing import ApiClient
    from wikiapi.wikitext.expand.call import FunctionCall

MODULE = """
local p = {}
function p.fine() return 'it works' end
function p.killed(frame)
    local done = frame:preprocess('{{#kill:}}')
    return 'survived' .. done
end
return p
"""


class Killer:
    """``{{#kill:}}`` ends the Lua of the page that it is on, as the system might."""

    @hookimpl
    def register_parser_functions(self) -> list[ParserFunction]:
        return [ParserFunction("#kill", self._kill)]

    def _kill(self, call: FunctionCall) -> str:
        session: Any = call.state.belongings["scribunto"]
        os.kill(session._worker.id, signal.SIGKILL)
        # Until it is dead, but without burying it: that is its owner's part.
        os.waitid(os.P_PID, session._worker.id, os.WEXITED | os.WNOWAIT)
        return "done"


@pytest.fixture
def client() -> Iterator[ApiClient]:
    pytest.importorskip("lupa")
    site = make_site(
        {"Module:M": MODULE}, plugins=[Killer()], namespaces=[NamespaceConfig(828, "Module")]
    )
    yield client_of(site)
    site.db.close()


def text(client: ApiClient, source: str) -> str:
    found: str = client.get(action="parse", title="X", text=source)["parse"]["text"]
    return found


def test_lua_killed_in_a_call_the_page_says_so(client: ApiClient) -> None:
    page = text(client, "before {{#invoke:M|killed}} after")
    assert "scribunto-error" in page
    assert "survived" not in page
    assert "before" in page
    assert "after" in page


def test_lua_killed_in_a_call_the_next_page_has_another(client: ApiClient) -> None:
    text(client, "{{#invoke:M|killed}}")
    assert "it works" in text(client, "{{#invoke:M|fine}}")


def test_lua_killed_while_it_is_idle_is_noticed_by_nobody(client: ApiClient) -> None:
    text(client, "{{#invoke:M|fine}}")
    text(client, "{{#invoke:M|fine}}{{#kill:}}")
    assert "it works" in text(client, "{{#invoke:M|fine}}")
    assert outcome(client, action="parse", title="X", text="{{#invoke:M|fine}}") == "ok"


def open_store(url: str) -> Site:
    """For other processes, which close it by ending."""
    return open_site(parse_config({"database": {"url": url, "read_only": True}}))


def test_a_process_that_derives_links_is_killed_nothing_is_lost(tmp_path: Path) -> None:
    """The import ends with an error that says so; when run again it derives the same links."""
    make_store(tmp_path / "wiki.sqlite")
    start = partial(open_store, f"sqlite:///{tmp_path}/wiki.sqlite")
    before = (tmp_path / "wiki.sqlite").read_bytes()
    batches = [[(0, "World")], [(0, "Main Page")], [(10, "Box")]]
    with link_workers(start, 1) as workers:
        (process,) = multiprocessing.active_children()
        process.kill()
        process.join()
        with pytest.raises(StoreError, match="has died"):
            list(workers.derive(batches))
    assert (tmp_path / "wiki.sqlite").read_bytes() == before
    with link_workers(start, 1) as workers:
        assert len(list(workers.derive(batches))) == len(batches)
