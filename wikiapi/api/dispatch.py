"""The steps of answering a request: perform the action, replace the result on failure, render it.

The HTTP layer calls these functions in this order, and catches the exceptions of ``perform`` and
``render``. No exceptions are caught here.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from wikiapi.api.context import DEFAULT_FORMAT, RequestContext
from wikiapi.api.errorformat import ErrorFormatter
from wikiapi.api.format import Format, Rendered
from wikiapi.api.main import Main
from wikiapi.api.pieces import RawPieces, is_large
from wikiapi.api.registries import registries
from wikiapi.errors import ApiError, ApiErrors
from wikiapi.languages.message import Message

ERROR_HEADER = "MediaWiki-API-Error"


@contextmanager
def limited(context: RequestContext) -> Iterator[None]:
    """Apply the limits of a request to what is done within the block, in the name of its module."""
    site = context.site
    with (
        site.db.working_for(partial(_module_at_work, context)),
        site.answering() as budget,
        context.result.calling(budget.check),
    ):
        context.budget = budget
        yield


def _module_at_work(context: RequestContext) -> str:
    """Return the running module as in a request: ``list=allpages``, ``action=parse``."""
    parent, _, name = context.running.rpartition("+")
    group = registries(context.site).query_modules[name].group if parent else "action"
    return f"{group}={name}"


def perform(context: RequestContext) -> None:
    """Run the request's action and put its data and warnings into the result.

    Raises:
        ApiError: the request cannot be answered.
        ApiErrors: the request cannot be answered for several reasons.
    """
    main = Main(context)
    main.prepare()
    main.execute()
    if context.warnings:
        ErrorFormatter(context).add_warnings()


def fail(context: RequestContext, error: ApiError | ApiErrors) -> str:
    """Replace the result with an error of the running module.

    Returns:
        The error codes as in the header ``MediaWiki-API-Error``, in alphabetical order.
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
    codes = ", ".join(sorted({e.code for e in errors}))
    context.headers.append((ERROR_HEADER, codes))
    return codes


def render(context: RequestContext, stream_above: int = 0) -> Rendered:
    """Serialise the result in the requested format, or else in the default format.

    Args:
        context: the context of the request, after its action has been performed.
        stream_above: bytes of text above which the answer may be streamed; 0 for never.

    Raises:
        ApiError: a parameter of the format is invalid.
    """
    raw = context.result.raw
    if raw is not None:
        disposition = ("Content-Disposition", f"inline; filename={raw.filename}")
        pieces = raw.pieces if isinstance(raw, RawPieces) else None
        rendered = Rendered(raw.body, raw.content_type, [disposition], pieces)
        return rendered if stream_above else rendered.whole()
    printer = _format(context)
    warned = len(context.warnings)
    printer.prepare()
    if len(context.warnings) > warned:
        ErrorFormatter(context).add_warnings()
    if stream_above and is_large(context.result, stream_above):
        return printer.stream(context.result.answer) or printer.render(context.result.answer)
    return printer.render(context.result.answer)


def render_after_format_error(context: RequestContext, error: ApiError) -> Rendered:
    """Serialise an error about a parameter of the format, ignoring the format's parameters."""
    context.warn(_format(context).name, error.message)
    context.warn("main", Message("apierror-badformat-fallback"))
    fail(context, error)
    printer = _format(context)
    context.request = replace(context.request, params={})
    return printer.render(context.result.root)


def _format(context: RequestContext) -> Format:
    formats = registries(context.site).formats
    name = context.request.params.get("format", context.default_format)
    return formats.get(name, formats[DEFAULT_FORMAT])(context)
