"""Operations that ask for certainty: the password must have been entered a short while ago.

A login serves as the proof. Sessions that a bot password or another plugin began cannot be renewed
by the user's password, so they are accepted as they are, as in MediaWiki.
"""

from __future__ import annotations

from datetime import timedelta

from wikiapi.api import RequestContext
from wikiapi.errors import ApiError
from wikiapi.i18n import Message
from wikiapi_plugins.editing.writable import is_writable

OK, REAUTH, FAIL = "ok", "reauth", "fail"
_LASTS = timedelta(hours=1)
"""https://www.mediawiki.org/wiki/Manual:$wgReauthenticateTime"""
_REFUSALS = {REAUTH: "apierror-reauthenticate", FAIL: "apierror-cannotreauthenticate"}


def status_of_user(context: RequestContext) -> str:
    """Return ``ok``, or what is missing: ``reauth`` to log in again, ``fail`` if nobody can."""
    if context.user.is_anonymous:
        return REAUTH if is_writable(context.site) else FAIL
    proved = context.session.proved
    return REAUTH if proved is not None and context.now - proved > _LASTS else OK


def require_recent_login(context: RequestContext) -> None:
    """Refuse a user who may have left the session to somebody else.

    Raises:
        ApiError: ``reauthenticate`` or ``cannotreauthenticate``.
    """
    status = status_of_user(context)
    if status != OK:
        raise ApiError(Message(_REFUSALS[status]))
