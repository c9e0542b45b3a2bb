"""``Special:Log``, and the entry that ``Special:Redirect/logid`` leads to."""

from __future__ import annotations

import pytest

from tests.plugins.historywiki import EVENTS
from tests.plugins.web.readers import Browser, texts
from wikiapi.site import Site
from wikiapi.store.queries.visibility import ACTION, USER

PUBLIC_EVENTS = [event for event in EVENTS if event[0] != "suppress"]


@pytest.fixture
def wiki(history_site: Site) -> Browser:
    return Browser(history_site)


def list_items(wiki: Browser, query: str = "") -> list[str]:
    return texts(wiki.page("/wiki/Special:Log", query), ".revisions li")


def test_events_are_listed_newest_first(wiki: Browser) -> None:
    events = list_items(wiki)
    assert len(events) == len(PUBLIC_EVENTS)
    log, action, *_, hidden = PUBLIC_EVENTS[-1]
    assert (log if hidden & ACTION else f"{log}/{action}") in events[0]


def test_events_are_selected(wiki: Browser) -> None:
    types = {event[0] for event in PUBLIC_EVENTS}
    for log in types:
        assert len(list_items(wiki, f"type={log}")) == sum(
            event[0] == log for event in PUBLIC_EVENTS
        )
    assert list_items(wiki, "type=suppress") == []
    user = next(event[2] for event in PUBLIC_EVENTS if not event[-1] & USER)
    seen = [event for event in PUBLIC_EVENTS if event[2] == user and not event[-1] & USER]
    assert len(list_items(wiki, f"user={user}")) == len(seen)
    assert list_items(wiki, "page=a[b") == []


def test_hidden_parts_are_not_shown(wiki: Browser) -> None:
    for event in EVENTS:
        if event[-1] & USER:
            tree = wiki.page("/wiki/Special:Log", f"type={event[0]}")
            assert texts(tree, ".hidden")


def test_an_id_leads_to_its_entry(wiki: Browser) -> None:
    reply = wiki.get("/wiki/Special:Redirect/logid/1")
    assert (reply.status, reply.headers["location"]) == (
        302,
        "/w/index.php?title=Special:Log&logid=1",
    )
    assert (
        len(texts(wiki.page("/w/index.php", "title=Special:Log&logid=1"), "li[data-mw-logid]")) == 1
    )


def test_a_closed_log_is_not_betrayed(wiki: Browser) -> None:
    closed = [number for number, event in enumerate(EVENTS, 1) if event[0] == "suppress"]
    assert closed
    for number in closed:
        assert wiki.get(f"/wiki/Special:Redirect/logid/{number}").status == 404
