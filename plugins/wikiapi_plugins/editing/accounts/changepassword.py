"""``action=changeauthenticationdata``: changing one's own password."""

from __future__ import annotations

from wikiapi.api import Obj
from wikiapi.errors import ApiError
from wikiapi.i18n import Message
from wikiapi.store.passwords import hash_password
from wikiapi_plugins.editing.accounts.rules import password_errors
from wikiapi_plugins.editing.action import WriteAction
from wikiapi_plugins.editing.identity.reauthentication import require_recent_login
from wikiapi_plugins.editing.identity.sessions import (
    LoggedIn,
    change_password,
    find_login,
    log_in,
)
from wikiapi_plugins.query.users.authrequests import PASSWORD, field_values, requests_for


class ChangeAuthenticationData(WriteAction):
    """Changes the password of the user, and ends the user's other sessions."""

    def prepare(self) -> None:
        """Check the request, and hash the new password.

        Raises:
            ApiError: ``notloggedin``, ``reauthenticate``, ``badrequest``, ``badretype``, or the
                rule that the password breaks.
        """
        user = self.context.user
        if user.is_anonymous:
            message = Message("apierror-mustbeloggedin", ("change a password",))
            raise ApiError(message, "notloggedin")
        require_recent_login(self.context)
        login = find_login(self.site, self.context.session)
        if login is None or login.app_id:
            raise ApiError(Message("apierror-changeauth-norequest"), "badrequest")
        fields = field_values(self.context, requests_for(self.context, "change"))
        if self.p.text("request") != PASSWORD or "password" not in fields:
            raise ApiError(Message("apierror-changeauth-norequest"), "badrequest")
        if fields["password"] != fields.get("retype"):
            raise ApiError(Message("badretype"), "badretype")
        for fault in password_errors(fields["password"], user.name, user.groups):
            raise ApiError(fault, fault.key)
        self._stored = hash_password(fields["password"])

    def perform(self) -> None:
        """Store the new password, and open a new session for the user."""
        user = self.context.user
        change_password(self.site, user.id, self._stored)
        log_in(self.site, self.context.session, user.name, LoggedIn(user.id))
        self.result.set((), self.name, Obj({"status": "success"}))
