"""Sends requests to a site in the same process, without HTTP and without a format."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from wikiapi.accounts.user import Session, User
from wikiapi.api import dispatch
from wikiapi.api.context import RequestContext
from wikiapi.api.request import ApiRequest
from wikiapi.api.result import to_version1, to_version2
from wikiapi.errors import ApiError, ApiErrors
from wikiapi.site import Site


@dataclass(frozen=True)
class Answer:
    """The answer of a site.

    ``codes`` are the error codes as in the header ``MediaWiki-API-Error``, or empty for no error.
    """

    context: RequestContext
    codes: str = ""

    @property
    def data(self) -> Any:
        """The answer in the form of formatversion 2."""
        return deepcopy(to_version2(self.context.result.root))

    @property
    def version1(self) -> Any:
        """The answer in the form of formatversion 1."""
        return deepcopy(to_version1(self.context.result.root))

    @property
    def warned(self) -> list[str]:
        """The message keys of the warnings."""
        return [warning.message.key for warning in self.context.warnings]


def ask(
    site: Site,
    params: Mapping[str, str],
    *,
    user: User | None = None,
    request: ApiRequest | None = None,
) -> Answer:
    """Return the answer of a site to a request, with the usual limits on time and cost.

    Args:
        site: the wiki.
        params: the parameters of the request.
        user: the user who sends it; by default an anonymous user with the configured rights.
        request: a request to send instead of a GET request with the parameters.
    """
    context = make_context(site, request or ApiRequest(params=params), user)
    try:
        with dispatch.limited(context):
            dispatch.perform(context)
    except (ApiError, ApiErrors) as error:
        return Answer(context, dispatch.fail(context, error))
    return Answer(context)


def make_context(site: Site, request: ApiRequest, user: User | None = None) -> RequestContext:
    """Return a context as for an HTTP request, by default of an anonymous user."""
    return RequestContext.of(site, request, Session("0" * 32), user)
