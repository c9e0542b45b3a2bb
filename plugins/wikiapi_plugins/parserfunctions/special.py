"""``{{#special:name}}``: the full name of a special page; ``#speciale`` as in an address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.title.namespaces import SPECIAL
from wikiapi.title.specialpages import SPECIAL_PAGES
from wikiapi.wikitext.declarations import ParserFunction
from wikiapi_plugins.variables.pagenames import encoded

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.call import FunctionCall


def special(call: FunctionCall) -> str | None:
    """The page's name in its usual spelling, its sub-page kept."""
    name, slash, rest = call.first.partition("/")
    folded = name.replace(" ", "").replace("_", "").lower()
    known = next((page for page in SPECIAL_PAGES if page.lower() == folded), name)
    title = call.site.titles.try_parse(f"{known}{slash}{rest}", SPECIAL)
    return title.prefixed_text if title else call.site.titles.make(SPECIAL, "Badtitle").text


def speciale(call: FunctionCall) -> str | None:
    """The same with underscores, percent-encoded."""
    name = special(call)
    return None if name is None else encoded(name)


DECLARATIONS = (
    ParserFunction("#special", special, ("special",)),
    ParserFunction("#speciale", speciale, ("speciale",)),
)
