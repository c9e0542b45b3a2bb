"""``action=login``: there is nobody to log in as, which a client is told in the usual form."""

from __future__ import annotations

from wikiapi.api import Action, Obj, Param, string, tokens
from wikiapi.api.errorformat import ErrorFormatter
from wikiapi.api.params.types.base import PasswordType
from wikiapi.api.request import lacks_same_origin_security
from wikiapi.i18n import Message


class Login(Action):
    """Log in and get the cookies of a session.

    There are no passwords on this server: a request with a token is answered that it failed.
    """

    name = "login"
    prefix = "lg"
    needs_read = False
    is_write = True
    must_be_posted = True
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
        """Say that a token is needed, is wrong, or that the login has failed."""
        self.result.set((), self.name, self._outcome())

    def _outcome(self) -> Obj:
        session, token = self.context.session, self.p.text_or_none("token")
        if lacks_same_origin_security(self.context.request):
            return self._failed("Aborted", "api-login-fail-sameorigin")
        if not token:
            self.deprecate("apiwarn-deprecation-login-token", feature="!lgtoken")
            issued = tokens.issue(session, tokens.LOGIN, self.context.now)
            return Obj({"result": "NeedToken", "token": issued})
        if not tokens.matches(token, session, tokens.LOGIN, self.context.now):
            return Obj({"result": "WrongToken"})
        return self._failed("Failed", "wrongpassword")

    def _failed(self, result: str, key: str) -> Obj:
        reason = ErrorFormatter(self.context).reason(Message(key))
        return Obj({"result": result, "reason": reason})
