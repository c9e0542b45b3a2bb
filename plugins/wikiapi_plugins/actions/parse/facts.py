"""The data about a rendering, as result nodes, for each value of ``prop``."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from html import escape
from types import MappingProxyType
from typing import Any

from wikiapi.api import Arr, KeyValues, Obj
from wikiapi.languages import autonym
from wikiapi.site import Site
from wikiapi.store.queries import pages
from wikiapi.title import CATEGORY, Title
from wikiapi.wikitext import ParserOutput, Section, escape_all, report
from wikiapi_plugins.actions.parse.source import Source
from wikiapi_plugins.markdown.addresses import Addresses
from wikiapi_plugins.markdown.document import to_markdown


class Facts:
    """The data about a rendering."""

    def __init__(self, site: Site, source: Source, output: ParserOutput) -> None:
        """Use the parser output of a source."""
        self.site = site
        self.source = source
        self.output = output

    def language_links(self) -> Arr:
        """Return links to the page in other languages."""
        items = []
        for link in self.output.language_links.values():
            page = self.site.titles.try_parse(f"{link.prefix}:{link.title}")
            name = autonym(link.prefix)
            item = {
                "lang": link.prefix,
                "url": self.site.page_path(page) if page else "",
                "langname": name,
                "autonym": name,
                "title": link.title,
            }
            items.append(Obj(item, content="title"))
        return Arr(items, "ll")

    def categories(self) -> Arr:
        """Return the categories of the page, and whether they are hidden or missing."""
        return Arr(
            (
                Obj(
                    {"sortkey": self.output.categories[name], "category": name} | flags,
                    content="category",
                )
                for name, flags in self.category_flags().items()
            ),
            "cl",
        )

    def category_flags(self) -> dict[str, dict[str, bool]]:
        """Return the flags of each category, ``missing`` or ``hidden`` if any. Two queries."""
        names = list(self.output.categories)
        rows = pages.by_titles(self.site.db, [(CATEGORY, name) for name in names])
        ids = [row.page_id for row in rows.values()]
        hidden = pages.page_props(self.site.db, ids, ["hiddencat"])
        flags: dict[str, dict[str, bool]] = {}
        for name in names:
            row = rows.get((CATEGORY, name))
            if row is None:
                flags[name] = {"missing": True}
            else:
                flags[name] = {"hidden": True} if row.page_id in hidden else {}
        return flags

    def links(self) -> Arr:
        """Return the linked pages."""
        titles = self.output.links.values()
        # The titles that existed for the rendering, stored or not.
        existing = {
            title.key
            for title in titles
            if title.key in self.output.existing or title.key in self.output.unstored
        }
        return self._titles(titles, existing, "pl")

    def templates(self) -> Arr:
        """Return the transcluded pages, grouped by namespace."""
        titles = self.output.templates.values()
        order = list(dict.fromkeys(title.ns for title in titles))
        grouped = sorted(titles, key=lambda title: order.index(title.ns))
        return self._titles(grouped, set(self.output.template_ids), "tl")

    def _titles(self, titles: Iterable[Title], existing: set[tuple[int, str]], element: str) -> Arr:
        return Arr(
            (
                Obj(
                    {
                        "ns": title.ns,
                        "title": title.prefixed_text,
                        "exists": title.key in existing,
                    },
                    content="title",
                )
                for title in titles
            ),
            element,
        )

    def interwiki_links(self) -> Arr:
        """Return links to other wikis, those of each wiki together."""
        links = self.output.interwiki_links
        wikis = dict.fromkeys(prefix for prefix, _ in links)
        prefixes = {prefix: place for place, prefix in enumerate(wikis)}
        return Arr(
            (
                Obj(
                    {
                        "prefix": title.interwiki,
                        "url": self.site.page_path(title.without_fragment()),
                        "title": title.prefixed_text,
                    },
                    content="title",
                )
                for title in sorted(links.values(), key=lambda title: prefixes[title.interwiki])
            ),
            "iw",
        )

    def external_links(self) -> Arr:
        """Return external links."""
        return Arr(self.output.external_links, "el")

    def sections(self) -> Arr:
        """Return the headings."""
        return Arr((_section(section) for section in self.output.sections), "s")

    def toc_data(self) -> Obj | None:
        """Return the headings in the newer form; ``None`` if there are none."""
        if not self.output.sections and not self.output.has_no_sections:
            return None
        sections = Arr((_toc_section(section) for section in self.output.sections), "s")
        return Obj({"sections": sections, "extensionData": Arr()})

    def indicators(self) -> KeyValues:
        """Return the page status indicators."""
        return KeyValues(self.output.indicators, element="ind")

    def head_items(self) -> Arr:
        """Return the elements that the page adds to the head of a document."""
        items = self.output.head_items.items()
        return Arr((Obj({"tag": tag, "html": html}, content="html") for tag, html in items), "hi")

    def properties(self) -> KeyValues:
        """Return the page properties."""
        return KeyValues(self.output.properties, element="pp")

    def limits(self) -> Arr:
        """Return the limit report as data."""
        rows = [(key, list(values)) for key, values in report.limit_data(self.output)]
        rows.append(("limitreport-timingprofile", list(report.profile_lines(self.output))))
        expiry = self.site.config.limits.parser_cache_expiry
        ttl = self.output.good_for(expiry)
        now = self.site.clock()
        rows += [
            ("cachereport-timestamp", [f"{now:%Y%m%d%H%M%S}"]),
            ("cachereport-ttl", [ttl]),
            ("cachereport-transientcontent", [ttl < expiry]),
        ]
        items = (Obj({"name": key} | {str(n): v for n, v in enumerate(vs)}) for key, vs in rows)
        return Arr(items, "lr")

    def markdown(self) -> str:
        """Return the page as Markdown, with absolute URLs."""
        return to_markdown(self.output.html, self.site.derived(Addresses).resolve)

    def display_title(self) -> str:
        """Return the displayed title of the page, as HTML."""
        return display_title(self.source.title, self.source.model, self.output)


def _section(section: Section) -> Obj:
    return Obj(
        {
            "toclevel": section.toc_level,
            "level": str(section.level),
            "line": section.line,
            "number": section.number,
            "index": section.index,
            "fromtitle": False if section.from_title is None else section.from_title,
            "byteoffset": section.offset,
            "anchor": section.anchor,
            "linkAnchor": section.link_anchor,
        }
    )


def _toc_section(section: Section) -> Obj:
    data: dict[str, Any] = {
        "tocLevel": section.toc_level,
        "hLevel": section.level,
        "line": section.line,
        "number": section.number,
        "index": section.index,
        "fromTitle": section.from_title,
        "codepointOffset": section.offset,
        "anchor": section.anchor,
    }
    if section.link_anchor != section.anchor:
        data["linkAnchor"] = section.link_anchor
    return Obj({key: value for key, value in data.items() if value is not None})


FACTS: Mapping[str, tuple[tuple[str, Callable[[Facts], Any]], ...]] = MappingProxyType(
    {
        "langlinks": (("langlinks", Facts.language_links),),
        "categories": (("categories", Facts.categories),),
        "links": (("links", lambda facts: facts.links()),),
        "templates": (("templates", Facts.templates),),
        "images": (("images", lambda facts: Arr(facts.output.images, "img")),),
        "externallinks": (("externallinks", lambda facts: facts.external_links()),),
        "sections": (("sections", Facts.sections),),
        "tocdata": (("tocdata", Facts.toc_data),),
        "parsewarnings": (
            ("parsewarnings", lambda facts: Arr(facts.output.warnings.values(), "pw")),
        ),
        "displaytitle": (("displaytitle", lambda facts: facts.display_title()),),
        "modules": (
            ("modules", lambda facts: Arr(facts.output.modules, "m")),
            ("modulescripts", lambda facts: Arr((), "m")),
            ("modulestyles", lambda facts: Arr(facts.output.module_styles, "m")),
        ),
        "jsconfigvars": (("jsconfigvars", lambda facts: Obj(facts.output.js_config_vars)),),
        "encodedjsconfigvars": (
            (
                "encodedjsconfigvars",
                lambda facts: json.dumps(facts.output.js_config_vars or [], ensure_ascii=False),
            ),
        ),
        "indicators": (("indicators", Facts.indicators),),
        "headitems": (("headitems", Facts.head_items),),
        "iwlinks": (("iwlinks", lambda facts: facts.interwiki_links()),),
        "properties": (("properties", Facts.properties),),
        "limitreportdata": (("limitreportdata", Facts.limits),),
        "markdown": (("markdown", Facts.markdown),),
    }
)
"""For each value of ``prop``, the result keys and the functions that return their values.

