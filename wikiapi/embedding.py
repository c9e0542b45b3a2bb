"""A wiki as a Python object: renders text, reads pages, searches and asks the API, without HTTP.

::

    import wikiapi

    with wikiapi.open("wiki.sqlite") as wiki:
        print(wiki.render("'''Tea''' is a [[drink]]."))
        print(wiki.page("Main Page").text)
        print([hit.title for hit in wiki.search("green tea")])
        print(wiki.query(titles="Main Page", prop="categories"))

`mount` serves wikis below paths of another WSGI application.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Self

from wikiapi.api.calling import Answer, Value, call, walk
from wikiapi.errors import RequestFailed, SearchRefused, WikiapiError
from wikiapi.factory import (
    Source,
    configuration,
    existing_site,
    with_read_right,
    without_debug_info,
)
from wikiapi.http.mounting import mount
from wikiapi.search import Hit
from wikiapi.search import search as search_pages
from wikiapi.structure import (
    Infobox,
    PageSection,
    Reference,
    Table,
    TemplateCall,
    page_infobox,
    page_references,
    page_sections,
    page_tables,
    template_calls,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from wikiapi.site import Site

__all__ = [
    "Hit",
    "OpenWiki",
    "Page",
    "PageMissing",
    "RequestFailed",
    "SearchRefused",
    "Source",
    "mount",
    "open_wiki",
]

_PLAIN: Mapping[str, Value] = {
    "action": "parse",
    "prop": "text",
    "disablelimitreport": True,
    "disableeditsection": True,
    "wrapoutputclass": "",
}
"""Parameters for HTML without the parts that are only needed on a web page."""


class PageMissing(WikiapiError, LookupError):
    """The wiki has no page with this title, or the title is invalid."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page: ``text`` is the source of its newest revision, and ``html`` renders it.

    ``title`` includes the namespace; if a redirect was followed, it is the title of the target.
    ``timestamp`` is that of the revision, in ISO 8601.
    """

    title: str
    page_id: int
    revision_id: int
    timestamp: str
    content_model: str
    text: str
    _wiki: OpenWiki

    @property
    def html(self) -> str:
        """The page rendered as HTML."""
        return self._wiki.rendered(oldid=self.revision_id)

    @property
    def templates(self) -> list[TemplateCall]:
        """The calls of templates in the source, in the order in which they begin."""
        site = self._wiki.site
        render = partial(self._wiki.render, title=self.title)
        with site.answering():
            page = site.titles.parse(self.title)
            return template_calls(self.text, page, site.parser, render)

    @property
    def sections(self) -> list[PageSection]:
        """The sections, of which the first is the lead section."""
        parameters = {**_PLAIN, "prop": "text|sections", "oldid": self.revision_id}
        answer = self._wiki.ask(parameters)["parse"]
        reader = self._wiki.site.parser.preprocessor
        return page_sections(answer["text"], answer["sections"], self.text, reader)

    @property
    def tables(self) -> list[Table]:
        """The tables, with those within others, in the order in which they begin."""
        return page_tables(self.html)

    @property
    def infobox(self) -> Infobox | None:
        """The infobox; ``None`` if the page has none."""
        return page_infobox(self.html)

    @property
    def references(self) -> list[Reference]:
        """The notes of ``<ref>``, list by list."""
        return page_references(self.html)


class OpenWiki:
    """A wiki opened for reading: see `open_wiki`. Threads may share it."""

    def __init__(self, site: Site, resources: ExitStack) -> None:
        """Take a site and the resources that ``close`` releases."""
        self.site = site
        self._resources = resources

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the database."""
        self._resources.close()

    def render(self, text: str, title: str = "API") -> str:
        """Return wikitext as HTML, with the templates, links and files of this wiki.

        Args:
            text: the wikitext.
            title: the title of the page that the text is rendered as, for ``{{PAGENAME}}`` and
                links to subpages.

        Raises:
            RequestFailed: the title is invalid, or the text is larger than a page may be.
        """
        return self.rendered(text=text, title=title, contentmodel="wikitext")

    def page(self, title: str) -> Page:
        """Return a page with the source of its newest revision; redirects are followed.

        Raises:
            PageMissing: there is no page with this title.
        """
        answer = self.query(
            {"redirects": True}, titles=[title], prop="revisions",
            rvprop="ids|timestamp|content|contentmodel", rvslots="main",
        )  # fmt: skip
        (item,) = answer.get("query", {}).get("pages") or [{}]
        revision = next(iter(item.get("revisions", ())), None)
        if revision is None:
            raise PageMissing(item.get("invalidreason") or f"there is no page {title!r}")
        slot = revision["slots"]["main"]
        return Page(
            title=item["title"],
            page_id=item["pageid"],
            revision_id=revision["revid"],
            timestamp=revision["timestamp"],
            content_model=slot["contentmodel"],
            text=slot.get("content", ""),
            _wiki=self,
        )

    def search(
        self, words: str, *, limit: int = 10, namespaces: Iterable[int] | None = (0,)
    ) -> list[Hit]:
        """Return the best pages for some words, as the reader's search does.

        Pages come first that are called so, then those with the words in their titles. If no page
        has all of the words, some of them, or other spellings, are enough.

        Args:
            words: words, ``"phrases"``, ``prefixes*`` and ``-unwanted`` words.
            limit: the maximum number of pages, at most 500.
            namespaces: the numbers of the namespaces to search; ``None`` for all.

        Raises:
            SearchRefused: the database has no full-text index, or the search has no words.
        """
        spaces = self.site.namespaces.ids() if namespaces is None else tuple(namespaces)
        with self.site.answering():
            return list(search_pages(self.site, words, spaces, limit=limit).hits)

    def query(self, params: Mapping[str, Value] | None = None, /, **named: Value) -> Answer:
        """Return the answer of ``action=query``, in format version 2.

        Parameters are given by name, or in a mapping if their name is a Python keyword. Lists are
        joined, ``True`` sets a flag, and parameters that are ``None`` or ``False`` are left out.

        Raises:
            RequestFailed: the answer is an error.
        """
        return self.ask({"action": "query", **(params or {})}, **named)

    def walk(
        self, params: Mapping[str, Value] | None = None, /, **named: Value
    ) -> Iterator[Answer]:
        """Yield the answers of ``action=query`` one after another, following ``continue``.

        Raises:
            RequestFailed: an answer is an error.
        """
        return walk(self.site, {"action": "query", **(params or {})}, None, **named)

    def ask(self, params: Mapping[str, Value] | None = None, /, **named: Value) -> Answer:
        """Return the answer of any action, such as ``action="opensearch"``.

        Raises:
            RequestFailed: the answer is an error.
        """
        return call(self.site, params or {}, None, **named)

    def rendered(self, **params: Value) -> str:
        """Return the HTML of ``action=parse`` with these parameters."""
        return str(self.ask(_PLAIN, **params)["parse"]["text"])


def open_wiki(source: Source, *, config: Source | None = None) -> OpenWiki:
    """Open a wiki for reading, to use it from Python; ``wikiapi.open`` is this function.

    Args:
        source: the file or URL of a database, the name of a configuration file (``*.toml``) or of a
            folder with a ``wikiapi.toml``, or settings. A MediaWiki database is opened as it is.
        config: if ``source`` is a database, the other settings: namespaces, plugins, files... By
            default those in the ``wikiapi.toml`` in its folder, unless it names another database.

    Raises:
        ConfigError: the configuration is invalid.
        PluginError: a plugin cannot be loaded.
        StoreError: the database is missing, empty or of an unsupported version.
    """
    settings = with_read_right(without_debug_info(configuration(source, config)))
    with ExitStack() as stack:
        site = stack.enter_context(existing_site(settings, read_only=True))
        return OpenWiki(site, stack.pop_all())
