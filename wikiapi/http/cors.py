"""Cross-origin requests of scripts, which follow the same rules as in MediaWiki.

The parameter ``origin`` is either ``*``, for requests of any site without credentials, or the same
as the ``Origin`` header, which must be in the wiki's list of allowed origins.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from wikiapi.api.request import ApiRequest
from wikiapi.http.errors import Refused
from wikiapi.http.reply import Header

ANYBODY = "*"
ALLOWED_METHODS = ("POST", "GET", "HEAD")
"""Whether the method of a preflight is among them is for browsers to check."""
ALLOWED_HEADERS = (
    "Accept",
    "Accept-Language",
    "Content-Language",
    "Content-Type",
    "Accept-Encoding",
    "DNT",
    "Origin",
    "User-Agent",
    "Api-User-Agent",
    "Access-Control-Max-Age",
    "Authorization",
)
"""MediaWiki's default for ``$wgAllowedCorsHeaders``."""
EXPOSED_HEADERS = "MediaWiki-API-Error, Retry-After, X-Database-Lag, MediaWiki-Login-Suppressed"
PREFLIGHT_SECONDS = 86_400
REJECTION = "MediaWiki-CORS-Rejection"

_EXPOSING_HEADERS: list[Header] = [("Access-Control-Expose-Headers", EXPOSED_HEADERS)]
_ALLOWED_LOWER = frozenset(name.lower() for name in ALLOWED_HEADERS)


@dataclass(slots=True)
class CorsDecision:
    """The headers for the answer to a cross-origin request.

    ``varies`` says that they depend on the ``Origin`` header.
    """

    headers: list[Header] = field(default_factory=list)
    varies: bool = False


class CorsPolicy:
    """Decides on cross-origin requests by the wiki's list of origins."""

    def __init__(self, origins: Iterable[str]) -> None:
        """Take host names, or origins with their scheme; ``*`` and ``?`` are wildcards."""
        self._patterns = [_pattern(origin) for origin in origins]

    def decide(self, request: ApiRequest, *, has_session: bool) -> CorsDecision:
        """Return the headers for a request; none if it is not a cross-origin request.

        Raises:
            Refused: with status 403, if the request contradicts itself.
        """
        origin = request.params.get("origin")
        crossorigin = "crossorigin" in request.params
        if origin is None and not crossorigin:
            return CorsDecision()
        if crossorigin:
            if origin is not None:
                raise _refused("The parameters 'origin' and 'crossorigin' cannot be used together.")
            if has_session:
                raise _refused("'crossorigin' cannot be used with a session cookie.")
        if origin is None or origin == ANYBODY:
            return CorsDecision(_granted(request, ANYBODY, credentials=False))
        origins = request.headers.get("origin", "").split()
        if origin not in origins:
            raise _refused("The parameter 'origin' does not match the header 'Origin'.")
        if len(origins) != 1 or not self.allows(origin):
            return CorsDecision([(REJECTION, "Origin mismatch")], varies=True)
        return CorsDecision(_granted(request, origin, credentials=True), varies=True)

    def allows(self, origin: str) -> bool:
        """Return whether an origin is in the list."""
        return any(pattern.match(origin) for pattern in self._patterns)


def _granted(request: ApiRequest, origin: str, *, credentials: bool) -> list[Header]:
    headers = [
        ("Access-Control-Allow-Origin", origin),
        ("Access-Control-Allow-Credentials", "true" if credentials else "false"),
        ("Timing-Allow-Origin", origin),
    ]
    if request.method != "OPTIONS" or "access-control-request-method" not in request.headers:
        return headers + _EXPOSING_HEADERS
    requested = request.headers.get("access-control-request-headers")
    if requested is not None:
        names = [name.strip() for name in requested.split(",") if name.strip()]
        if any(name.lower() not in _ALLOWED_LOWER for name in names):
            return [(REJECTION, "Unsupported header requested in preflight")]
        headers.append(("Access-Control-Allow-Headers", ", ".join(names)))
    headers.append(("Access-Control-Allow-Methods", ", ".join(ALLOWED_METHODS)))
    return [*headers, ("Access-Control-Max-Age", str(PREFLIGHT_SECONDS))]


def _refused(text: str) -> Refused:
    return Refused(403, text, (("Vary", "Origin"),))


def _pattern(origin: str) -> re.Pattern[str]:
    """Return a pattern for origins, in which wildcards match all characters but ``/``.

    The text between two asterisks is matched at its first occurrence, without backtracking.
    Otherwise the time for several asterisks would be polynomial in the length of the header.
    """
    first, *others = (
        re.escape(part).replace(r"\?", "[^/]") for part in origin.rstrip("/").split("*")
    )
    between = "".join(f"(?>[^/]*?{part})" for part in others[:-1])
    last = f"[^/]*{others[-1]}" if others else ""
    scheme = "" if "://" in origin else "https?://"
    return re.compile(scheme + first + between + last + r"\Z", re.IGNORECASE)
