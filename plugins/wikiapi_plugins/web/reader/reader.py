"""The reader of one site: what is made once, and what answers at its addresses."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from wsgiref.types import WSGIApplication

from wikiapi.errors import BudgetExceeded, InvalidTitle, StoreTimeout, StoreUnavailable
from wikiapi.http import Mount, Reply
from wikiapi.site import Site
from wikiapi.title import FILE, MEDIA, SPECIAL, Title
from wikiapi_plugins.web.reader.addresses import Addresses, last_part, suffixes
from wikiapi_plugins.web.reader.files.icons import answer_icon
from wikiapi_plugins.web.reader.files.serving import FileServer
from wikiapi_plugins.web.reader.rendering import Renderings
from wikiapi_plugins.web.reader.settings import Settings
from wikiapi_plugins.web.reader.skin import Skin, image_sources
from wikiapi_plugins.web.reader.stored import load_by_id, load_revision
from wikiapi_plugins.web.reader.views import ACTIONS, difference, page, special
from wikiapi_plugins.web.reader.views.missing import show_elsewhere, show_refusal
from wikiapi_plugins.web.reader.views.search import show_search
from wikiapi_plugins.web.reader.visit import Declined, Visit
from wikiapi_plugins.web.replies import redirect_reply, web_app
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


def answer_root(visit: Visit) -> Reply:
    """The front door leads to the main page."""
    return redirect_reply(visit.url(visit.site.main_page))


def answer_article(visit: Visit) -> Reply:
    """A page at a path of its own; another spelling leads to the usual one."""
    text = visit.reader.addresses.page_text(visit.request.path)
    if not text:
        return answer_root(visit)
    title = _title(visit, text)
    if text != title.prefixed_dbkey and not visit.request.params and not title.interwiki:
        return redirect_reply(visit.url(title), 301)
    return _show(visit, title)


def answer_index(visit: Visit) -> Reply:
    """``index.php``: the page and the view that parameters name."""
    if visit.param("search") and not visit.param("title"):
        return show_search(visit)
    title = _asked(visit)
    asked = visit.request.params.keys() - {"title", "curid"}
    where = visit.reader.addresses
    has_own_path = where.articles is not None or where.are_at_root
    if not asked and has_own_path and not title.interwiki and "?" not in visit.url(title):
        return redirect_reply(visit.url(title), 301)
    return _show(visit, title)


def _asked(visit: Visit) -> Title:
    page_id = visit.number("curid")
    if page_id is not None:
        title = load_by_id(visit.site, page_id)
        if title is None:
            raise Declined(404, "reader-no-page-id", page_id)
        return title
    if visit.param("title"):
        return _title(visit, visit.request.params["title"])
    return _of_revision(visit) or visit.site.main_page


def _of_revision(visit: Visit) -> Title | None:
    """A revision names its page by itself."""
    for name in ("oldid", "diff"):
        number = visit.number(name)
        if number:
            stored = load_revision(visit.site, number)
            if stored is None:
                raise Declined(404, "reader-no-revision", number)
            return stored.title
    return None


def _title(visit: Visit, text: str) -> Title:
    try:
        title = visit.site.titles.parse(text)
    except InvalidTitle as error:
        raise Declined(400, error.message.key, *error.message.params) from error
    if not title.interwiki and not title.dbkey:
        raise Declined(400, "title-invalid-empty")
    return visit.site.titles.make(FILE, title.dbkey) if title.ns == MEDIA else title


def _show(visit: Visit, title: Title) -> Reply:
    if title.interwiki:
        return show_elsewhere(visit, title)
    if title.ns == SPECIAL:
        return special.show_special(visit, title)
    if "diff" in visit.request.params:
        return difference.show_difference(visit, title)
    return ACTIONS.get(visit.param("action"), page.show_page)(visit, title)
