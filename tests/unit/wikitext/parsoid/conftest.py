"""A rendering in Parsoid's form, for tests of its elements."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from wikiapi.site import Site
from wikiapi.wikitext.options import ParserOptions

_OPTIONS = ParserOptions(limit_report=False, wrapper_class="", parsoid=True)
_ATTRIBUTES = re.compile(r' (?:id="mw[^"]*"|data-mw="[^"]*"|data-mw-section-id="0")')


@pytest.fixture
def rendered(site: Site) -> Callable[[str], str]:
    """Return a function that renders the lead of a page, without ids, ``data-mw`` and section."""

    def render(text: str) -> str:
        html = site.parser.parse(text, site.titles.parse("Page"), _OPTIONS).html
        return _ATTRIBUTES.sub("", html).removeprefix("<section>").removesuffix("</section>")

    return render
