"""A static site as a whole, and its files other than those of pages."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from xml.sax.saxutils import escape

from wikiapi.site import Site
from wikiapi_plugins.export.documents import DocumentBatch, write_documents, write_file
from wikiapi_plugins.export.links import quoted
from wikiapi_plugins.export.names import NamesSource
from wikiapi_plugins.export.running import BatchResult, StateSink
from wikiapi_plugins.export.site.media import Media
from wikiapi_plugins.export.site.pages import Documents, Link, PagesExport, folder
from wikiapi_plugins.export.site.search import SearchEntry, store_entries, write_index
from wikiapi_plugins.export.state import State
from wikiapi_plugins.web.reader.reader import folder as reader_folder
from wikiapi_plugins.web.reader.reader import style_sheet

_LINKS_PER_LIST = 500
_URLS_PER_SITEMAP = 50_000
_NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
_PAGES = "SELECT namespace, title, file FROM names WHERE NOT is_redirect ORDER BY namespace, title"


class SiteSink:
    """Writes documents, copies the files that they show, and stores the entries for the search.

    The documents of a ZIM file stay in the state, from which they are packed: making a file of each
    and reading it again took a tenth of the time of an export.
    """

    def __init__(self, site: Site, folder: Path, *, is_zim: bool) -> None:
        """Write into this folder."""
        self._folder = folder
        self._is_zim = is_zim
        self._media = Media(site, folder)

    def store(self, state: State, result: BatchResult) -> int:
        """Store a batch.

        Raises:
            ExportError: a file that the worker found is missing here.
        """
        batch = DocumentBatch.decoded(result.data)
        for url in batch.media:
            self._media.copy(url)
        if self._is_zim:
            return StateSink().store(state, result)
        write_documents(self._folder, batch.documents)
        store_entries(state, (SearchEntry(*entry) for entry in batch.entries))
        return 0


@dataclass(frozen=True)
class StaticSite:
    """A static site in a folder, or what a ZIM file is packed from.

    ``address`` is the URL of the future site; empty if it is not known. ``parsoid`` tells whether
    pages have Parsoid's HTML.
    """

    folder: Path
    address: str
    is_zim: bool = False
    parsoid: bool = False

    def export(self, names: NamesSource) -> PagesExport:
        """Return the export of the pages, whose files have these names."""
        return PagesExport(names, self.is_zim, self.address, self.parsoid)

    def sink(self, site: Site) -> SiteSink:
        """Return the object that stores the results."""
        return SiteSink(site, self.folder, is_zim=self.is_zim)

    def finish(self, site: Site, state: State) -> None:
        """Write the style sheet, search, lists, sitemap and start page."""
        static = folder("static")
        sheet = "\n".join((style_sheet(site), (static / "site.css").read_text("utf-8")))
        write_file(self.folder / "static" / "style.css", sheet.encode())
        icon = (reader_folder("static") / "icon.svg").read_bytes()
        write_file(self.folder / "static" / "icon.svg", icon)
        if self.is_zim:
            return
        documents = Documents(site, is_zim=False, address=self.address)
        script = (static / "search.js").read_bytes()
        write_file(self.folder / "static" / "search.js", script)
        write_index(state, self.folder / "search")
        heading = documents.text("search")
        search = documents.make("search.html", "search.html", heading)
        write_file(self.folder / "search.html", search)
        self._write_lists(site, state, documents)
        # The start page redirects to the main page or to the list of pages.
        file = main_file(site, state)
        link = Link(site.main_page.prefixed_text if file else "", quoted(file or "all/1.html"))
        data = documents.make("redirect.html", "index.html", site.config.site.name, target=link)
        write_file(self.folder / "index.html", data)
        if self.address:
            self._write_sitemap(state)

    def remove(self) -> None:
        """Delete the folder."""
        shutil.rmtree(self.folder)

    def _write_lists(self, site: Site, state: State, documents: Documents) -> None:
        rows = state.rows(_PAGES)
        heading = documents.text("all-pages")
        links = (
            Link(site.titles.make(namespace, title).prefixed_text, f"../{quoted(file)}")
            for namespace, title, file in rows
        )
        part = list(islice(links, _LINKS_PER_LIST))
        number = 1
        while part or number == 1:
            following = list(islice(links, _LINKS_PER_LIST))
            file = f"all/{number}.html"
            data = documents.make(
                "list.html", file, heading, links=part, number=number, has_next=bool(following)
            )
            write_file(self.folder / file, data)
            part, number = following, number + 1

    def _write_sitemap(self, state: State) -> None:
        rows = state.rows(_PAGES)
        number = 0
        while part := list(islice(rows, _URLS_PER_SITEMAP)):
            urls = "".join(f"<url><loc>{self._url(file)}</loc></url>\n" for *_, file in part)
            self._write_xml(f"sitemap-{number}.xml", f"<urlset {_NAMESPACE}>\n{urls}</urlset>")
            number += 1
        names = "".join(
            f"<sitemap><loc>{self._url(f'sitemap-{part}.xml')}</loc></sitemap>\n"
            for part in range(number)
        )
        self._write_xml("sitemap.xml", f"<sitemapindex {_NAMESPACE}>\n{names}</sitemapindex>")

    def _url(self, file: str) -> str:
        return escape(f"{self.address}/{quoted(file)}")

    def _write_xml(self, name: str, text: str) -> None:
        document = f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'
        write_file(self.folder / name, document.encode())


def main_file(site: Site, state: State) -> str | None:
    """Return the file of the main page; ``None`` if it is not exported."""
    query = "SELECT file FROM names WHERE namespace = ? AND title = ?"
    return next((file for (file,) in state.rows(query, site.main_page.key)), None)
