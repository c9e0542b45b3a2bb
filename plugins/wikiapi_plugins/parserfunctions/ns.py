"""``{{ns:number or name}}``: a namespace's local name; ``nse`` for use in addresses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikiapi.wikitext.declarations import ParserFunction
from wikiapi_plugins.variables.pagenames import encoded

if TYPE_CHECKING:
    from wikiapi.title.namespaces import Namespace
    from wikiapi.wikitext.expand.call import FunctionCall

_NUMBER = re.compile(r"[+-]?[0-9]{1,9}\Z", re.ASCII)


def _namespace(call: FunctionCall) -> Namespace | None:
    table = call.site.namespaces
    if _NUMBER.match(call.first):
        return table.get(int(call.first))
    return table.find(call.first.replace("_", " "))


def ns(call: FunctionCall) -> str | None:
    """The name, or nothing found for what is no namespace."""
    namespace = _namespace(call)
    return namespace.name if namespace else None


def nse(call: FunctionCall) -> str | None:
    """The name as it stands in an address."""
    name = ns(call)
    return None if name is None else encoded(name)


DECLARATIONS = (ParserFunction("ns", ns), ParserFunction("nse", nse))
