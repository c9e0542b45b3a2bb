from __future__ import annotations

from collections.abc import Callable

import pytest

from wikiapi.site import Site
from wikiapi.testing import ask

PAGES = {"A": "'''A''' [[B]]\n== One ==\n* x\n", "B": "b"}
TEXT = "**A** [B]({}/B)"


pytestmark = pytest.mark.wiki(PAGES)


def test_parse(site: Site) -> None:
    answer = ask(site, {"action": "parse", "page": "A", "prop": "markdown"})
    server = f"{site.config.site.server}/wiki"
    assert answer.data["parse"]["markdown"] == TEXT.format(server) + "\n\n## One\n\n- x"


def test_extracts(site: Site) -> None:
    params = {"action": "query", "prop": "extracts", "titles": "A", "exformat": "markdown"}
    whole, intro = (ask(site, params | more) for more in ({}, {"exintro": "1"}))
    start = TEXT.format(f"{site.config.site.server}/wiki")
    assert next(iter(whole.data["query"]["pages"]))["extract"] == start + "\n\n## One\n\n- x"
    assert next(iter(intro.data["query"]["pages"]))["extract"] == start
    mixed = ask(site, params | {"explaintext": "1"})
    assert mixed.codes == "invalidparammix"


def test_nothing_is_added_without_the_plugin(make_site: Callable[..., Site]) -> None:
    plain = make_site(PAGES, config={"plugins": {"disabled": ["markdown"]}})
    answer = ask(plain, {"action": "parse", "page": "A", "prop": "markdown"})
    assert answer.warned == ["paramvalidator-unrecognizedvalues"]
    params = {"action": "query", "prop": "extracts", "titles": "A", "exformat": "markdown"}
    assert "apierror-unrecognizedparams" in ask(plain, params).warned
