"""Answers that another site's script may read must not tell anything about the user."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wikiapi.api.request import ApiRequest


def lacks_same_origin_security(request: ApiRequest) -> bool:
    """Whether anybody's script could read the answer: JSONP, ``origin=*``, or marked untrusted."""
    return (
        "callback" in request.params
        or request.params.get("origin") == "*"
        or "treat-as-untrusted" in request.headers
    )
