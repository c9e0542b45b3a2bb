"""A stored page is rendered once, and shown anew when it changes."""

from __future__ import annotations

from typing import Any

import pytest

from wikiapi.http.app import make_app
from wikiapi.site import Site
from wikiapi.testing.client import ApiClient

pytestmark = pytest.mark.wiki(
    {"Main Page": "{{Word}} [[Target]]\n== One ==\ntext", "Template:Word": "wikitext"},
    writable=False,
)


@pytest.fixture
def rendered(own_site: Site, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the texts that have been rendered."""
    texts: list[str] = []
    parse = own_site.parser.parse

    def noting(text: str, *args: Any, **options: Any) -> Any:
        texts.append(text)
        return parse(text, *args, **options)

    monkeypatch.setattr(own_site.parser, "parse", noting)
    return texts


@pytest.mark.parametrize(
    ("asked", "times"),
    [
        ({"page": "Main Page"}, 1),
        ({"pageid": 1}, 1),
        ({"oldid": 1}, 1),
        ({"page": "Main Page", "section": "1"}, 2),
        ({"page": "Main Page", "preview": True}, 2),
        ({"text": "text", "contentmodel": "wikitext"}, 2),
    ],
)
def test_what_stays(own_site: Site, rendered: list[str], asked: dict[str, Any], times: int) -> None:
    client = ApiClient(make_app(own_site))
    answers = [client.get(asked, action="parse", disablelimitreport=True) for _ in range(2)]
    assert answers[0] == answers[1]
    assert len(rendered) == times


def test_facts_of_a_cached_rendering_do_not_leak(own_site: Site) -> None:
    """Each request picks its props from the same rendering."""
    client = ApiClient(make_app(own_site))
    whole = client.get(action="parse", page="Main Page")
    for prop in ("links", "sections", "templates", "tocdata", "displaytitle"):
        part = client.get(action="parse", page="Main Page", prop=prop)["parse"]
        assert part[prop] == client.get(action="parse", page="Main Page", prop=prop)["parse"][prop]
    assert client.get(action="parse", page="Main Page") == whole
