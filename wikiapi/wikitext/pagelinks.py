"""Links to pages in texts that are not on a page, such as summaries and log entries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from urllib.parse import quote

from wikiapi.filerepo.file import File
from wikiapi.languages.message import Message
from wikiapi.store.queries import pages
from wikiapi.title.namespaces import FILE, MEDIA, MEDIAWIKI, SPECIAL
from wikiapi.title.title import Title
from wikiapi.wikitext.html.entities import escape_all
from wikiapi.wikitext.parser import Parser


class PageLinks:
    """Formats links. Looks up all their pages in one query, and their files in another one."""

    def __init__(self, parser: Parser, titles: Iterable[Title]) -> None:
        """Look up the pages and files that are linked to."""
        site = parser.site
        self._site = site
        local_titles = [title for title in titles if title.dbkey and not title.interwiki]
        stored = pages.by_titles(site.db, {title.key for title in local_titles if title.ns >= 0})
        self._redirects = {key: bool(row.is_redirect) for key, row in stored.items()}
        files = [t for t in local_titles if t.ns in (FILE, MEDIA) and t.key not in self._redirects]
        self._files: Mapping[str, File] = {}
        if files:
            self._files = {title.dbkey: file for title, file in parser.files.find(files).items()}

    def link(
        self, title: Title, label: str, *, css: str = "", query: str = "", is_known: bool = False
    ) -> str:
        """Return a link to a page, whose look depends on whether the page exists.

        Args:
            title: one of the titles that were looked up, unless it ``is_known``.
            label: the text of the link, as HTML.
            css: classes of the link.
            query: the query string of the link, if the page exists.
            is_known: whether the page is assumed to exist.
        """
        site = self._site
        if title.interwiki:
            return _anchor(site.page_path(title), "extiw", title.prefixed_text, label)
        if title.ns == SPECIAL:
            title = replace(site.special_page(title.text), fragment=title.fragment)
        if not title.dbkey:
            return _anchor(site.page_path(title), css, "", label)
        if is_known:
            return _anchor(site.page_path(title), css, title.prefixed_text, label)
        if title.ns == MEDIA:
            if file := self._files.get(title.dbkey):
                return _anchor(file.current.url, "internal", title.text, label)
            full = site.page_url(site.special_page("Upload"), f"wpDestFile={quote(title.dbkey)}")
            return _anchor(full.removeprefix(site.config.site.server), "new", title.text, label)
        if title.key in self._redirects or self._counts_as_existing(title):
            classes = f"{css} mw-redirect".lstrip() if self._redirects.get(title.key) else css
            url = site.query_path(title, query) if query else site.page_path(title)
            return _anchor(url, classes, title.prefixed_text, label)
        tip = self._red_link_tip.replace("$1", title.prefixed_text)
        url = site.page_path(title)
        if title.ns != SPECIAL:
            url = site.query_path(title, "action=edit&redlink=1")
        return _anchor(url, f"{css} new".lstrip(), tip, label)

    @cached_property
    def _red_link_tip(self) -> str:
        """The tooltip of a link to a missing page; ``$1`` in it stands for the page."""
        return self._site.messages.text(Message("red-link-title", ("$1",)), self._site.language)

    def _counts_as_existing(self, title: Title) -> bool:
        if title.ns == SPECIAL:
            return title.text in self._site.special_pages
        if title.ns == MEDIAWIKI:
            return self._site.messages.built_in(title.dbkey) is not None
        return title.ns == FILE and title.dbkey in self._files


def _anchor(url: str, css: str, tip: str, label: str) -> str:
    attributes = {"href": url, "class": css, "title": tip}
    written = "".join(
        f' {name}="{escape_all(value)}"' for name, value in attributes.items() if value
    )
    return f"<a{written}>{label}</a>"
