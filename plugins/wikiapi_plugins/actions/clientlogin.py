"""``action=clientlogin``: logging in with the password of an account, in one step."""

from __future__ import annotations

from wikiapi.api import Action, Obj, tokens
from wikiapi.api.errorformat import ErrorFormatter
from wikiapi.i18n import Message, MessageParam, Num
from wikiapi_plugins.actions.authparams import (
    CONTINUE,
    FIELDS,
    MERGE,
    PRESERVE,
    REQUESTS,
    RETURN,
    dynamic_params,
    require_way_back,
)
from wikiapi_plugins.editing.identity import authentication, sessions, throttling
from wikiapi_plugins.editing.writable import is_writable
from wikiapi_plugins.query.users.authrequests import field_values, requests_for

_NOBODY = "authmanager-authn-no-primary"


class ClientLogin(Action):
    """Log in to the wiki step by step.

    On a wiki that is not writable every attempt fails.
    """

    name = "clientlogin"
    prefix = "login"
    needs_read = False
    needs_token = tokens.LOGIN
    is_write = True
    must_be_posted = True
    params = (REQUESTS, FIELDS, MERGE, PRESERVE, RETURN, CONTINUE)
    dynamic_params = dynamic_params("login")
    examples = (
        (
            (
                "action=clientlogin&username=Example&password=ExamplePassword"
                "&loginreturnurl=http://example.org/&logintoken=123ABC"
            ),
            "Begin to log in",
        ),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Login",)

    def execute(self) -> None:
        """Log in, or say why not.

        Raises:
            ApiError: ``missingparam``, without a way back from another provider.
        """
        require_way_back(self)
        self.result.set((), self.name, self._outcome())

    def _outcome(self) -> Obj:
        fields = field_values(self.context, requests_for(self.context, "login"))
        name, password = fields.get("username", ""), fields.get("password", "")
        if not (name and password and is_writable(self.site)):
            return self._failed(_NOBODY)
        address = self.context.request.remote_address
        if seconds := throttling.login_wait(self.site, name, address):
            return self._failed("login-throttled", Num(seconds))
        account = authentication.by_password(self.site, name, password)
        if account is None:
            throttling.login_failed(self.site, name, address)
            return self._failed("wrongpassword")
        throttling.login_succeeded(self.site, name, address)
        sessions.log_in(self.site, self.context.session, account.name, account.login)
        self.context.session.is_lasting = "rememberMe" in fields
        return Obj({"status": "PASS", "username": account.name})

    def _failed(self, key: str, *params: MessageParam) -> Obj:
        message = ErrorFormatter(self.context).reason(Message(key, params))
        return Obj(
            {"status": "FAIL", "message": message, "messagecode": key, "canpreservestate": False}
        )
