"""The protocols of a wiki are those that the API knows."""

from __future__ import annotations

from collections.abc import Callable

from wikiapi.site import Site
from wikiapi.testing import ask

PROTOCOLS = {"add_protocols": ["steam://", "foo:"], "remove_protocols": ["gopher://", "//"]}


def test_lists_of_links_know_the_protocols_of_the_wiki(make_site: Callable[..., Site]) -> None:
    pages = {"A": "steam://run/1 http://b gopher://c"}
    site = make_site(pages, config={"wikitext": PROTOCOLS})
    usage = {"action": "query", "list": "exturlusage", "euprop": "url"}
    links = ask(site, {**usage, "euprotocol": "steam"}).data["query"]["exturlusage"]
    assert links == [{"url": "steam://run/1"}]
    assert ask(site, {**usage, "euprotocol": "gopher"}).codes == "badvalue"
    info = ask(site, {"action": "paraminfo", "modules": "query+extlinks|query+exturlusage"})
    for module in info.data["paraminfo"]["modules"]:
        (types,) = [p["type"] for p in module["parameters"] if p["name"] == "protocol"]
        assert {"steam", "foo", "http", ""} <= set(types)
        assert types == sorted(set(types))
        assert "gopher" not in types


def test_siteinfo_lists_added_protocols_last(make_site: Callable[..., Site]) -> None:
    query = {"action": "query", "meta": "siteinfo", "siprop": "protocols|extensiontags"}
    plain = ask(make_site(), query).data["query"]
    assert plain["protocols"][-1] == "//"
    assert "<html>" not in plain["extensiontags"]
    site = make_site(config={"wikitext": {**PROTOCOLS, "raw_html": True}})
    data = ask(site, query).data["query"]
    assert data["protocols"][-2:] == ["steam://", "foo:"]
    assert not {"gopher://", "//"} & set(data["protocols"])
    place = data["extensiontags"].index("<html>")
    assert data["extensiontags"][place - 1] == "<langconvert>"


def test_categories_of_magic_links_are_listed_if_they_are_enabled(
    make_site: Callable[..., Site],
) -> None:
    pages = {"A": "RFC 1 [[Category:Pages using ISBN magic links]]"}
    site = make_site(pages, config={"wikitext": {"magic_links": ["RFC"]}})
    rows = ask(site, {"action": "query", "list": "trackingcategories"}).data["query"]
    assert [row["catid"] for row in rows["trackingcategories"]] == ["magiclink-tracking-rfc"]
