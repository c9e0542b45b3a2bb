"""``action=login``: logging in with a bot password, or with the account's own password."""

from __future__ import annotations

from wikiapi.accounts import authentication, rates, sessions
from wikiapi.api import (
    Action,
    ErrorFormatter,
    Obj,
    Param,
    PasswordType,
    lacks_same_origin_security,
    string,
    tokens,
)
from wikiapi.languages import Duration, Message, MessageParam
from wikiapi_plugins.query.users.authentication import can_log_in


class Login(Action):
    """Log in and get the cookies of a session.

    On a wiki that is not writable nobody can log in.
    """

    name = "login"
    position = 0
    prefix = "lg"
    needs_read = False
    is_write = True
    needs_token = ""
    params = (
        string("name", "Name of the user."),
        Param(name="password", type=PasswordType(), sensitive=True, help="The password."),
        string("domain", "Domain of the user, where accounts have one."),
        string("token", "A token of the type ``login``, from action=query&meta=tokens.",
               sensitive=True),
    )  # fmt: skip
    examples = (("action=login&lgname=user&lgpassword=password&lgtoken=123ABC", "Log in"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Login",)

    def execute(self) -> None:
        """Log in, or put a token or the reason for the failure into the result."""
        self.result.set((), self.name, self._outcome())

    def _outcome(self) -> Obj:
        session, token = self.context.session, self.p.text_or_none("token")
        if lacks_same_origin_security(self.context.request):
            return self._failed("Aborted", "api-login-fail-sameorigin")
        if not can_log_in(self.context):
            return self._failed("Aborted", "api-login-fail-badsessionprovider")
        if not token:
            self.deprecate("apiwarn-deprecation-login-token", feature="!lgtoken")
            issued = tokens.issue(session, tokens.LOGIN, self.context.now)
            return Obj({"result": "NeedToken", "token": issued})
        if not tokens.matches(token, session, tokens.LOGIN, self.context.now):
            return Obj({"result": "WrongToken"})
        return self._log_in()

    def _log_in(self) -> Obj:
        site, request = self.context.site, self.context.request
        name, password = self.p.text_or_none("name"), self.p.text_or_none("password")
        if not (name and password and site.is_writable):
            return self._failed("Failed", "authmanager-authn-no-primary")
        address = request.remote_address
        if seconds := rates.login_wait(site, name, address):
            return self._failed("Failed", "login-throttled", Duration(seconds))
        account, is_bot = None, authentication.is_bot_login(name, password)
        if is_bot:
            try:
                account = authentication.by_bot_password(site, name, password, address)
            except authentication.UnusableBotPassword as unusable:
                rates.login_failed(site, name, address)
                key = "botpasswords-needs-reset"
                return self._failed("Failed", key, unusable.name, unusable.app_id)
        if account is None:
            account, is_bot = authentication.by_password(site, name, password), False
        if account is None:
            if authentication.by_temporary_password(site, name, password):
                rates.login_succeeded(site, name, address)
                return self._failed("Aborted", "api-login-fail-aborted")
            rates.login_failed(site, name, address)
            return self._failed("Failed", "wrongpassword")
        rates.login_succeeded(site, name, address)
        if not is_bot:
            self.deprecate("apiwarn-deprecation-login-botpw", feature="main-account-login")
        sessions.log_in(site, self.context.session, account.name, account.login)
        return Obj(
            {"result": "Success", "lguserid": account.login.user_id, "lgusername": account.name}
        )

    def _failed(self, result: str, key: str, *params: MessageParam) -> Obj:
        reason = ErrorFormatter(self.context).reason(Message(key, params))
        if isinstance(reason, str):
            reason = " ".join(reason.split())
        return Obj({"result": result, "reason": reason})
