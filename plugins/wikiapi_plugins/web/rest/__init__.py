"""``rest.php``: version 1 of MediaWiki's REST API."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from wsgiref.types import WSGIApplication

from wikiapi.hookspecs import hookimpl
from wikiapi.http import Mount
from wikiapi.rest import SCRIPT, Route
from wikiapi.site import Site
from wikiapi_plugins.web.paths import script, suffixes
from wikiapi_plugins.web.rest.application import RestApi
from wikiapi_plugins.web.rest.files import File, MediaLinks
from wikiapi_plugins.web.rest.history import History, HistoryCount
from wikiapi_plugins.web.rest.pages import (
    BarePage,
    LanguageLinks,
    PageHtml,
    PageWithHtml,
)
from wikiapi_plugins.web.rest.revisions import (
    BareRevision,
    Comparison,
    Revision,
    RevisionHtml,
    RevisionWithHtml,
)
from wikiapi_plugins.web.rest.search import SearchPages, SearchTitles
from wikiapi_plugins.web.rest.writing import ChangedPage, NewPage, Transform, TransformForPage

ROUTES = (
    NewPage,
    ChangedPage,
    BarePage,
    PageHtml,
    PageWithHtml,
    History,
    HistoryCount,
    LanguageLinks,
    MediaLinks,
    Revision,
    BareRevision,
    RevisionHtml,
    RevisionWithHtml,
    Comparison,
    SearchPages,
    SearchTitles,
    File,
    Transform,
    TransformForPage,
)


@hookimpl
def register_rest_routes() -> Iterable[type[Route]]:
    """Return the routes of version 1."""
    return ROUTES


@hookimpl
def register_mounts(site: Site) -> Iterable[Mount]:
    """Mount ``rest.php`` beside the API."""
    rest = site.derived(RestApi)
    paths = suffixes(script(site, SCRIPT), f"/{SCRIPT}")
    return [Mount(f"{path}/", rest.app(f"{path}/")) for path in paths]


@hookimpl
def wrap_wsgi(app: WSGIApplication, site: Site) -> WSGIApplication | None:
    """Give ``rest.php`` the application, which answers its questions."""
    site.derived(RestApi).api = app
    return None


@hookimpl
def register_messages() -> Iterable[Path]:
    """Return the folder with the texts of errors."""
    return [Path(__file__).parent / "messages"]
