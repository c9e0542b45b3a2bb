"""The reader of one site: what is made once, and what answers at its addresses."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from wikiapi.errors import BudgetExceeded
from wikiapi.http.mounts import Mount
from wikiapi.store.errors import StoreTimeout, StoreUnavailable
from wikiapi_plugins.web.reader.addresses import Addresses, last_part, suffixes
from wikiapi_plugins.web.reader.declined import Declined
from wikiapi_plugins.web.reader.files.icons import answer_icon
from wikiapi_plugins.web.reader.files.serving import FileServer
from wikiapi_plugins.web.reader.rendering import Renderings
from wikiapi_plugins.web.reader.routes import answer_article, answer_index, answer_root
from wikiapi_plugins.web.reader.settings import Settings
from wikiapi_plugins.web.reader.skin import Skin, image_sources
from wikiapi_plugins.web.reader.views.refusal import show_refusal
from wikiapi_plugins.web.reader.visit import Visit
from wikiapi_plugins.web.replies import web_app

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from wsgiref.types import WSGIApplication

    from wikiapi.http.reply import Reply
    from wikiapi.site import Site
    from wikiapi_plugins.web.requests import WebRequest

    Route = Callable[[Visit], Reply]
    Making = Callable[[str], WSGIApplication]

logger = logging.getLogger(__name__)


class Reader:
    """Shows a wiki to people. Safe to use from several threads."""

    def __init__(self, site: Site) -> None:
        """Read settings and static files.

        Raises:
            ConfigError: a setting of the reader cannot be used.
        """
        self.site = site
        self.settings = Settings.of(site)
        self.addresses = Addresses(site)
        sources = image_sources(site, self.settings.image_sources)
        self.skin = Skin(self.addresses.static, sources)
        self.renderings = Renderings(site)
        self.is_private = "read" not in site.config.permissions.anonymous_rights
        self._files = FileServer(site, self.settings, self.addresses)

    def mounts(self) -> list[Mount]:
        """What answers at which path; each path once."""
        found: dict[str, Mount] = {}
        for path, make in self._places():
            if path not in found:
                found[path] = Mount(path, make(path))
        return list(found.values())

    def root_pages(self) -> WSGIApplication:
        """What shows pages that are directly at the root of the site."""
        return self._pages(answer_article)("")

    def _places(self) -> Iterator[tuple[str, Making]]:
        """Paths as configured, and their ends, for a site that is mounted below another path."""
        where = self.addresses
        yield "/", self._pages(answer_root)
        for path in suffixes(where.index, "/index.php"):
            yield path, self._pages(answer_index)
            yield f"{path}/", self._pages(answer_article)
        for path in suffixes(where.static, "/reader/"):
            yield path, lambda _: self.skin.static.app()
        for path in suffixes(where.icons, "/resources/assets/file-type-icons/"):
            yield path, lambda mounted: web_app(answer_icon, mounted)
        if where.articles:
            for path in _ends(where.articles):
                yield path, self._pages(answer_article)
                yield path.rstrip("/"), self._pages(answer_root)
        if where.files:
            yield from ((path, self._files.originals) for path in _ends(where.files))
        if where.thumbnails:
            yield from ((path, self._files.thumbnails) for path in _thumbnail_ends(where))

    def _pages(self, route: Route) -> Making:
        compressed = self.site.config.http.compress

        def answer(request: WebRequest) -> Reply:
            visit = Visit.of(self, request)
            try:
                if self.is_private:
                    raise Declined(403, "reader-private")
                with self.site.answering():
                    return route(visit)
            except Declined as declined:
                return show_refusal(visit, declined)
            except (BudgetExceeded, StoreTimeout, StoreUnavailable) as error:
                logger.warning("%s: %s", ascii(request.path), error)
                return show_refusal(visit, Declined(503, "reader-not-in-time"))

        return lambda mounted: web_app(answer, mounted, compressed=compressed)


def _ends(path: str) -> list[str]:
    return suffixes(path, last_part(path))


def _thumbnail_ends(where: Addresses) -> list[str]:
    """Below the upload folder, whose last part then belongs to them too."""
    path = where.thumbnails or ""
    if where.files and path.startswith(where.files):
        below = path.removeprefix(where.files)
        return [end + below for end in _ends(where.files)]
    return _ends(path)
