"""Chooses the image of a page while it is parsed."""

from __future__ import annotations

import re
from threading import Lock
from typing import TYPE_CHECKING

from wikiapi.store.models import LinkTarget, Page, PageLinks
from wikiapi.title.namespaces import FILE, MAIN, MEDIAWIKI
from wikiapi.wikitext.options import Target
from wikiapi_plugins.extensions.pageimages.scores import (
    EXCLUDED_CLASS,
    USUAL_THUMBNAIL,
    Candidate,
    best,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from wikiapi.filerepo.file import File
    from wikiapi.site import Site
    from wikiapi.title.title import Title
    from wikiapi.wikitext.media.held import MediaUse
    from wikiapi.wikitext.state import ParseState

NAME = "pageimages"
PROPERTY = "page_image_free"
ANY_PROPERTY = "page_image"
"""Of pages whose best image is not free; only MediaWiki with CommonsMetadata writes it."""
DENIED = "Pageimages-denylist"
"""The page of the interface that links to files which never stand for a page."""
_DENIED_SECONDS = 900
_HEADING = re.compile(r"<h[1-6]\b", re.IGNORECASE)


class PageImageChooser:
    """Chooses images for the pages of one site."""

    def __init__(self, site: Site) -> None:
        """Read the settings."""
        settings = site.config.extensions.get(NAME, {})
        self._site = site
        self._namespaces = frozenset(settings.get("namespaces", (MAIN,)))
        self._lead_only = bool(settings.get("lead_only", True))
        self._shared_files = bool(settings.get("shared_files", False))
        self._denied: tuple[datetime, frozenset[str]] | None = None
        self._lock = Lock()

    def choose(self, state: ParseState, html: str) -> None:
        """Note the image of the page that is being parsed, if one stands for it."""
        if state.title.ns not in self._namespaces:
            return
        heading = _HEADING.search(html) if self._lead_only else None
        uses = state.media.uses(html[: heading.start()] if heading else html)
        files = self._files(state, [use.title for use in uses]) if uses else {}
        denied = self._denied_now() if files else frozenset()
        found = [_candidate(use, files[use.title], denied) for use in uses if use.title in files]
        name = best(found)
        if name is not None:
            state.output.properties[PROPERTY] = name

    def _files(self, state: ParseState, titles: list[Title]) -> dict[Title, File]:
        wanted = [title for title in titles if title.ns == FILE]
        if state.options.target is Target.LINKS and self._shared_files:
            return self._site.files.find(wanted)
        state.load_files(wanted)
        return {title: file for title in wanted if (file := state.file(title))}

    def forget_denied(self) -> None:
        """The page that denies images may have changed."""
        with self._lock:
            self._denied = None

    def _denied_now(self) -> frozenset[str]:
        now = self._site.clock()
        with self._lock:
            if self._denied is None or _age(self._denied[0], now) > _DENIED_SECONDS:
                self._denied = now, frozenset(_read_denied(self._site))
            return self._denied[1]


def _age(moment: datetime, now: datetime) -> float:
    return (now - moment).total_seconds()


def _read_denied(site: Site) -> Iterable[str]:
    query = (
        LinkTarget.select(LinkTarget.lt_title)
        .join(PageLinks, on=(PageLinks.pl_target_id == LinkTarget.lt_id))
        .join(Page, on=(Page.page_id == PageLinks.pl_from))
        .where(
            Page.page_namespace == MEDIAWIKI,
            Page.page_title == DENIED,
            LinkTarget.lt_namespace == FILE,
        )
    )
    return (name for (name,) in site.db.rows(query))


def _candidate(use: MediaUse, file: File, denied: frozenset[str]) -> Candidate:
    width, height = file.current.dimensions
    excluded = EXCLUDED_CLASS in use.classes or file.name in denied
    return Candidate(file.name, width, height, _shown_width(use, width, height), excluded)


def _shown_width(use: MediaUse, width: int, height: int) -> int:
    """Roughly, as editors mean it: the exact size does not matter."""
    if use.in_gallery:
        return 0
    if use.width:
        return use.width
    if use.height and height:
        return width * use.height // height
    return USUAL_THUMBNAIL if use.is_thumbnail else width
