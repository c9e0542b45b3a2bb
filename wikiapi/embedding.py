"""A wiki as a Python object: rendered text, pages, searches and the API's answers, without HTTP.

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
from typing import TYPE_CHECKING, Any, Self

from wikiapi.cli.support.advice import Failure
from wikiapi.cli.support.requests import with_read_right, without_debug_info
from wikiapi.cli.support.sites import existing_site
from wikiapi.cli.work.search import Hit
from wikiapi.cli.work.search import search as search_pages
from wikiapi.errors import WikiapiError
from wikiapi.factory import Source, configuration
from wikiapi.http.app import make_app
from wikiapi.http.mounting import mount
from wikiapi.testing.client import ApiClient, RequestFailed, Value

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

Answer = dict[str, Any]
_LOOPBACK = "127.0.0.1"
_PLAIN: Mapping[str, Value] = {
    "action": "parse",
    "prop": "text",
    "disablelimitreport": True,
    "disableeditsection": True,
    "wrapoutputclass": "",
}
"""A rendering without the parts that only a page of the reader needs."""


class PageMissing(WikiapiError, LookupError):
    """The wiki has no page with this title, or none can be called so."""


class SearchRefused(WikiapiError):
    """A search cannot be answered; the text is the reason."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page: ``text`` is the source of its newest revision, ``html`` renders it.

    ``title`` has its namespace; it is that of the target if the page was found by a redirect.
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


class OpenWiki:
    """A wiki opened for reading: see `open_wiki`. Threads may share it."""

    def __init__(self, site: Site, resources: ExitStack) -> None:
        """Take a site, and what is to be closed with it."""
        self.site = site
        path = f"{site.config.site.script_path}/api.php"
        self._client = ApiClient(make_app(site), path=path, remote_address=_LOOPBACK, raises=True)
        self._resources = resources

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the database."""
        self._resources.close()

    def render(self, text: str, title: str = "API") -> str:
        """Return a wikitext as HTML, with the templates, links and files of this wiki.

        Args:
            text: the wikitext.
            title: the page that it is taken for, which ``{{PAGENAME}}`` and subpages refer to.

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
        (found,) = answer.get("query", {}).get("pages") or [{}]
        revision = next(iter(found.get("revisions", ())), None)
        if revision is None:
            raise PageMissing(found.get("invalidreason") or f"there is no page {title!r}")
        slot = revision["slots"]["main"]
        return Page(
            title=found["title"],
            page_id=found["pageid"],
            revision_id=revision["revid"],
            timestamp=revision["timestamp"],
            content_model=slot["contentmodel"],
            text=slot.get("content", ""),
            _wiki=self,
        )

    def search(
        self, words: str, *, limit: int = 10, namespaces: Iterable[int] | None = (0,)
    ) -> list[Hit]:
        """Return the pages that contain all of the words, those with them in the title first.

        Args:
            words: words, ``"phrases"``, ``begin*`` and ``-unwanted``.
            limit: the largest number of pages, at most 500.
            namespaces: the numbers of the namespaces to search; ``None`` for all.

        Raises:
            SearchRefused: the database has no full-text index, or there is nothing to look for.
        """
        spaces = None if namespaces is None else list(namespaces)
        try:
            found = search_pages(self.site, words, titles=False, limit=limit, namespaces=spaces)
        except Failure as failure:
            raise SearchRefused(failure.message) from failure
        return found.hits

    def query(self, params: Mapping[str, Value] | None = None, /, **named: Value) -> Answer:
        """Return the answer of ``action=query``, in format version 2.

        Parameters are given by name, or in a mapping where their name is a word of Python. Lists
        are joined, ``True`` sets a flag, and what is ``None`` or ``False`` is left out.

        Raises:
            RequestFailed: the answer is an error.
        """
        return self.ask({"action": "query", **(params or {})}, **named)

    def walk(
        self, params: Mapping[str, Value] | None = None, /, **named: Value
    ) -> Iterator[Answer]:
        """Yield the answers of ``action=query`` one after the other, following ``continue``.

        Raises:
            RequestFailed: an answer is an error.
        """
        return self._client.walk({"action": "query", **(params or {})}, **named)

    def ask(self, params: Mapping[str, Value] | None = None, /, **named: Value) -> Answer:
        """Return the answer of any action, such as ``action="opensearch"``.

        Raises:
            RequestFailed: the answer is an error.
        """
        return self._client.post(params, **named)

    def rendered(self, **params: Value) -> str:
        """Return the HTML that ``action=parse`` makes with these parameters."""
        return str(self.ask(_PLAIN, **params)["parse"]["text"])


def open_wiki(source: Source, *, config: Source | None = None) -> OpenWiki:
    """Open a wiki for reading, to use it from Python; ``wikiapi.open`` is this function.

    Args:
        source: the file or URL of a database, the name of a configuration file (``*.toml``), or
            settings. A MediaWiki database is opened as it is.
        config: settings of the wiki beside a database: its namespaces, plugins, files...

    Raises:
        ConfigError: the configuration is invalid.
        PluginError: a plugin cannot be loaded.
        StoreError: the database is missing, empty or of another version.
    """
    settings = with_read_right(without_debug_info(configuration(source, config)))
    with ExitStack() as stack:
        site = stack.enter_context(existing_site(settings, read_only=True))
        return OpenWiki(site, stack.pop_all())
