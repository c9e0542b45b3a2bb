"""Row 59: what a worker's death makes of a page is for nobody but who asked just then."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from typing import Any

import pytest

from tests.security.luawiki import invoker, lua_wiki
from wikiapi.pages.links.deriver import LinkDeriver
from wikiapi.site import Site
from wikiapi.testing import ask
from wikiapi_plugins.extensions.scribunto import session
from wikiapi_plugins.extensions.scribunto.process import WorkerPool, WorkerProcess

PAGES = {"Page": "{{#invoke:M|f}} [[Link]]", "Target": "x"}
KILLED = "The worker was ended by signal 9."
TIMED_OUT = "have used up their time"


class Killer:
    """Lets workers be taken, and kills those that come next."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.how: list[int] = []
        """Signals, the next one first; none where none is left."""
        take = WorkerPool.take

        def take_dying(pool: WorkerPool) -> WorkerProcess:
            worker = take(pool)
            if self.how:
                # It has not begun to read what it is told, and never will.
                os.kill(worker.id, self.how.pop(0))
            return worker

        monkeypatch.setattr(WorkerPool, "take", take_dying)


@pytest.fixture
def killer(monkeypatch: pytest.MonkeyPatch) -> Killer:
    return Killer(monkeypatch)


@pytest.fixture
def site(make_site: Callable[..., Site]) -> Site:
    return lua_wiki(make_site, 20.0, PAGES, f="return 'made [[Target]]'")


def html_of(site: Site, **params: str) -> str:
    answer = ask(site, {"action": "parse", "page": "Page", **params})
    assert not answer.codes, answer.codes
    return str(answer.data["parse"]["text"])


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGUSR2])
def test_error_of_a_killed_worker_is_not_cached(
    site: Site, killer: Killer, number: signal.Signals
) -> None:
    killer.how = [number]
    assert f"The worker was ended by signal {int(number)}." in html_of(site)
    assert "made" in html_of(site)


def test_rendering_says_that_it_is_good_for_no_time(site: Site, killer: Killer) -> None:
    killer.how = [signal.SIGKILL]
    output = site.parser.parse(PAGES["Page"], site.titles.parse("Page"))
    assert output.interrupted
    assert output.cache_expiry == 0


def test_killed_while_it_works(make_site: Callable[..., Site]) -> None:
    site = lua_wiki(make_site, 20.0, PAGES, f="while true do mw.title.new('X') end", g="")
    pool = invoker(site).pool
    worker = pool.take()
    pool.give_back(worker)
    threading.Timer(1.0, os.kill, (worker.id, signal.SIGKILL)).start()
    output = site.parser.parse(PAGES["Page"], site.titles.parse("Page"))
    assert KILLED in output.html
    assert output.interrupted


def test_no_worker_could_be_started(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_pool: WorkerPool) -> WorkerProcess:
        raise BlockingIOError("Resource temporarily unavailable")

    with monkeypatch.context() as patched:
        patched.setattr(WorkerPool, "take", fail)
        assert "Resource temporarily unavailable" in html_of(site)
    assert "made" in html_of(site)


def test_worker_that_got_no_time_to_run(
    make_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    site = lua_wiki(make_site, 0.2, PAGES, f="return 'made'")
    take = WorkerPool.take
    stopped: list[WorkerProcess] = []

    def take_stopped(pool: WorkerPool) -> WorkerProcess:
        worker = take(pool)
        os.kill(worker.id, signal.SIGSTOP)
        stopped.append(worker)
        return worker

    with monkeypatch.context() as patched:
        patched.setattr(WorkerPool, "take", take_stopped)
        assert TIMED_OUT in html_of(site)
    assert stopped
    assert not stopped[0].is_alive
    monkeypatch.setattr(session, "_WALL_CLOCK_FACTOR", 100)
    assert "made" in html_of(site)


@pytest.mark.parametrize(
    "body",
    ["while true do end", "return string.find(('a'):rep(400000), ('a?'):rep(200000))"],
    ids=["endless", "crash"],
)
def test_what_the_module_brought_about_itself_is_cached_for_a_minute(
    make_site: Callable[..., Site], body: str
) -> None:
    site = lua_wiki(make_site, 1.0, PAGES, f=body)
    output = site.parser.parse(PAGES["Page"], site.titles.parse("Page"))
    assert not output.interrupted
    assert output.cache_expiry == 60
    started = invoker(site).pool.started
    assert html_of(site) == html_of(site)
    assert invoker(site).pool.started == started + 1


def test_who_waits_for_an_interrupted_rendering_tries_again(
    site: Site, killer: Killer, monkeypatch: pytest.MonkeyPatch
) -> None:
    killer.how = [signal.SIGKILL]
    waiting = threading.Event()
    run = type(site.page_cache._work).run

    def run_and_tell(self: Any, *arguments: Any) -> Any:
        if threading.current_thread() is not threading.main_thread():
            waiting.set()
        return run(self, *arguments)

    monkeypatch.setattr(type(site.page_cache._work), "run", run_and_tell)
    take = WorkerPool.take
    answers: list[str] = []
    other = threading.Thread(target=lambda: answers.append(html_of(site)))

    def take_when_others_wait(pool: WorkerPool) -> WorkerProcess:
        if threading.current_thread() is threading.main_thread():
            other.start()
            assert waiting.wait(60)
        return take(pool)

    monkeypatch.setattr(WorkerPool, "take", take_when_others_wait)
    assert KILLED in html_of(site)
    other.join(60)
    assert "made" in answers[0]


def test_links_are_derived_again(site: Site, killer: Killer) -> None:
    killer.how = [signal.SIGKILL]
    (links,) = LinkDeriver(site).derive([(0, "Page")])
    assert set(links.pages) == {(0, "Link"), (0, "Target")}


@pytest.mark.parametrize("plain", ["", "1"])
def test_extracts_are_not_cached_either(site: Site, killer: Killer, plain: str) -> None:
    killer.how = [signal.SIGKILL]
    query = {"action": "query", "prop": "extracts", "titles": "Page"}
    texts = [str(ask(site, query | ({"explaintext": plain} if plain else {})).data) for _ in "ab"]
    assert "made" not in texts[0]
    assert "made" in texts[1]
