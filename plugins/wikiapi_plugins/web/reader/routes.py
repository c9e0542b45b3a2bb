"""The paths of the reader, and the views that answer requests at them.

Pages directly at the root of a site (``article_path = "/$1"``) have no common path at which they
could be mounted. So all other applications answer first; if the status is 404, the path is taken as
the name of a page.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from wikiapi.errors import BudgetExceeded, InvalidTitle, StoreTimeout, StoreUnavailable
from wikiapi.http import PART, Mount, Reply, WebRequest, may_read
from wikiapi.title import FILE, MEDIA, SPECIAL, Title
from wikiapi_plugins.web.paths import suffixes
from wikiapi_plugins.web.reader.addresses import Addresses, last_part
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.reader.discovery import (
    SITEMAP,
    answer_opensearch,
    answer_robots,
    answer_sitemap,
)
from wikiapi_plugins.web.reader.errors import ViewError
from wikiapi_plugins.web.reader.files.serving import FileServer, answer_favicon, answer_icon
from wikiapi_plugins.web.reader.pagerevision import require_revision, title_of_page_id
from wikiapi_plugins.web.reader.reader import Reader
from wikiapi_plugins.web.reader.views import ACTIONS
from wikiapi_plugins.web.reader.views.account import LOGIN
from wikiapi_plugins.web.reader.views.errors import (
    show_error,
    show_interwiki,
    show_nothing,
    show_unavailable,
)
from wikiapi_plugins.web.reader.views.history import show_difference
from wikiapi_plugins.web.reader.views.redirection import answer_thumb
from wikiapi_plugins.web.reader.views.search import show_search
from wikiapi_plugins.web.reader.views.special import show_special
from wikiapi_plugins.web.replies import redirect_reply, web_app

View = Callable[[ViewContext], Reply]
AppFactory = Callable[[str], WSGIApplication]
"""Returns the application for a path at which it is mounted."""

logger = logging.getLogger(__name__)


def mounts(reader: Reader) -> list[Mount]:
    """Return the mounts of the reader; if several have the same path, only the first."""
    mounts_by_path: dict[str, Mount] = {}
    for path, make in _places(reader):
        if path not in mounts_by_path:
            mounts_by_path[path] = Mount(path, make(path), "Reader" if path == "/" else "")
    return list(mounts_by_path.values())


def root_pages(reader: Reader) -> WSGIApplication:
    """Return the application for pages that are directly at the root of the site."""
    return _app_factory(reader, answer_article)("")


def nothing_here(reader: Reader) -> WSGIApplication:
    """Return the application for addresses at which there is nothing."""
    return _app_factory(reader, show_nothing)("")


def _places(reader: Reader) -> Iterator[tuple[str, AppFactory]]:
    """Yield the configured paths with their applications.

    Suffixes of the paths are included for a site that is mounted below another path.
    """
    addresses = reader.addresses
    files = FileServer(
        reader.site,
        reader.settings,
        addresses,
        lambda request: may_read(reader.site, reader.api, request),
    )
    root, article = _app_factory(reader, answer_root), _app_factory(reader, answer_article)
    yield "/", root
    for path in suffixes(addresses.index, "/index.php"):
        yield path, _app_factory(reader, answer_index)
        yield f"{path}/", article
    for path in suffixes(addresses.thumb_script, "/thumb.php"):
        yield path, _app_factory(reader, answer_thumb)
    for path in suffixes(addresses.opensearch, "/opensearch_desc.php"):
        yield path, _app_factory(reader, answer_opensearch)
    yield "/robots.txt", _app_factory(reader, answer_robots)
    yield SITEMAP, _app_factory(reader, answer_sitemap)
    yield "/favicon.ico", lambda mounted: web_app(answer_favicon, mounted)
    for path in suffixes(addresses.static, "/reader/"):
        yield path, lambda _: reader.skin.static.app()
    for path in suffixes(addresses.icons, "/resources/assets/file-type-icons/"):
        yield path, lambda mounted: web_app(answer_icon, mounted)
    if addresses.articles:
        for path in _ends(addresses.articles):
            yield path, article
            yield path.rstrip("/"), root
    for code, path in addresses.variants.items():
        yield path, _app_factory(reader, _in_variant(code))
    if addresses.files:
        yield from ((path, files.originals) for path in _ends(addresses.files))
    if addresses.thumbnails:
        yield from ((path, files.thumbnails) for path in _thumbnail_ends(addresses))


def _ends(path: str) -> list[str]:
    return suffixes(path, last_part(path))


def _thumbnail_ends(addresses: Addresses) -> list[str]:
    """Return the suffixes of the path of thumbnails.

    If that is below the upload folder, they begin with at least the last part of the latter.
    """
    path = addresses.thumbnails or ""
    if addresses.files and path.startswith(addresses.files):
        below = path.removeprefix(addresses.files)
        return [end + below for end in _ends(addresses.files)]
    return _ends(path)


def _app_factory(reader: Reader, view: View) -> AppFactory:
    def answer(request: WebRequest) -> Reply:
        context = ViewContext.of(reader, request)
        try:
            context = replace(context, may_read=may_read(reader.site, reader.api, request))
            if not context.may_read and not _is_login(context):
                raise ViewError(403, "reader-private")
            with reader.site.answering():
                return view(context)
        except ViewError as error:
            return show_error(context, error)
        except (BudgetExceeded, StoreTimeout) as error:
            logger.warning("%s: %s", ascii(request.path), error)
            return show_error(context, ViewError(503, "reader-not-in-time"))
        except StoreUnavailable as error:
            logger.warning("%s: %s", ascii(request.path), error)
            return show_unavailable(context)

    http = reader.site.config.http
    return lambda mounted: web_app(
        answer, mounted, compressed=http.compress, most_body=http.max_body
    )


def _is_login(context: ViewContext) -> bool:
    """Return whether the request is for the login form, which is shown on private wikis too."""
    text = context.param("title") or context.reader.addresses.page_text(context.request.path)
    title = context.site.titles.try_parse(text) if text and context.reader.is_writable else None
    if title is None or title.ns != SPECIAL:
        return False
    return context.site.special_pages.english_name(title.dbkey) == LOGIN


def answer_root(context: ViewContext) -> Reply:
    """Redirect to the main page."""
    return redirect_reply(context.url(context.site.main_page))


def answer_article(context: ViewContext) -> Reply:
    """Show the page at a path; other spellings of its title are redirected to it."""
    text = context.reader.addresses.page_text(context.request.path)
    if not text:
        return answer_root(context)
    title = _parse_title(context, text)
    options = context.request.params
    is_plain = context.request.method != "POST" and not options and not title.interwiki
    if is_plain and text != title.prefixed_dbkey:
        return redirect_reply(context.url(title), 301)
    return _show(context, title)


def _in_variant(code: str) -> View:
    """Return the view for the paths of pages in a variant of the content language."""

    def answer(context: ViewContext) -> Reply:
        text = context.request.path.removeprefix("/")
        if not text:
            return redirect_reply(context.variant_url(context.site.main_page, code))
        return _show(replace(context, variant=code), _parse_title(context, text))

    return answer


def answer_index(context: ViewContext) -> Reply:
    """Show the page and the view that the parameters of ``index.php`` select."""
    if context.param("search") and not context.param("title"):
        return show_search(context)
    title = _requested_title(context)
    options = context.request.params.keys() - {"title", "curid"}
    addresses = context.reader.addresses
    has_own_path = addresses.articles is not None or addresses.are_at_root
    is_plain = context.request.method != "POST" and not options and not title.interwiki
    if is_plain and has_own_path and "?" not in context.url(title):
        return redirect_reply(context.url(title), 301)
    return _show(context, title)


def _requested_title(context: ViewContext) -> Title:
    page_id = context.number("curid")
    if page_id is not None:
        title = title_of_page_id(context.site, page_id)
        if title is None:
            raise ViewError(404, "reader-no-page-id", page_id)
        return title
    if context.param("title"):
        return _parse_title(context, context.request.params["title"])
    for name in ("oldid", "diff"):
        if number := context.number(name):
            return require_revision(context.site, number).title
    return context.site.main_page


def _parse_title(context: ViewContext, text: str) -> Title:
    try:
        title = context.site.titles.parse(text)
    except InvalidTitle as error:
        raise ViewError(400, error.message.key, *error.message.params) from error
    if not title.interwiki and not title.dbkey:
        raise ViewError(400, "title-invalid-empty")
    return context.site.titles.make(FILE, title.dbkey) if title.ns == MEDIA else title


def _show(context: ViewContext, title: Title) -> Reply:
    if title.interwiki:
        return show_interwiki(context, title)
    context = replace(context, page=title)
    if title.ns == SPECIAL:
        return show_special(context, title)
    if "diff" in context.request.params:
        return show_difference(context, title)
    action = context.param("action").lower() or "view"
    if action not in ACTIONS:
        raise ViewError(404, "reader-no-action", context.plain(action))
    return ACTIONS[action](context, title)


_ANSWERED = ("GET", "HEAD", "POST")


def with_root_pages(
    app: WSGIApplication, pages: WSGIApplication, script_path: str
) -> WSGIApplication:
    """Return an application that calls ``pages`` for requests that ``app`` answers with status 404.

    Paths below ``script_path`` are never pages.
    """
    scripts = f"{script_path.rstrip('/')}/"

    def may_be_a_page(environ: WSGIEnvironment, _headers: Mapping[str, str]) -> bool:
        return scripts == "/" or not environ["PATH_INFO"].startswith(scripts)

    return _instead_of_404(app, pages, may_be_a_page)


def with_styled_404(app: WSGIApplication, nothing: WSGIApplication) -> WSGIApplication:
    """Return an application that calls ``nothing`` where ``app`` tells a person of a 404 in a text.

    Programs get the answer of ``app``.
    """

    def is_for_a_person(environ: WSGIEnvironment, headers: Mapping[str, str]) -> bool:
        is_text = headers.get("content-type", "").startswith("text/plain")
        return is_text and "text/html" in environ.get("HTTP_ACCEPT", "")

    return _instead_of_404(app, nothing, is_for_a_person)


def _instead_of_404(
    app: WSGIApplication,
    other: WSGIApplication,
    applies: Callable[[WSGIEnvironment, Mapping[str, str]], bool],
) -> WSGIApplication:
    def wrapped(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] not in _ANSWERED or environ.get("PATH_INFO", "") in ("", "/"):
            return app(environ, start_response)
        held = _HeldStart()
        body = app(environ, held)
        if not held.status:  # the application starts the response only when its body is read
            body = _whole(body)
        headers = {name.lower(): value for name, value in held.headers}
        if held.status.startswith("404") and applies(environ, headers):
            _close(body)
            environ[PART] = "reader"
            return other(environ, start_response)
        start_response(held.status, held.headers, *held.more)
        return body

    return wrapped


class _HeldStart:
    """A ``start_response`` that stores its arguments instead of passing them on."""

    def __init__(self) -> None:
        self.status = ""
        self.headers: list[tuple[str, str]] = []
        self.more: tuple[Any, ...] = ()

    def __call__(self, status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
        self.status, self.headers, self.more = status, headers, more
        return _never_written


def _never_written(_: bytes) -> object:
    raise RuntimeError("the write() callable of WSGI is not supported")


def _whole(body: Iterable[bytes]) -> Iterable[bytes]:
    try:
        return [b"".join(body)]
    finally:
        _close(body)


def _close(body: Iterable[bytes]) -> None:
    close = getattr(body, "close", None)
    if close:
        close()
