"""Machine-readable metadata on the description pages of files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from wikiapi.site import Site
from wikiapi.store.queries import texts
from wikiapi.store.queries.texts import PageText
from wikiapi.wikitext import ParserOptions, ParserOutput

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
    found: dict[str, Mapping[str, Any]] = {}
    for name, title in parsed.items():
        page = pages.get(title.key)
        found[name] = _entries(site, page) if page and page.text else _of_categories(())
    return found


def _entries(site: Site, page: PageText) -> dict[str, Any]:
    title = site.titles.make(page.namespace, page.title)
    options = ParserOptions(edit_sections=False, limit_report=False, toc=False)
    output: ParserOutput = site.parser.parse(page.text or "", title, options)
    tree = LexborHTMLParser(output.html, is_fragment=True)
    names = [name.replace("_", " ") for name in output.categories]
    licence = _of_licence(tree)
    return {**_of_categories(names), **_of_cells(tree), **licence, **_of_place(tree)}


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
    found: dict[str, Mapping[str, Any]] = {}
    for mark, name in _IN_CELLS.items():
        if node := tree.css_first(f"#{mark}"):
            cell = _next_element(node)
            if cell is not None and (html := (cell.inner_html or "").strip()):
                found[name] = _entry(html)
        elif node := tree.css_first(f".{mark}"):
            found[name] = _entry((node.inner_html or "").strip())
    return found


def _of_licence(tree: LexborHTMLParser) -> dict[str, Any]:
    """Return the entries of the first licence on the page."""
    licence = tree.css_first(".licensetpl")
    if licence is None:
        return {}
    found: dict[str, Mapping[str, Any]] = {}
    for mark, name in _OF_LICENCE.items():
        if node := licence.css_first(f".{mark}"):
            html = node.text() if name in _SHORT else node.inner_html or ""
            found[name] = _entry(html.strip())
    if "LicenseShortName" in found:
        code = found["LicenseShortName"]["value"].lower().replace(" ", "-")
        found["License"] = _entry(code)
        found["Copyrighted"] = _entry("False" if code.startswith(("pd", "public")) else "True")
    return found


def _of_place(tree: LexborHTMLParser) -> dict[str, Any]:
    """Return where a picture was taken, from ``<span class="geo">latitude; longitude</span>``."""
    node = tree.css_first(".geo")
    lat, mark, lon = node.text().partition(";") if node else ("", "", "")
    if not mark:
        return {}
    return {"GPSLatitude": _entry(lat.strip()), "GPSLongitude": _entry(lon.strip())}


def _next_element(node: LexborNode) -> LexborNode | None:
    following = node.next
    while following is not None and following.tag == "-text":
        following = following.next
    return following


def _entry(value: str, source: str = _PAGE) -> dict[str, Any]:
    hidden = {"hidden": ""} if source == _CATEGORIES else {}
    return {"value": value[:_LONGEST], "source": source, **hidden}
