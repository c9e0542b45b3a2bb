"""What tests of functions and tags share: a text rendered as part of a page."""

from __future__ import annotations

from typing import Any

from wikiapi.site import Site
from wikiapi.testing import ask

PROP = (
    "text|categories|links|templates|images|externallinks|sections|properties|modules"
    "|jsconfigvars|headitems|headhtml"
)
_START = '<div class="mw-content-ltr mw-parser-output" lang="en" dir="ltr">'


def parsed(site: Site, text: str, **params: str) -> dict[str, Any]:
    """Return the answer of ``action=parse`` to a text."""
    fixed = {"action": "parse", "contentmodel": "wikitext", "prop": PROP, "disablelimitreport": "1"}
    return ask(site, {**fixed, "text": text, **params}).data["parse"]


def html_of(site: Site, text: str, **params: str) -> str:
    """Return a text as HTML, without the page's element around it."""
    html: str = parsed(site, text, **params)["text"]
    return html.removeprefix(_START).removesuffix("</div>").strip()


def words_of(site: Site, text: str, **params: str) -> str:
    """Return a text that is rendered as one paragraph, without its tags."""
    return html_of(site, text, **params).removeprefix("<p>").removesuffix("</p>").strip()


def categories_of(site: Site, text: str, **params: str) -> list[str]:
    """Return the categories that a text puts its page into."""
    return [entry["category"] for entry in parsed(site, text, **params)["categories"]]
