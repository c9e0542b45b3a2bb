"""The HTML documents of a static site."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from markupsafe import Markup
from selectolax.lexbor import LexborHTMLParser, LexborNode

from wikiapi.filerepo import File, ThumbParams, ThumbRequest, reduced
from wikiapi.languages import Message, MessageParam, Plain, direction, html_code
from wikiapi.site import Site
from wikiapi.store.queries import RedirectRow, categories
from wikiapi.title import CATEGORY, FILE, Title
from wikiapi.workers import working_on
from wikiapi_plugins.actions.parse.facts import display_title
from wikiapi_plugins.export.documents import Document, DocumentBatch
from wikiapi_plugins.export.links import PageLinks, quoted
from wikiapi_plugins.export.names import NamesSource
from wikiapi_plugins.export.rendering import ExportedPage, Key, PageRenderer
from wikiapi_plugins.export.running import BatchResult, Work
from wikiapi_plugins.export.site.media import Media
from wikiapi_plugins.export.site.search import START_CHARACTERS, SearchEntry, weights
from wikiapi_plugins.web.contents import table_of_contents
from wikiapi_plugins.web.darkmode import with_dark_mode_rules
from wikiapi_plugins.web.reader.rendering import PicturePlaceholders
from wikiapi_plugins.web.reader.words import plain_text
from wikiapi_plugins.web.templating import templates_in

_UP = "../"
_SCRIPTS = 'script,form,iframe,object,embed,link:not([rel^="mw:"]),meta:not([property^="mw:"]),base'
"""What needs a server. Parsoid's HTML has links and properties that tell about the page."""
_LINKS = "a[href],area[href],link[href]"
_SOURCES = "img[src],audio[src],video[src],source[src],track[src],video[poster]"
_NO_TEXT = "style,.mw-editsection,.navbox,.noprint,.no-picture,.reference"


class Link(NamedTuple):
    """A link; ``url`` is empty if the target is not exported."""

    text: str
    url: str


class MemberList(NamedTuple):
    """The members of a category of one kind: subcategories, pages or files."""

    heading: str
    links: list[Link]


class Picture(NamedTuple):
    """The file that a file page describes, or a preview of it."""

    name: str
    url: str
    is_image: bool


class Documents:
    """Fills in the HTML templates of the export."""

    def __init__(self, site: Site, *, is_zim: bool, address: str) -> None:
        """Prepare the data that all documents share."""
        self._site = site
        self._address = address
        settings = site.config.site
        self._common = {
            "lang": html_code(site.language),
            "dir": direction(site.language),
            "wiki": settings.name,
            "rights": settings.rights_text,
            "rights_url": settings.rights_url,
            "is_zim": is_zim,
            "t": self.text,
            "contents": (),
        }
        self._templates = templates_in(folder("templates"))

    def text(self, key: str, *params: MessageParam) -> str:
        """Return an interface message of the export in the content language."""
        message = Message(f"export-{key}", params)
        return plain_text(self._site.messages, message, self._site.language)

    def make(self, template: str, file: str, heading: str, **data: Any) -> bytes:
        """Return the content of a file, from a template and its data."""
        canonical = f"{self._address}/{quoted(file)}" if self._address else ""
        common = {"up": _UP * file.count("/"), "canonical": canonical, "heading": heading}
        text = self._templates.get_template(template).render(self._common | common | data)
        return text.encode("utf-8", "replace")


def folder(name: str) -> Path:
    """Return the path of a folder of this package."""
    return Path(str(resources.files(__package__))) / name


@dataclass(frozen=True)
class PagesExport:
    """Makes a document of each page, and its entry for the search; a ZIM file needs none."""

    names: NamesSource
    is_zim: bool
    address: str
    parsoid: bool

    def worker(self, site: Site) -> Work:
        """Return the function that makes the documents of a batch."""
        return _Maker(site, self).make


