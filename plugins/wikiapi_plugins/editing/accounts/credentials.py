"""``action=removeauthenticationdata``, ``unlinkaccount`` and ``linkaccount``.

As in MediaWiki by default, an account has a password, which cannot be removed, and sometimes a
temporary password, which can. Accounts of other providers cannot be linked.
"""

from __future__ import annotations

from wikiapi.api import Obj
from wikiapi.errors import ApiError
from wikiapi.i18n import Message
from wikiapi_plugins.editing.action import WriteAction
from wikiapi_plugins.editing.identity.reauthentication import require_recent_login
from wikiapi_plugins.editing.identity.temporarypasswords import forget
from wikiapi_plugins.query.users.authparams import require_way_back
from wikiapi_plugins.query.users.authrequests import failed, requests_for


class RemoveAuthenticationData(WriteAction):
    """Removes one of the credentials with which the user can log in."""

    purpose = "remove"

    def perform(self) -> None:
        """Remove the user's temporary password, the only credential that can be removed.

        Raises:
            ApiError: ``notloggedin``, ``reauthenticate``, or ``badrequest`` for any other
                credential.
        """
        user = self.context.user
        if user.is_anonymous:
            message = Message("apierror-mustbeloggedin", ("remove authentication data",))
            raise ApiError(message, "notloggedin")
        require_recent_login(self.context)
        removable = {request.id for request in requests_for(self.context, self.purpose)}
        if self.p.text("request") not in removable:
            raise ApiError(Message("apierror-changeauth-norequest"), "badrequest")
        forget(self.site, user.id)
        self.result.set((), self.name, Obj({"status": "success"}))


class UnlinkAccount(RemoveAuthenticationData):
    """Removes a linked account; always refused, because accounts cannot be linked."""

    purpose = "unlink"


class LinkAccount(WriteAction):
    """Links an account of another provider; always fails, because no provider is supported."""

    def perform(self) -> None:
        """Answer that no account can be linked.

        Raises:
            ApiError: ``notloggedin``, ``missingparam`` or ``reauthenticate``.
        """
        if self.context.user.is_anonymous:
            message = Message("apierror-mustbeloggedin", ("link accounts",))
            raise ApiError(message, "notloggedin")
        require_way_back(self)
        require_recent_login(self.context)
        self.result.set((), self.name, failed(self.context, Message("userlogin-cannot-link")))
