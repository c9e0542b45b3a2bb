"""``{{#special:name}}``: the full name of a special page; ``#speciale`` as in an address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.title.namespaces import SPECIAL
from wikiapi.title.specialpages import shown_name
from wikiapi.wikitext.declarations import ParserFunction
from wikiapi_plugins.variables.pagenames import encoded

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.call import FunctionCall

_BAD_TITLE = "Badtitle"


def special(call: FunctionCall) -> str:
    """The page's name in its usual spelling, its sub-page kept."""
    titles = call.site.titles
    if call.first.lower() == _BAD_TITLE.lower():
        return titles.make(SPECIAL, _BAD_TITLE).prefixed_text
    title = titles.try_parse(shown_name(call.first), SPECIAL)
    return (title or titles.make(SPECIAL, _BAD_TITLE)).prefixed_text


def speciale(call: FunctionCall) -> str:
    """The same with underscores, percent-encoded."""
    return encoded(special(call))


DECLARATIONS = (ParserFunction("#special", special), ParserFunction("#speciale", speciale))
