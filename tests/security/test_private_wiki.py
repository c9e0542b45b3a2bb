"""A wiki that visitors may not read tells them nothing: it answers as an empty one does.

Whatever is asked, the reply is the same, byte for byte, as that of a private wiki with the same
settings and no content. So no title, text, name, number or validator of what is there can be in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.plugins.historywiki import history_wiki
from tests.plugins.linkwiki import link_wiki
from tests.security.everyrequest import api_reply, api_requests, web_reply, web_requests
from wikiapi.http.app import make_app
from wikiapi.http.wsgiclient import InProcess
from wikiapi.site import Site
from wikiapi.testing import make_site
from wikiapi.testing.client import ELSEWHERE, ApiClient
from wikiapi.title.interwiki import Interwiki

SETTINGS: dict[str, Any] = {
    "permissions": {"anonymous_rights": ["createaccount"]},
    "http": {"secret_key": "the same for both", "metrics": "off"},
}
OPEN: dict[str, Any] = {"http": SETTINGS["http"]}
TEXTS = ("Alpha", "Ada", "File:Photo.png")
MORE = (*TEXTS, "Category:Letters", "Suppressed", "lorem")
WORDS = ("Alpha", "Ada", "Babbage", "Letters", "lorem", "hidden-from")
"""Of the content; none is in an example of a request."""
INTERWIKI = [Interwiki(prefix, f"https://{prefix}.example/$1") for prefix in ("w", "de", "fr")]


@pytest.fixture(scope="module", params=["links", "history"])
def private(request: pytest.FixtureRequest) -> Iterator[Site]:
    made = {"links": link_wiki, "history": history_wiki}[request.param](SETTINGS)
    yield made
    made.db.close()


@pytest.fixture(scope="module")
def empty(private: Site, make_module_site: Callable[..., Site]) -> Site:
    has_prefix = private.interwiki.get("fr") is not None
    return make_module_site(config=SETTINGS, interwiki=INTERWIKI if has_prefix else ())


def test_every_api_request_is_answered_as_if_there_were_nothing(private: Site, empty: Site) -> None:
    actual, expected = ApiClient(make_app(private)), ApiClient(make_app(empty))
    differing = [
        params
        for params in api_requests(private, TEXTS)
        if api_reply(actual, params) != api_reply(expected, params)
    ]
    assert differing == []


def test_every_page_is_answered_as_if_there_were_nothing(private: Site, empty: Site) -> None:
    actual, expected = (InProcess(make_app(site), ELSEWHERE) for site in (private, empty))
    differing = [
        asked
        for asked in web_requests(MORE)
        if web_reply(actual, *asked) != web_reply(expected, *asked)
    ]
    assert differing == []


def test_no_page_is_shown_at_all(private: Site) -> None:
    wsgi = InProcess(make_app(private), ELSEWHERE)
    pages = [asked for asked in web_requests(MORE) if asked[0].startswith(("/wiki", "/w/index"))]
    assert {web_reply(wsgi, *asked)[0] for asked in pages} == {403}


def test_the_debug_block_names_nothing_that_is_there() -> None:
    """It echoes the request, and the statements that were run, without what they found."""
    site = link_wiki({**SETTINGS, "http": {"debug_info": "on"}})
    client = ApiClient(make_app(site))
    for params in list(api_requests(site, ["1", "2"]))[::9]:
        body = api_reply(client, params)[2].decode()
        assert not any(word in body and word not in str(params) for word in WORDS), params
    site.db.close()


def test_the_same_requests_tell_much_of_an_open_wiki() -> None:
    """Otherwise the others would prove nothing."""
    full, empty = link_wiki(OPEN), make_site(config=OPEN, interwiki=INTERWIKI)
    actual, expected = ApiClient(make_app(full)), ApiClient(make_app(empty))
    differing = sum(
        api_reply(actual, params) != api_reply(expected, params)
        for params in list(api_requests(full, TEXTS))[::7]
    )
    assert differing > 100
    for site in (full, empty):
        site.db.close()
