"""The HTML documents of a static site, and copies of the files that they show."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from markupsafe import Markup
from selectolax.lexbor import LexborHTMLParser, LexborNode

from wikiapi.http import InProcess, make_app
from wikiapi.languages import Message, MessageParam, Plain, direction, html_code
from wikiapi.site import Site
from wikiapi.store.queries import categories
from wikiapi.title import CATEGORY, FILE, Title
from wikiapi.workers import working_on
from wikiapi_plugins.actions.parse.facts import display_title
from wikiapi_plugins.export.links import PageLinks, quoted
from wikiapi_plugins.export.names import digest, safe_name
from wikiapi_plugins.export.records import write_file
from wikiapi_plugins.export.rendering import ExportedPage, Key, PageRenderer
from wikiapi_plugins.export.running import BatchResult, Work
from wikiapi_plugins.export.site.search import START_CHARACTERS, SearchEntry, weights
from wikiapi_plugins.export.state import Names
from wikiapi_plugins.web.contents import table_of_contents
from wikiapi_plugins.web.darkmode import with_dark_mode_rules
from wikiapi_plugins.web.reader.files.filelocator import FileLocator, LocatedFile
from wikiapi_plugins.web.reader.files.thumbnails import Thumbnails
from wikiapi_plugins.web.reader.settings import Settings
from wikiapi_plugins.web.reader.words import plain_text
from wikiapi_plugins.web.templating import templates_in

_UP = "../"
_SCRIPTS = 'script,form,iframe,object,embed,link:not([rel^="mw:"]),meta:not([property^="mw:"]),base'
"""What needs a server. Parsoid's HTML has links and properties that tell about the page."""
_LINKS = "a[href],area[href],link[href]"
_SOURCES = "img[src],audio[src],video[src],source[src],track[src],video[poster]"
_NO_TEXT = "style,.mw-editsection,.navbox,.noprint,.reference"


FOLDER = "files"
_LONGEST = 60
_DIGITS = 32
_PUBLIC = "192.0.2.1"
"""The address of a client without privileges, which no server has."""
_TYPES = ("image/", "audio/", "video/", "text/vtt")
"""Types of what the wiki may serve at other addresses, such as icons."""


class Media:
    """Copies files into an export, each once, under a name with a checksum of its URL."""

    def __init__(self, site: Site, folder: Path) -> None:
        """Copy files into this folder."""
        self._site = site
        self._folder = folder
        self._app = InProcess(make_app(site), _PUBLIC)
        self._locator = FileLocator(site)
        self._thumbnails = Thumbnails(site, Settings.of(site))
        self._copies: dict[str, str | None] = {}
        files = site.config.files
        self._uploads = self._path(f"{files.url.rstrip('/')}/")
        thumbs = files.thumbnail_url.rstrip("/") or f"{files.url.rstrip('/')}/thumb"
        self._thumbs = self._path(f"{thumbs}/")

    def is_file(self, url: str) -> bool:
        """Return whether a URL is below that of the upload folder."""
        return self._path(url).startswith(self._uploads)

    def relative(self, url: str) -> str | None:
        """Return the URL of a copy relative to a page; ``None`` if the wiki has no such file."""
        local = url.removeprefix(self._site.config.site.server)
        if not local.startswith("/") or local.startswith("//"):
            return None
        if local not in self._copies:
            self._copies[local] = self._copy(local)
        file = self._copies[local]
        return f"../{quoted(file)}" if file else None

    def _path(self, url: str) -> str:
        """Return the decoded path of a URL on the wiki's server."""
        path = url.removeprefix(self._site.config.site.server).partition("#")[0]
        return unquote(path.partition("?")[0])

    def _copy(self, url: str) -> str | None:
        path = self._path(url)
        stem, dot, ending = path.rpartition("/")[2].rpartition(".")
        name = safe_name((stem or ending)[:_LONGEST])
        ending = f".{ending.lower()}" if dot and ending.isalnum() and ending.isascii() else ""
        mark = digest(url, _DIGITS)
        file = f"{FOLDER}/{mark[:2]}/{name}-{mark}{ending}"
        target = self._folder / file
        if target.exists():
            return file
        # Two processes may copy the same file, so that each renames its own complete copy.
        part = target.with_name(f"{target.name}.{os.getpid()}")
        if path.startswith((self._uploads, self._thumbs)):
            original = self._original(path)
            if original is None:
                return None
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(original, part)
        else:
            answer = self._app.send("GET", path, url.partition("#")[0].partition("?")[2])
            kind = answer.headers.get("content-type", "")
            if answer.status != 200 or not kind.startswith(_TYPES):
                return None
            write_file(part, answer.body)
        part.replace(target)
        return file

    def _original(self, path: str) -> Path | None:
        """Return the file or thumbnail with a URL path; ``None`` if nobody is to see it."""
        if not path.startswith(self._thumbs):
            located = self._current(path.removeprefix(self._uploads))
            return located.path if located else None
        of_file, _, name = path.removeprefix(self._thumbs).rpartition("/")
        located = self._current(of_file)
        thumbnail = self._thumbnails.find(located, name) if located else None
        if located is None or thumbnail is None:
            return None
        return thumbnail.path or located.path

    def _current(self, path: str) -> LocatedFile | None:
        """Return the file whose current version has a path below the upload folder."""
        located = self._locator.find(path)
        return located if located and located.version.archive_name is None else None


