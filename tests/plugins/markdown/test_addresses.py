from __future__ import annotations

from collections.abc import Callable

import pytest

from wikiapi.site import Site
from wikiapi_plugins.markdown.addresses import Addresses

LIVE = "https://live.example"


def addresses(
    make_site: Callable[..., Site], source: str, main_page: str = "Main Page"
) -> Addresses:
    settings = {"server": "http://own.example", "source": source, "main_page": main_page}
    return Addresses(make_site({}, config={"site": settings}))


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("/wiki/A_b%3F#C", "http://own.example/wiki/A_b%3F#C"),
        ("/w/index.php?title=A", "http://own.example/w/index.php?title=A"),
        ("//other.example/x", "http://other.example/x"),
        ("https://other.example/w/index.php?action=edit", "https://other.example/w/index.php?action=edit"),
        ("#C", "#C"),
        ("/images/A.png", "http://own.example/images/A.png"),
        ("/w/index.php?title=A&action=edit&redlink=1", None),
        ("http://own.example/w/index.php?title=A&action=history", None),
        ("/w/index.php?title=Special:Upload&wpDestFile=A.png", None),
    ],
)  # fmt: skip
def test_addresses_of_the_wiki(
    make_site: Callable[..., Site], url: str, address: str | None
) -> None:
    assert addresses(make_site, "").resolve(url) == address


@pytest.mark.parametrize(
    ("source", "main_page", "start"),
    [
        (f"{LIVE}/wiki/Main_Page", "Main Page", f"{LIVE}/wiki/"),
        (f"{LIVE}/w/index.php?title=Main_Page", "Main Page", f"{LIVE}/w/index.php?title="),
        (f"{LIVE}/wiki/Accueil/Nouveau", "Accueil/Nouveau", f"{LIVE}/wiki/"),
        (f"{LIVE}/Hauptseite", "Main Page", f"{LIVE}/"),
    ],
)
def test_pages_have_the_addresses_of_the_live_wiki(
    make_site: Callable[..., Site], source: str, main_page: str, start: str
) -> None:
    of = addresses(make_site, source, main_page)
    assert of.resolve("/wiki/A_b#C") == f"{start}A_b#C"
    assert of.resolve("http://own.example/wiki/A") == f"{start}A"
    assert of.resolve("/w/index.php?title=A") == f"{start}A"
    more = "&" if "?" in start else "?"
    assert of.resolve("/w/index.php?title=A&feed=rss&x=1#B") == f"{start}A{more}feed=rss&x=1#B"
    assert of.resolve("/wiki/A?feed=rss") == f"{start}A{more}feed=rss"
    assert of.resolve("/images/A.png") == "http://own.example/images/A.png"


def test_address_of_a_title(make_site: Callable[..., Site]) -> None:
    site = make_site({}, config={"site": {"source": f"{LIVE}/wiki/Main_Page"}})
    assert Addresses(site).page(site.titles.parse("help:a b")) == f"{LIVE}/wiki/Help:A_b"
