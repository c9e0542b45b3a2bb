"""The WSGI application of one site, and the only place where exceptions are caught.

Errors that the API raises on purpose are reported in the format of the API. Other exceptions are
bugs: they are logged with their traceback and an id, and the client only receives the id.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import cast
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from wikiapi.accounts.sessions import session_user
from wikiapi.api import dispatch
from wikiapi.api.context import RequestContext
from wikiapi.api.format import Rendered
from wikiapi.api.permissions import read_only
from wikiapi.api.registries import registries
from wikiapi.api.request import lacks_same_origin_security
from wikiapi.errors import ApiError, ApiErrors, StoreBusy, StoreUnavailable
from wikiapi.http.apireply import Stream, api_reply
from wikiapi.http.cookies import SessionCookies
from wikiapi.http.cors import CorsPolicy
from wikiapi.http.debuginfo import DebugInfo, SlowQueryLog
from wikiapi.http.errors import BUSY, RETRY_LATER, Refused, api_error
from wikiapi.http.replicareads import ReplicaReads
from wikiapi.http.reply import METHODS, Header, Page, Reply, protect, redirect, refusal
from wikiapi.http.requests import RequestReader, check_fields
from wikiapi.http.routing import Mount, Mounts, Router, Target
from wikiapi.site import Site

logger = logging.getLogger(__name__)

ACTION = "wikiapi.action"
"""Key in the WSGI environment for the action of a request, which is set when it has been read."""

_NOT_MODIFIED = 304
_ANSWERED = frozenset({"GET", "HEAD", "POST"})
_NOT_FOUND = Page(404, "There is nothing at this address. The API is at api.php.")
_BROKEN = "The server failed to answer. The error has been logged under the id {}."
_UNAVAILABLE = Page(503, "The database of the wiki cannot be used at the moment.", (RETRY_LATER,))
_METHOD_NOT_ALLOWED = Page(405, "This method is not supported here.", (("Allow", METHODS),))
_OPTIONS_HEADERS: list[Header] = [
    ("Content-Type", "text/html; charset=utf-8"),  # of the empty body, as in MediaWiki
    ("Cache-Control", "private, no-store"),
]
_NO_PATH_INFO = "There are no pages below api.php. Use parameters instead."


class WikiApp:
    """The WSGI application of one site. Can be called by several threads."""

    def __init__(self, site: Site) -> None:
        """Create the objects that all requests share.

        Raises:
            ConfigError: a setting in ``[http]`` is invalid.
            PluginError: two plugins mount applications at the same path.
        """
        self.site = site
        http = site.config.http
        self._router = Router(site.config.site.script_path)
        self._mounts = Mounts(site)
        self._requests = RequestReader(http)
        self._cookies = SessionCookies(site.config)
        self._cors = CorsPolicy(http.cors_origins)
        self._debug = DebugInfo(site)
        self._slow_queries = SlowQueryLog(site)
        self._stream_above = http.stream_above
        self._has_accounts = site.is_writable or bool(
            site.plugins.hook.resolve_user.get_hookimpls()
        )

    @property
    def labelled(self) -> Sequence[Mount]:
        """The mounts that have a label, which are for people."""
        return self._mounts.labelled

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer one request according to WSGI."""
        try:
            check_fields(environ)
            route = self._router.find(environ)
            if route.target is Target.API:
                reply = self._api(environ)
            elif (mounted := self._mounts.call(environ, start_response)) is not None:
                return mounted
            elif route.target is Target.NOTHING:
                reply = _NOT_FOUND.reply()
            else:
                query = environ.get("QUERY_STRING", "")
                reply = redirect(
                    f"{route.location}?{query}" if query else route.location, _NO_PATH_INFO
                )
        except Refused as refused:
            reply = refusal(refused)
        except StoreUnavailable as error:
            logger.warning("%s: %s", ascii(environ.get("PATH_INFO", "")), error)
            reply = _UNAVAILABLE.reply()
        except Exception as error:
            error_id = _log_failure(error, environ.get("PATH_INFO", ""))
            reply = Page(500, _BROKEN.format(error_id)).reply()
        if reply.pieces is None and reply.status != _NOT_MODIFIED:
            length = len(reply.body) if reply.length is None else reply.length
            reply.headers.append(("Content-Length", str(length)))
        start_response(reply.status_line, reply.headers)
        if reply.pieces is not None:
            return reply.pieces
        return (b"",) if environ["REQUEST_METHOD"] == "HEAD" else (reply.body,)

    def _api(self, environ: WSGIEnvironment) -> Reply:
        started = time.perf_counter()
        method = environ["REQUEST_METHOD"]
        if method not in _ANSWERED and method != "OPTIONS":
            return _METHOD_NOT_ALLOWED.reply()
        request = self._requests.read(environ)
        session = self._cookies.read(request)
        cors = self._cors.decide(request, has_session=not session.is_new)
        if method == "OPTIONS":
            headers = [*_OPTIONS_HEADERS, *cors.headers]
            if cors.varies:
                headers.append(("Vary", "Origin"))
            return Reply(200, protect(headers))
        context = RequestContext.of(self.site, request, session)
        # Other names are one, to limit the number of labels in metrics.
        name = request.params.get("action", "help")
        environ[ACTION] = name if name in registries(self.site).actions else "unknown"
        status, rendered = self._answer(context, started)
        reply = api_reply(context, rendered, status, cors, self._cookies)
        return reply if reply.pieces is None else self._streamed(context, reply, reply.pieces)

    def _streamed(self, context: RequestContext, reply: Reply, pieces: Iterator[bytes]) -> Reply:
        """Return the reply with pieces limited by the request's budget; for HEAD, their length."""
        failed = partial(_log_failure, url=context.request.url)
        budget = context.budget or self.site.budgets.current
        stream = Stream(pieces, self.site, budget, failed)
        if context.request.method != "HEAD":
            return replace(reply, pieces=stream)
        return replace(reply, pieces=None, length=sum(map(len, stream)))

    def _answer(self, context: RequestContext, started: float) -> tuple[int, Rendered]:
        is_debugged = self._debug.is_wanted(context.request)
        debugging = self._debug.around(context, started) if is_debugged else nullcontext()
        with self._slow_queries.around(context), debugging:
            status = self._status_of(context)
        try:
            return status, dispatch.render(context, self._stream_above)
        except ApiError as error:
            return error.status, dispatch.render_after_format_error(context, error)

    def _status_of(self, context: RequestContext) -> int:
        """Run the request, whose result may be an error, and return the HTTP status."""
        try:
            with dispatch.limited(context):
                self.perform(context)
        except (ApiError, ApiErrors) as error:
            return _fail(context, error)
        except Exception as error:
            return _fail(context, self._explain(context, error))
        return 200

    def perform(self, context: RequestContext) -> None:
        """Identify the user, and run the request's action. Subclasses may override this.

        Raises:
            ApiError: the request cannot be answered.
            ApiErrors: the request cannot be answered for several reasons.
        """
        session = context.session
        # Scripts of other sites, if they could read the answer, get that for a visitor.
        has_user = self._has_accounts and not session.is_new
        if has_user and not lacks_same_origin_security(context.request):
            user = self.site.plugins.hook.resolve_user(site=self.site, session=session)
            context.user = user or session_user(self.site, session) or context.user
        dispatch.perform(context)

    def _explain(self, context: RequestContext, error: Exception) -> ApiError | ApiErrors:
        """Return the API error for an unexpected exception, which is logged."""
        replaced = self.site.plugins.hook.resolve_exception(context=context, exception=error)
        if isinstance(replaced, ApiError | ApiErrors):
            return replaced
        if isinstance(error, StoreBusy) and _writes(context):
            logger.warning("%s%s", error, _culprit(context))
            context.headers.append(RETRY_LATER)
            return read_only(BUSY)
        error_id = _log_failure(error, context.request.url, _culprit(context))
        return api_error(error, error_id)


