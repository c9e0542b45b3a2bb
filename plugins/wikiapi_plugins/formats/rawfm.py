"""``format=rawfm``: the answer with the metadata of its nodes, for debugging."""

from __future__ import annotations

import json
from typing import Any

from wikiapi.api import IdMap, Indexed, KeyValues, Loose, Obj
from wikiapi_plugins.formats.dataformat import DataFormat


class Raw(DataFormat):
    """Output data with their debugging elements, in JSON."""

    name = "raw"
    label = "JSON"
    media_type = "application/json"
    extension = "json"
    plain_name = "json"
    examples = (("action=query&meta=siteinfo&format=rawfm", "An answer with its notes"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Data_formats",)

    def serialize(self, root: Any, *, pretty: bool) -> str:
        """Return the answer and its metadata as JSON."""
        return json.dumps(with_metadata(root), ensure_ascii=False, indent=4)


def with_metadata(node: Any) -> Any:
    """Return a node as plain data, with its metadata under names that begin with ``_``."""
    if isinstance(node, dict):
        data = {str(key): with_metadata(value) for key, value in node.items()}
        return data | {name: value for name, value in _metadata(node).items() if value}
    if isinstance(node, list | tuple):
        return [with_metadata(item) for item in node]
    return node


def _metadata(node: dict[Any, Any]) -> dict[str, Any]:
    element = getattr(node, "element", None)
    if isinstance(node, IdMap):
        return {"_type": "BCarray", "_element": element}
    if isinstance(node, KeyValues):
        return {"_type": "BCkvp", "_element": element, "_kvpkeyname": node.key}
    if not isinstance(node, Obj):
        return {"_type": "assoc"}
    kind = "BCassoc" if isinstance(node, Indexed) else "" if isinstance(node, Loose) else "assoc"
    return {
        "_type": kind,
        "_element": element,
        "_kvpkeyname": node.key,
        "_content": node.content,
        "_BC_bools": sorted(node.bools),
        "_subelements": sorted(node.subelements),
    }