class Link(NamedTuple):
    """A link; ``url`` is empty if the target is not exported."""

    text: str
    url: str


class MemberList(NamedTuple):
    """The members of a category of one kind: subcategories, pages or files."""

    heading: str
    links: list[Link]


class Picture(NamedTuple):
    """The file that a file page describes."""

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
    """Writes a document for each page, and returns its entry for the search."""

    folder: Path
    names: Path
    is_zim: bool
    address: str
    parsoid: bool

    def worker(self, site: Site) -> Work:
        """Return the function that writes the documents of a batch."""
        return _Writer(site, self).write


class _Writer:
    def __init__(self, site: Site, export: PagesExport) -> None:
        self._site = site
        self._export = export
        self._renderer = PageRenderer(site, parsoid=export.parsoid)
        self._names = Names(export.names)
        self._links = PageLinks(site, self._names)
        self._media = Media(site, export.folder)
        self._documents = Documents(site, is_zim=export.is_zim, address=export.address)

    def write(self, keys: Sequence[Key]) -> BatchResult:
        """Write the documents of a batch of pages, and return their search entries."""
        pages = list(self._renderer.render(keys))
        files = self._site.files.find([page.title for page in pages if page.title.ns == FILE])
        entries = []
        for page in pages:
            working_on(page.title.prefixed_text)
            file = self._links.file(page.title)
            if file is None:
                continue
            if page.redirect is not None:
                self._write_redirect(page, file)
                continue
            picture = None
            if (described := files.get(page.title)) is not None:
                copy, mime = self._media.relative(described.current.url), described.current.mime
                picture = (
                    Picture(page.title.text, copy, mime.startswith("image/")) if copy else None
                )
            entries.append(self._write_page(page, file, picture))
        return BatchResult(entries, len(pages), sum(page.is_failed for page in pages))

    def _write_redirect(self, page: ExportedPage, file: str) -> None:
        row = page.redirect
        if row is None or self._export.is_zim:
            return
        target = self._site.titles.make(row.namespace, row.title)
        path = self._links.file(target) if not row.interwiki else None
        if path is None:
            data = self._documents.make(
                "page.html", file, page.title.prefixed_text, picture=None, members=(),
                categories=(), content=target.prefixed_text,
            )  # fmt: skip
        else:
            anchor = f"#{self._site.fragments.link(row.fragment)}" if row.fragment else ""
            link = Link(target.prefixed_text, f"{_UP}{quoted(path)}{anchor}")
            heading = page.title.prefixed_text
            data = self._documents.make("redirect.html", file, heading, target=link)
        write_file(self._export.folder / file, data)

    def _write_page(self, page: ExportedPage, file: str, picture: Picture | None) -> SearchEntry:
        output = page.output
        tree = LexborHTMLParser(with_dark_mode_rules(output.html), is_fragment=True)
        self._adapt(tree)
        hidden = categories.hidden(self._site.db, list(output.categories))
        titles = [self._site.titles.make(CATEGORY, name) for name in output.categories]
        visible = [title for title in titles if title.dbkey not in hidden]
        data = self._documents.make(
            "page.html",
            file,
            Markup(display_title(page.title, "wikitext", output)),  # noqa: S704
            content=Markup(tree.html or ""),  # noqa: S704
            contents=table_of_contents(output.sections, self._site) if output.show_toc else (),
            picture=picture,
            members=self._members(page.title),
            categories=[self._to(title, title.text) for title in visible],
        )
        write_file(self._export.folder / file, data)
        # The document is written, so that elements can be removed for the search.
        for node in tree.css(_NO_TEXT):
            node.remove()
        first = next(
            (text for node in tree.css("p") if (text := " ".join(node.text().split()))), ""
        )
        text = " ".join((tree.text(separator=" ")).split())
        title = page.title.prefixed_text
        start = (first or text)[:START_CHARACTERS]
        return SearchEntry(page.page_id, title, quoted(file), start, weights(title, text))

    def _adapt(self, tree: LexborHTMLParser) -> None:
        """Change links and pictures to files of the export, and remove what needs a server."""
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
