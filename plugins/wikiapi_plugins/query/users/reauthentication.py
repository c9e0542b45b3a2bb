"""Actions that require a recent login: the password must have been entered within the last hour.

Users whose session was opened with a bot password or by another plugin cannot enter their password
again, so they are exempt, as in MediaWiki.
"""

from __future__ import annotations

from datetime import timedelta

from wikiapi.api import RequestContext
from wikiapi.errors import ApiError

OK, REAUTH, FAIL = "ok", "reauth", "fail"
_LIFETIME = timedelta(hours=1)
"""https://www.mediawiki.org/wiki/Manual:$wgReauthenticateTime"""
_REFUSALS = {REAUTH: "apierror-reauthenticate", FAIL: "apierror-cannotreauthenticate"}


def status_of_user(context: RequestContext) -> str:
    """Return ``ok``, ``reauth`` if the user must log in first, or ``fail`` if nobody can log in."""
    if context.user.is_anonymous:
        return REAUTH if context.site.is_writable else FAIL
    since = context.session.authenticated_at
    return REAUTH if since is not None and abs(context.now - since) > _LIFETIME else OK


def require_recent_login(context: RequestContext) -> None:
    """Refuse a user who logged in too long ago, since somebody else may be at the computer.

    Raises:
        ApiError: ``reauthenticate`` or ``cannotreauthenticate``.
    """
    status = status_of_user(context)
    if status != OK:
        raise ApiError(None, _REFUSALS[status])
