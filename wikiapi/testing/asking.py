"""Requests put to a site within the process, without HTTP and without a format."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from wikiapi.api import dispatch
from wikiapi.api.context import RequestContext
from wikiapi.api.request import ApiRequest, Session, User
from wikiapi.api.result import Result, to_version1, to_version2
from wikiapi.errors import ApiError, ApiErrors
from wikiapi.site import Site


@dataclass(frozen=True)
class Answer:
    """What a site answered.

    ``codes`` are the error codes as the header ``MediaWiki-API-Error`` has them, empty for none.
    """

    context: RequestContext
    codes: str = ""

    @property
    def data(self) -> Any:
        """The answer in the shape of formatversion 2."""
        return deepcopy(to_version2(self.context.result.root))

    @property
    def version1(self) -> Any:
        """The answer in the shape of formatversion 1."""
        return deepcopy(to_version1(self.context.result.root))

    @property
    def warned(self) -> list[str]:
        """The keys of the warnings."""
        return [warning.message.key for warning in self.context.warnings]


def ask(
    site: Site,
    params: Mapping[str, str],
    *,
    user: User | None = None,
    request: ApiRequest | None = None,
) -> Answer:
    """Put a request to a site, with the limits on its time and cost that requests have.

    Args:
        site: the wiki.
        params: the request's parameters.
        user: who asks; by default a visitor without account, with the configured rights.
        request: a request to send in place of a plain GET of the parameters.
    """
    context = make_context(site, request or ApiRequest(params=params), user)
    try:
        with site.answering() as budget, context.result.checked(budget.check):
            context.budget = budget
            dispatch.perform(context)
    except (ApiError, ApiErrors) as error:
        return Answer(context, dispatch.fail(context, error))
    return Answer(context)


def make_context(site: Site, request: ApiRequest, user: User | None = None) -> RequestContext:
    """Return a context as the HTTP edge makes it, for a request of a visitor without account."""
    rights = frozenset(site.config.permissions.anonymous_rights)
    return RequestContext(
        site=site,
        request=request,
        user=user or User(request.remote_address, rights),
        session=Session("0" * 32),
        result=Result(site.config.http.result_size_limit),
        now=site.clock(),
    )