def _writes(context: RequestContext) -> bool:
    action = registries(context.site).actions.get(context.request.params.get("action", ""))
    return action is not None and action.is_write


def _fail(context: RequestContext, error: ApiError | ApiErrors) -> int:
    dispatch.fail(context, error)
    return error.status if isinstance(error, ApiError) else 200


def _culprit(context: RequestContext) -> str:
    """Return a text that names the running module and its plugin."""
    name = context.running.rpartition("+")[2]
    for registry in (registries(context.site).query_modules, registries(context.site).actions):
        if name in registry:
            return f" in {context.running} of plugin {registry.owner(name)}"
    return f" in {context.running}"


def _log_failure(error: Exception, url: str, culprit: str = "") -> str:
    """Log an exception with its traceback and an id; return the id.

    A database that is down is one line: it is no bug, and every request would log a traceback.
    """
    error_id = secrets.token_hex(12)
    if isinstance(error, StoreUnavailable):
        logger.error("[%s] %s%s: %s", error_id, ascii(url), culprit, error)
    else:
        logger.error("[%s] %s%s", error_id, ascii(url), culprit, exc_info=error)
    return error_id


def make_app(site: Site, app: WikiApp | None = None) -> WSGIApplication:
    """Return the WSGI application of a site, wrapped in those of plugins.

    Args:
        site: the wiki.
        app: an existing application of the wiki to use instead of a new one.

    Raises:
        ConfigError: a setting in ``[http]`` is invalid.
    """
    # Before requests wait for them, and before processes are forked, which then share them.
    site.messages.catalog.preload(site.language)
    own: WSGIApplication = app or WikiApp(site)
    if site.config.database.replicas:
        own = ReplicaReads(own, site)
    return wrapped(own, site)


def wrapped(app: WSGIApplication, site: Site) -> WSGIApplication:
    """Return an application wrapped in those of plugins (hook ``wrap_wsgi``)."""
    for implementation in site.plugins.hook.wrap_wsgi.get_hookimpls():
        available = {"app": app, "site": site}
        arguments = {name: available[name] for name in implementation.argnames}
        around = cast("WSGIApplication | None", implementation.function(**arguments))
        app = around or app
    return app
