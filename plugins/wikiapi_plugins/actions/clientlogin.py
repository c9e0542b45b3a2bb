"""``action=clientlogin``: logging in step by step, which fails at the first."""

from __future__ import annotations

from wikiapi.api import Action, Obj, tokens
from wikiapi.api.errorformat import ErrorFormatter
from wikiapi.errors import ApiError
from wikiapi.i18n import Message, Num, plain_list
from wikiapi_plugins.actions.authparams import (
    CONTINUE,
    FIELDS,
    MERGE,
    PRESERVE,
    REQUESTS,
    RETURN,
    dynamic_params,
)

_NOBODY = "authmanager-authn-no-primary"


class ClientLogin(Action):
    """Log in to the wiki step by step.

    There are no accounts to log in to on this server: every attempt fails.
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
        """Say that nobody can be logged in.

        Raises:
            ApiError: ``missingparam``, without a way back from another provider.
        """
        if not self.p.is_given("returnurl") and not self.p.flag("continue"):
            names = [self.full("continue"), self.full("returnurl")]
            params = (plain_list(names), Num(len(names)))
            raise ApiError(Message("apierror-missingparam-at-least-one-of", params), "missingparam")
        message = ErrorFormatter(self.context).reason(Message(_NOBODY))
        outcome = Obj({"status": "FAIL", "message": message, "messagecode": _NOBODY})
        self.result.set((), self.name, outcome)
