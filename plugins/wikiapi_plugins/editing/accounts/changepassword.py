"""``action=changeauthenticationdata``: changing one's own password."""

from __future__ import annotations

from wikiapi.accounts import LoggedIn, hash_password, password_errors, sessions
from wikiapi.api import Obj, WriteAction, string
from wikiapi.errors import ApiError, ApiErrors
from wikiapi.languages import Message
from wikiapi_plugins.query.users.authentication import (
    PASSWORD,
    dynamic_params,
    field_values,
    requests_for,
    require_recent_login,
)


class ChangeAuthenticationData(WriteAction):
    """Change the credentials of the current user."""

    name = "changeauthenticationdata"
    prefix = "changeauth"
    position = 6
    params = (
        string(
            "request",
            "Id of the authentication request, from ``action=query&meta=authmanagerinfo``.",
            required=True,
        ),
    )
    examples = (
        (
            "action=changeauthenticationdata&changeauthrequest=PasswordRequest&password=ExamplePassword&retype=ExamplePassword&changeauthtoken=123ABC",
            "Change a password",
        ),
    )
    help_urls = (
        "https://www.mediawiki.org/wiki/Special:MyLanguage/API:Manage_authentication_data",
    )
    dynamic_params = dynamic_params("change")

    def prepare(self) -> None:
        """Check the request, and hash the new password.

        Raises:
            ApiError: ``notloggedin``, ``reauthenticate``, ``badrequest`` or ``badretype``.
            ApiErrors: the rules that the password breaks.
        """
        user = self.context.user
        if user.is_anonymous:
            message = Message("apierror-mustbeloggedin", ("change a password",))
            raise ApiError("notloggedin", message)
        require_recent_login(self.context)
        login = sessions.find_login(self.site, self.context.session)
        if login is None:
            raise ApiError("badrequest", "apierror-changeauth-norequest")
        self._app_id = login.app_id
        fields = field_values(self.context, requests_for(self.context, "change"))
        if self.p.text("request") != PASSWORD or "password" not in fields:
            raise ApiError("badrequest", "apierror-changeauth-norequest")
        if fields["password"] != fields.get("retype"):
            raise ApiError("badretype", "badretype")
        faults = list(password_errors(fields["password"], user.name, user.groups))
        if faults:
            raise ApiErrors([ApiError(fault.key, fault) for fault in faults])
        self._stored = hash_password(fields["password"])

    def perform(self) -> None:
        """Store the new password, and open a new session like the present one for the user."""
        user = self.context.user
        sessions.change_password(self.site, user.id, self._stored)
        login = LoggedIn(user.id, self._app_id)
        sessions.log_in(self.site, self.context.session, user.name, login)
        self.result.set((), self.name, Obj({"status": "success"}))
