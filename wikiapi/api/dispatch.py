"""The three steps of answering: perform the action, or fail, then render.

The HTTP edge calls them in this order and catches what ``perform`` and ``render`` raise; nothing
here swallows an exception.
"""

from __future__ import annotations

from dataclasses import replace

from wikiapi.api.context import DEFAULT_FORMAT, RequestContext
from wikiapi.api.errorformat import ErrorFormatter
from wikiapi.api.format import Format, Rendered
from wikiapi.api.main import Main
from wikiapi.api.pieces import RawPieces, is_large
from wikiapi.api.result import RawBody
from wikiapi.errors import ApiError, ApiErrors
from wikiapi.i18n.message import Message

ERROR_HEADER = "MediaWiki-API-Error"


def perform(context: RequestContext) -> None:
    """Run the request's action and put its data and warnings into the result.

    Raises:
        ApiError: the request cannot be answered.
        ApiErrors: for several reasons.
    """
    main = Main(context)
    main.prepare()
    main.execute()
    ErrorFormatter(context).add_warnings()


def fail(context: RequestContext, error: ApiError | ApiErrors) -> str:
    """Replace the result by an error of the module that was at work.

    Returns:
        The error codes, as the header ``MediaWiki-API-Error`` carries them.
    """
    extras = {
        name: context.result.root[name]
        for name in ("requestid", "servedby", "curtimestamp", "uselang", "errorlang")
        if name in context.result.root
    }
    context.result.reset()
    context.result.root |= extras
    context.cache.forbid()
    formatter = ErrorFormatter(context)
    formatter.add_errors(error, context.running)
    formatter.add_warnings()
    errors = error.errors if isinstance(error, ApiErrors) else [error]
    codes = ", ".join(dict.fromkeys(e.code for e in errors))
    context.headers.append((ERROR_HEADER, codes))
    return codes


def render(context: RequestContext, stream_above: int = 0) -> Rendered:
    """Serialise the result in the requested format (the HTML wrapper when none was).

    Args:
        context: of the request that has been performed.
        stream_above: bytes of text above which the answer may be in pieces; 0 for never.

    Raises:
        ApiError: a parameter of the format cannot be used.
    """
    raw = context.result.raw
    if raw is not None:
        rendered = _raw(raw)
        return rendered if stream_above else rendered.whole()
    printer = _format(context)
    warned = len(context.warnings)
    printer.prepare()
    if len(context.warnings) > warned:
        ErrorFormatter(context).add_warnings()
    if stream_above and is_large(context.result, stream_above):
        return printer.stream(context.result.shown) or printer.render(context.result.shown)
    return printer.render(context.result.shown)


def _raw(raw: RawBody) -> Rendered:
    disposition = ("Content-Disposition", f"inline; filename={raw.filename}")
    pieces = raw.pieces if isinstance(raw, RawPieces) else None
    return Rendered(raw.body, raw.content_type, [disposition], pieces)


def render_after_format_error(context: RequestContext, error: ApiError) -> Rendered:
    """Serialise the error of a format's own parameters, in that format without parameters."""
    context.warn(_format(context).name, error.message)
    context.warn("main", Message("apierror-badformat-fallback"))
    fail(context, error)
    printer = _format(context)
    context.request = replace(context.request, params={})
    return printer.render(context.result.root)


def _format(context: RequestContext) -> Format:
    formats = context.site.api.formats
    name = context.request.params.get("format", context.default_format)
    return formats.get(name, formats[DEFAULT_FORMAT])(context)
