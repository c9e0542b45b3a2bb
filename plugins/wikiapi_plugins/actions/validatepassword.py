"""``action=validatepassword``."""

from __future__ import annotations

from collections.abc import Iterator

from wikiapi.api import Action, Obj, Param, string, user
from wikiapi.api.errorformat import ErrorFormatter
from wikiapi.api.params.types.base import PasswordType
from wikiapi.i18n import Message, Num

_SHORTEST = 8
_LONGEST = 4096


class ValidatePassword(Action):
    """Check a password against the usual rules for passwords."""

    name = "validatepassword"
    must_be_posted = True
    params = (
        Param(name="password", type=PasswordType(), required=True, sensitive=True,
              help="The password to check."),
        user("user", "Whose password it is to be.", kinds=("name", "id")),
        string("email", "The user's mail address."),
        string("realname", "The user's real name."),
    )  # fmt: skip
    examples = (("action=validatepassword&password=foobar&user=Example", "Check a password"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Validatepassword",)

    def execute(self) -> None:
        """Say whether the password is good, should be changed, or cannot be used."""
        faults = list(self._faults())
        verdict = Obj({"validity": self._verdict()})
        if faults:
            verdict["validitymessages"] = ErrorFormatter(self.context).listed(faults)
        self.result.set((), self.name, verdict)

    def _verdict(self) -> str:
        if len(self.p.text("password").encode()) > _LONGEST:
            return "Invalid"
        return "Change" if any(self._faults()) else "Good"

    def _faults(self) -> Iterator[Message]:
        password = self.p.text("password")
        if len(password.encode()) > _LONGEST:
            yield Message("passwordtoolong", (Num(_LONGEST),))
        if len(password) < _SHORTEST:
            yield Message("passwordtooshort", (Num(_SHORTEST),))
        if self.p.text_or_none("user") and password.lower() in self.p.text("user").lower():
            yield Message("password-substring-username-match")
