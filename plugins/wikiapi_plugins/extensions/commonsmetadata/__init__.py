"""CommonsMetadata: ``iiprop=extmetadata`` gives author, licence and more of the wiki's own files.

For wikis whose configuration has a table ``[extensions.commonsmetadata]``. The metadata is read
from the files' description pages, whose HTML is marked with classes and ids by the templates of
Wikimedia Commons: https://commons.wikimedia.org/wiki/Commons:Machine-readable_data. The setting
``most_files`` (50) limits the number of pages rendered for one answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from wikiapi.api import Module, Obj, RequestContext
from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.site import Site
from wikiapi.store.queries import PageText, texts
from wikiapi.wikitext import ParserOptions, ParserOutput
from wikiapi_plugins.extensions import BundledExtension

_MODULE, _PROP, _ENTRIES = "imageinfo", "extmetadata", "imageinfo"
_MOST = 50
_NAME = "commonsmetadata"


@hookimpl
def on_module_executed(module: Module, context: RequestContext, result: Mapping[str, Any]) -> None:
    """Add the metadata on description pages to the extended metadata of local files."""
    if module.name != _MODULE or not _is_on(context.site) or _PROP not in module.p.texts("prop"):
        return
    pages = result.get("query", {}).get("pages", {}).values()
    files = [
        page for page in pages if page.get("imagerepository") == "local" and page.get(_ENTRIES)
    ]
    most = int(context.site.config.extensions[_NAME].get("most_files", _MOST))
    descriptions = metadata_by_title(context.site, [page["title"] for page in files[:most]])
    chosen = frozenset(module.p.texts("extmetadatafilter"))
    for page in files:
        metadata = descriptions.get(page["title"], {})
        entries = {n: Obj(entry) for n, entry in metadata.items() if not chosen or n in chosen}
        for item in page[_ENTRIES]:
            if entries and _PROP in item:
                item[_PROP] = Obj({**entries, **dict(item[_PROP] or {})})


@hookimpl
def register_extensions(site: Site) -> Iterable[Extension]:
    """Return the extension, if the wiki enables it."""
    if not _is_on(site):
        return ()
    return (
        BundledExtension(
            "CommonsMetadata",
            kind="other",
            description="Authors and licences of files",
        ),
    )


def _is_on(site: Site) -> bool:
    return _NAME in site.config.extensions


_PAGE, _CATEGORIES = "commons-desc-page", "commons-categories"
_IN_CELLS = {
    "fileinfotpl_desc": "ImageDescription",
    "fileinfotpl_aut": "Artist",
    "fileinfotpl_src": "Credit",
    "fileinfotpl_date": "DateTimeOriginal",
    "fileinfotpl_perm": "Permission",
    "fileinfotpl_credit": "Attribution",
}
"""Entries by mark. An id marks a table cell that precedes the value, a class the value itself."""
_OF_LICENCE = {
    "licensetpl_short": "LicenseShortName",
    "licensetpl_long": "UsageTerms",
    "licensetpl_link": "LicenseUrl",
    "licensetpl_attr_req": "AttributionRequired",
    "licensetpl_attr": "Attribution",
    "licensetpl_nonfree": "NonFree",
}
_SHORT = {"LicenseUrl", "AttributionRequired", "NonFree", "LicenseShortName"}
_LONGEST = 20_000
_ASSESSMENTS = {
    "featured": "Featured pictures",
    "quality": "Quality images",
    "valued": "Valued images",
    "potd": "Pictures of the day",
}


def metadata_by_title(site: Site, titles: Iterable[str]) -> dict[str, Mapping[str, Any]]:
    """Return the metadata of files by title. Reads their pages with one query and renders them."""
    parsed = {name: title for name in titles if (title := site.titles.try_parse(name))}
    pages = texts.current(site.db, [title.key for title in parsed.values()])
    metadata: dict[str, Mapping[str, Any]] = {}
    for name, title in parsed.items():
        page = pages.get(title.key)
        metadata[name] = _entries(site, page) if page and page.text else _of_categories(())
    return metadata


def _entries(site: Site, page: PageText) -> dict[str, Any]:
    title = site.titles.make(page.namespace, page.title)
    options = ParserOptions(edit_sections=False, limit_report=False, toc=False)
    output: ParserOutput = site.parser.parse(page.text or "", title, options)
    tree = LexborHTMLParser(output.html, is_fragment=True)
    names = [name.replace("_", " ") for name in output.categories]
    licence = _of_licence(tree)
    # Where a picture was taken is written as <span class="geo">latitude; longitude</span>.
    node = tree.css_first(".geo")
    lat, mark, lon = node.text().partition(";") if node else ("", "", "")
    place: dict[str, Any] = {}
    if mark:
        place = {"GPSLatitude": _entry(lat.strip()), "GPSLongitude": _entry(lon.strip())}
    return {**_of_categories(names), **_of_cells(tree), **licence, **place}


def _of_categories(names: Sequence[str]) -> dict[str, Any]:
    assessed = [
        word
        for word, start in _ASSESSMENTS.items()
        if any(name.startswith(start) for name in names)
    ]
    return {
        "Categories": _entry("|".join(names), _CATEGORIES),
        "Assessments": _entry("|".join(assessed), _CATEGORIES),
    }


def _of_cells(tree: LexborHTMLParser) -> dict[str, Any]:
    entries: dict[str, Mapping[str, Any]] = {}
    for mark, name in _IN_CELLS.items():
        if node := tree.css_first(f"#{mark}"):
            cell = node.next
            while cell is not None and cell.tag == "-text":
                cell = cell.next
            if cell is not None and (html := (cell.inner_html or "").strip()):
                entries[name] = _entry(html)
        elif node := tree.css_first(f".{mark}"):
            entries[name] = _entry((node.inner_html or "").strip())
    return entries


def _of_licence(tree: LexborHTMLParser) -> dict[str, Any]:
    """Return the entries of the first licence on the page."""
    licence = tree.css_first(".licensetpl")
    if licence is None:
        return {}
    entries: dict[str, Mapping[str, Any]] = {}
    for mark, name in _OF_LICENCE.items():
        if node := licence.css_first(f".{mark}"):
            html = node.text() if name in _SHORT else node.inner_html or ""
            entries[name] = _entry(html.strip())
    if "LicenseShortName" in entries:
        code = entries["LicenseShortName"]["value"].lower().replace(" ", "-")
        entries["License"] = _entry(code)
        entries["Copyrighted"] = _entry("False" if code.startswith(("pd", "public")) else "True")
    return entries


def _entry(value: str, source: str = _PAGE) -> dict[str, Any]:
    hidden = {"hidden": ""} if source == _CATEGORIES else {}
    return {"value": value[:_LONGEST], "source": source, **hidden}
