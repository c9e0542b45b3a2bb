"""``{{int:key|parameter}}``: a text of the interface, in the language of who reads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikiapi.title.namespaces import MEDIAWIKI
from wikiapi.wikitext.declarations import Expansion, ParserFunction
from wikiapi.wikitext.expand.template import loop_error

if TYPE_CHECKING:
    from wikiapi.title.title import Title
    from wikiapi.wikitext.expand.call import FunctionCall

_PARAMETER = re.compile(r"\$([1-9])")


def int_(call: FunctionCall) -> str | Expansion | None:
    """The text with its parameters put in; what is wikitext in it is expanded."""
    if not call.first:
        return None
    key = _key(call.first)
    page = _page(call, key)
    if page and call.frame.is_active(page):
        return loop_error(call.state, page)
    stored = call.state.loader.get(page) if page else None
    text = stored.text if stored else call.state.parser.messages.template(key, _language(call))
    if text is None:
        return f"\u29fc{key}\u29fd"
    args = call.args
    filled = _PARAMETER.sub(lambda m: args[int(m[1])] if int(m[1]) < len(args) else m[0], text)
    return Expansion(filled, preprocess=True, source=page.key if page else None)


def _key(name: str) -> str:
    name = name.replace(" ", "_")
    return name[:1].lower() + name[1:]


def _language(call: FunctionCall) -> str:
    return call.state.options.language or call.site.language


def _page(call: FunctionCall, key: str) -> Title | None:
    """The page on which a wiki has its own text."""
    language = _language(call)
    name = key if language == call.site.language else f"{key}/{language}"
    title = call.site.titles.try_parse(name, MEDIAWIKI)
    return title if title and title.ns == MEDIAWIKI else None


DECLARATIONS = (ParserFunction("int", int_),)