The order is that of the answer.
"""


class ParsoidFacts(Facts):
    """The data about a rendering in Parsoid's form, in which links are marked in the document."""

    def links(self) -> Arr:
        """Return nothing: links to pages are marked in the document."""
        return Arr((), "pl")

    def external_links(self) -> Arr:
        """Return nothing, for the same reason."""
        return Arr((), "el")

    def interwiki_links(self) -> Arr:
        """Return nothing, for the same reason."""
        return Arr((), "iw")

    def display_title(self) -> str:
        """Return the title set by the page, or its name without markup."""
        return self.output.title_html or escape(self.source.title.prefixed_text, quote=False)


_PLAIN = frozenset({"json", "text"})
"""Content models whose pages the parser does not render; their title has no markup."""

_UNCONVERTED = frozenset({"notitleconvert", "nocontentconvert"})


def display_title(title: Title, model: str, output: ParserOutput) -> str:
    """Return the title set by the page, or its name with markup for namespace and main part."""
    if output.title_html:
        return output.title_html
    if model in _PLAIN or not _UNCONVERTED.isdisjoint(output.switches):
        return escape_all(title.prefixed_text)
    namespace, text = output.name_in_variant or (title.namespace.name, title.text)
    main = f'<span class="mw-page-title-main">{escape_all(text)}</span>'
    if not namespace:
        return main
    return (
        f'<span class="mw-page-title-namespace">{escape_all(namespace)}</span>'
        f'<span class="mw-page-title-separator">:</span>{main}'
    )
