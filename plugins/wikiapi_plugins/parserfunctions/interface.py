"""``{{int:key|parameter}}``: a text of the interface, in the language of who reads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikiapi.title.namespaces import MEDIAWIKI
from wikiapi.wikitext.declarations import Expansion, ParserFunction

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.call import FunctionCall

_PARAMETER = re.compile(r"\$([1-9])")


def int_(call: FunctionCall) -> Expansion | None:
    """The text with its parameters put in; what is wikitext in it is expanded."""
    if not call.first:
        return None
    key = _key(call.first)
    text = _stored(call, key) or call.state.parser.messages.template(key, _language(call))
    if text is None:
        return Expansion(f"\u29fc{key}\u29fd")
    args = call.args
    filled = _PARAMETER.sub(lambda m: args[int(m[1])] if int(m[1]) < len(args) else m[0], text)
    return Expansion(filled, preprocess=True)


def _key(name: str) -> str:
    name = name.replace(" ", "_")
    return name[:1].lower() + name[1:]


def _language(call: FunctionCall) -> str:
    return call.state.options.language or call.site.language


def _stored(call: FunctionCall, key: str) -> str | None:
    """A text that the wiki has on a page of its own."""
    language = _language(call)
    name = key if language == call.site.language else f"{key}/{language}"
    title = call.site.titles.try_parse(name, MEDIAWIKI)
    if title is None or title.ns != MEDIAWIKI:
        return None
    page = call.state.loader.get(title)
    return page.text if page else None


DECLARATIONS = (ParserFunction("int", int_),)