class _Maker:
    def __init__(self, site: Site, export: PagesExport) -> None:
        self._site = site
        self._export = export
        self._renderer = PageRenderer(site, parsoid=export.parsoid)
        self._links = PageLinks(site, export.names.open(site))
        self._media = Media(site)
        self._placeholders = None if export.parsoid else PicturePlaceholders(site)
        self._documents = Documents(site, is_zim=export.is_zim, address=export.address)

    def make(self, keys: Sequence[Key]) -> BatchResult:
        """Return the documents of a batch of pages, and their search entries."""
        pages = list(self._renderer.render(keys))
        files = self._site.files.find([page.title for page in pages if page.title.ns == FILE])
        urls = self._picture_urls(files)
        names = dict.fromkeys(name for page in pages for name in page.output.categories)
        hidden = categories.hidden(self._site.db, list(names))
        documents: list[Document] = []
        entries: list[SearchEntry] = []
        for page in pages:
            working_on(page.title.prefixed_text)
            file = self._links.file(page.title)
            if file is None:
                continue
            if page.redirect is not None:
                if not self._export.is_zim:
                    documents.append(self._redirect(page, page.redirect, file))
                continue
            picture = None
            if (described := files.get(page.title)) is not None:
                copy, mime = self._media.relative(urls[page.title]), described.current.mime
                if copy:
                    picture = Picture(page.title.text, copy, mime.startswith("image/"))
            tree = self._content(page)
            visible = [name for name in page.output.categories if name not in hidden]
            documents.append(self._page(page, file, tree, visible, picture))
            if not self._export.is_zim:
                entries.append(_entry(page, file, tree))
        batch = DocumentBatch(documents, entries, self._media.take_used())
        return BatchResult(batch.encoded(), len(pages), sum(page.is_failed for page in pages))

    def _picture_urls(self, files: Mapping[Title, File]) -> dict[Title, str]:
        """Return the URLs of files; of bitmap images in a ZIM file, those of previews."""
        urls = {title: file.current.url for title, file in files.items()}
        if self._export.is_zim:
            bitmaps = {
                title: file
                for title, file in files.items()
                if (handler := file.current.handler) and not handler.is_vector
            }
            size = ThumbParams(*self._site.config.files.preview_size())
            thumbnails = self._site.files.thumbnails(
                [
                    ThumbRequest(file, file.current, reduced(size, file.current))
                    for file in bitmaps.values()
                ]
            )
            for title, thumbnail in zip(bitmaps, thumbnails, strict=True):
                if thumbnail is not None:
                    urls[title] = thumbnail.url
        return urls

    def _redirect(self, page: ExportedPage, row: RedirectRow, file: str) -> Document:
        heading = page.title.prefixed_text
        target = self._site.titles.make(row.namespace, row.title)
        path = self._links.file(target) if not row.interwiki else None
        if path is None:
            data = self._documents.make(
                "page.html", file, heading, picture=None, members=(),
                categories=(), content=target.prefixed_text,
            )  # fmt: skip
        else:
            anchor = f"#{self._site.fragments.link(row.fragment)}" if row.fragment else ""
            link = Link(target.prefixed_text, f"{_UP}{quoted(path)}{anchor}")
            data = self._documents.make("redirect.html", file, heading, target=link)
        return Document(file, data.decode(), heading)

    def _content(self, page: ExportedPage) -> LexborHTMLParser:
        """Return the HTML of a page, with links and pictures that lead to files of the export."""
        html = with_dark_mode_rules(page.output.html)
        if self._placeholders is not None:
            html = self._placeholders.insert_into(html)
        tree = LexborHTMLParser(html, is_fragment=True)
        # Change links and pictures to files of the export, and remove what needs a server.
        for node in tree.css(_SCRIPTS):
            node.remove()
        for node in tree.css(_LINKS):
            href = node.attributes.get("href") or ""
            url: str | None = href
            if self._media.is_file(href):
                url = self._media.relative(href)
            elif self._links.is_local(href):
                url = self._links.relative(href)
            if url:
                node.attrs["href"] = url
            else:
                del node.attrs["href"]
        for node in tree.css("[srcset]"):
            del node.attrs["srcset"]
        for node in tree.css(_SOURCES):
            self._adapt_source(node)
        return tree

    def _page(
        self,
        page: ExportedPage,
        file: str,
        content: LexborHTMLParser,
        visible: Sequence[str],
        picture: Picture | None,
    ) -> Document:
        """Return the document of a page, which names the ``visible`` categories."""
        output = page.output
        titles = [self._site.titles.make(CATEGORY, name) for name in visible]
        data = self._documents.make(
            "page.html",
            file,
            Markup(display_title(page.title, "wikitext", output)),  # noqa: S704
            content=Markup(content.html or ""),  # noqa: S704
            contents=table_of_contents(output.sections, self._site) if output.show_toc else (),
            picture=picture,
            members=self._members(page.title),
            categories=[self._to(title, title.text) for title in titles],
        )
        return Document(file, data.decode(), page.title.prefixed_text)

    def _adapt_source(self, node: LexborNode) -> None:
        """Change a source to the copy of its file; replace a remote picture by its ``alt`` text."""
        for name in ("src", "poster"):
            src = node.attributes.get(name)
            if not src or src.startswith("data:"):
                continue
            url = self._media.relative(src)
            if url:
                node.attrs[name] = url
            elif node.tag == "img":
                node.replace_with(node.attributes.get("alt") or "")
            else:
                del node.attrs[name]

    def _members(self, title: Title) -> list[MemberList]:
        """Return the members of a category that are exported. One query for a category."""
        if title.ns != CATEGORY:
            return []
        lists: dict[str, list[Link]] = {"subcat": [], "page": [], "file": []}
        rows = self._site.db.execute(categories.named_members(title.dbkey))
        for row in sorted(rows, key=lambda row: (bytes(row[2]), row[0])):
            _, kind, _, namespace, dbkey = row
            member = self._site.titles.make(namespace, dbkey)
            link = self._to(member, member.prefixed_text)
            if link.url:
                lists[kind].append(link)
        headings = {"subcat": "subcategories", "page": "pages", "file": "files"}
        return [
            MemberList(self._documents.text(headings[kind], Plain(title.text)), links)
            for kind, links in lists.items()
            if links
        ]

    def _to(self, title: Title, text: str) -> Link:
        file = self._links.file(title)
        return Link(text, f"{_UP}{quoted(file)}" if file else "")


def _entry(page: ExportedPage, file: str, content: LexborHTMLParser) -> SearchEntry:
    """Return the entry for the search. What does not count as text is removed from the content."""
    for node in content.css(_NO_TEXT):
        node.remove()
    first = next((text for node in content.css("p") if (text := " ".join(node.text().split()))), "")
    text = " ".join((content.text(separator=" ")).split())
    title = page.title.prefixed_text
    start = (first or text)[:START_CHARACTERS]
    return SearchEntry(page.page_id, title, quoted(file), start, weights(title, text))
