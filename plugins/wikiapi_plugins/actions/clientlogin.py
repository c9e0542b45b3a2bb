"""``action=clientlogin``: logging in with the password of an account.

It takes one request or, with a temporary password, a second one that sets the new password.
"""

from __future__ import annotations

from wikiapi.accounts import Account, authentication, hash_password, passwords, rates, sessions
from wikiapi.api import Action, ErrorFormatter, Obj, tokens
from wikiapi.languages import Duration, Message, MessageParam
from wikiapi_plugins.query.users.authentication import (
    CONTINUE,
    FIELDS,
    MERGE,
    PRESERVE,
    REQUESTS,
    RETURN,
    can_log_in,
    dynamic_params,
    failed,
    field_values,
    new_password_of,
    requests_data,
    require_way_back,
    selected_requests,
)

_NOBODY = "authmanager-authn-no-primary"


class ClientLogin(Action):
    """Log in to the wiki step by step.

    On a wiki that is not writable every attempt fails.
    """

    name = "clientlogin"
    position = 1
    prefix = "login"
    needs_read = False
    needs_token = tokens.LOGIN
    is_write = True
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
        """Log in, or put the reason for the failure into the result.

        Raises:
            ApiError: ``missingparam``, if the request neither continues an earlier one nor has a
                return URL, or ``badurl_loginreturnurl``.
        """
        require_way_back(self)
        if not can_log_in(self.context):
            outcome = self._failed("userlogin-cannot-login")
        else:
            outcome = self._second_step() if self.p.flag("continue") else self._first_step()
        self.result.set((), self.name, outcome)

    def _first_step(self) -> Obj:
        fields = field_values(self.context, selected_requests(self, "login"))
        name, password = fields.get("username", ""), fields.get("password", "")
        if not (name and password and self.site.is_writable):
            return self._failed(_NOBODY)
        address = self.context.request.remote_address
        if seconds := rates.login_wait(self.site, name, address):
            return self._failed("login-throttled", Duration(seconds))
        account = authentication.by_password(self.site, name, password)
        if account is None:
            temporary = authentication.by_temporary_password(self.site, name, password)
            if temporary is not None:
                rates.login_succeeded(self.site, name, address)
                authentication.begin_login(self.site, self.context.session, temporary.login.user_id)
                return self._asking_for_password(temporary, "resetpass-temp-emailed")
            rates.login_failed(self.site, name, address)
            return self._failed("wrongpassword")
        rates.login_succeeded(self.site, name, address)
        sessions.log_in(self.site, self.context.session, account.name, account.login)
        self.context.session.is_lasting = "rememberMe" in fields
        return Obj({"status": "PASS", "username": account.name})

    def _second_step(self) -> Obj:
        """Return the outcome of the second step of a login with a temporary password."""
        session = self.context.session
        account = self.site.is_writable and authentication.pending_login(self.site, session)
        if not account:
            return self._failed("authmanager-authn-not-in-progress")
        fields = field_values(self.context, [new_password_of(account.name, "required")])
        password = fields.get("password", "")
        if not password or "retype" not in fields:
            return self._asking_for_password(account, "resetpass-temp-emailed")
        if password != fields["retype"]:
            return self._asking_for_password(account, "badretype")
        if not passwords.is_usable(password):
            return self._asking_for_password(account, "passwordtoolong", passwords.LONGEST)
        stored = hash_password(password)
        with self.db.atomic():
            authentication.end_login(self.site, session)
            sessions.change_password(self.site, account.login.user_id, stored)
            sessions.log_in(self.site, session, account.name, account.login)
        return Obj({"status": "PASS", "username": account.name})

    def _asking_for_password(self, account: Account, key: str, *params: MessageParam) -> Obj:
        requests = [new_password_of(account.name, "required")]
        data = Obj({"status": "UI"} | requests_data(self, requests))
        data["message"] = ErrorFormatter(self.context).reason(Message(key, params))
        data["messagecode"] = key
        return data

    def _failed(self, key: str, *params: MessageParam) -> Obj:
        return failed(self.context, Message(key, params))
