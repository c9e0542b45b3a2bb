"""CommonsMetadata: ``iiprop=extmetadata`` gives author, licence and more of the wiki's own files.

For wikis whose configuration has a table ``[extensions.commonsmetadata]``. The metadata is read
from the files' description pages, whose HTML is marked with classes and ids by the templates of
Wikimedia Commons: https://commons.wikimedia.org/wiki/Commons:Machine-readable_data. The setting
``most_files`` (50) limits the number of pages rendered for one answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from wikiapi.api import Module, Obj, RequestContext
from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.site import Site
from wikiapi_plugins.extensions.commonsmetadata.descriptions import metadata_by_title

_MODULE, _PROP, _ENTRIES = "imageinfo", "extmetadata", "imageinfo"
_MOST = 50
_NAME = "commonsmetadata"


@hookimpl
def on_module_executed(
    module: Module, context: RequestContext, result: Mapping[str, object]
) -> None:
    """Add the metadata on description pages to the extended metadata of local files."""
    if module.name != _MODULE or not _is_on(context.site) or _PROP not in module.p.texts("prop"):
        return
    wanted = list(_local_files(result))
    most = int(context.site.config.extensions[_NAME].get("most_files", _MOST))
    found = metadata_by_title(context.site, [page["title"] for page in wanted[:most]])
    chosen = frozenset(module.p.texts("extmetadatafilter"))
    for page in wanted:
        metadata = found.get(page["title"], {})
        entries = {n: Obj(entry) for n, entry in metadata.items() if not chosen or n in chosen}
        for item in page[_ENTRIES]:
            if entries and _PROP in item:
                item[_PROP] = Obj({**entries, **dict(item[_PROP] or {})})


def _local_files(result: Mapping[str, Any]) -> Iterable[Any]:
    """Yield the pages of an answer that are files of this wiki and have image information."""
    pages = result.get("query", {}).get("pages", {})
    for page in pages.values():
        if page.get("imagerepository") == "local" and page.get(_ENTRIES):
            yield page


@hookimpl
def register_extension_credits(site: Site) -> Iterable[ExtensionCredits]:
    """Return the credits of the extension, if the wiki enables it."""
    credit = ExtensionCredits.bundled("CommonsMetadata", "other", "Authors and licences of files")
    return (credit,) if _is_on(site) else ()


def _is_on(site: Site) -> bool:
    return _NAME in site.config.extensions
