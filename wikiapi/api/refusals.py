"""Why a request that would change something is not carried out."""

from __future__ import annotations

from wikiapi.api import tokens
from wikiapi.api.context import RequestContext
from wikiapi.errors import ApiError
from wikiapi.i18n.message import Message, Num, Plain, plain_list


def check_token(context: RequestContext, kind: str, name: str, token: str) -> None:
    """Refuse a token that was not issued in this session, or that stands in the address.

    Args:
        context: the request.
        kind: the type of token asked for.
        name: the parameter that holds it, as requests spell it.
        token: its value.

    Raises:
        ApiError: ``mustpostparams`` or ``badtoken``.
    """
    if name in context.request.query_names:
        message = Message("apierror-mustpostparams", (plain_list([name]), Num(1)))
        raise ApiError(message, "mustpostparams")
    if not tokens.matches(token, context.session, kind, context.now):
        raise ApiError(Message("apierror-badtoken"), "badtoken")


def read_only(reason: str) -> ApiError:
    """The error of what cannot be changed because nothing can."""
    message = Message("apierror-readonly", (Plain(reason),))
    return ApiError(message, "readonly", {"readonlyreason": reason})
