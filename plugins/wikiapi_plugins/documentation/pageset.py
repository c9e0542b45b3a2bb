"""The page set as if it were a module of its own, for old clients."""

from __future__ import annotations

from wikiapi.api.query.params import PAGE_SET
from wikiapi.api.result import Arr, Obj

_KEPT = ("source", "sourcename", "licensetag", "licenselink")
_NAMES = {param.name: position for position, param in enumerate(PAGE_SET, 1)}


def page_set_description(query: Obj) -> Obj:
    """The description of the page set, taken from that of ``action=query``."""
    told = Obj({"classname": "MediaWiki\\Api\\ApiPageSet", "prefix": "", "readrights": True})
    told |= {name: query[name] for name in _KEPT}
    told["helpurls"] = Arr(element="helpurl")
    told["parameters"] = Arr(
        (
            Obj(param | {"index": _NAMES[param["name"]]})
            for param in query["parameters"]
            if param["name"] in _NAMES
        ),
        "param",
    )
    told["templatedparameters"] = Arr(element="param")
    return told
