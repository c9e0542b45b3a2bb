"""``action=validatepassword``."""

from __future__ import annotations

from wikiapi.accounts import name_of_new_account, password_errors, passwords
from wikiapi.api import Action, ErrorFormatter, Obj, Param, PasswordType, string, user
from wikiapi.errors import ApiError
from wikiapi.languages import Plain
from wikiapi.store.queries import users


class ValidatePassword(Action):
    """Check a password against the password policy."""

    name = "validatepassword"
    position = 23
    must_be_posted = True
    params = (
        Param(name="password", type=PasswordType(), required=True, sensitive=True,
              help="The password to check."),
        user("user", "The user for whom the password is intended.", kinds=("name", "id")),
        string("email", "The user's mail address."),
        string("realname", "The user's real name."),
    )  # fmt: skip
    examples = (("action=validatepassword&password=foobar&user=Example", "Check a password"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Validatepassword",)

    def execute(self) -> None:
        """Answer whether the password is good, should be changed, or cannot be used."""
        if self.p.is_given("user") and self.site.is_writable:
            name = self.p.text("user")
            spelled = name_of_new_account(self.site, name)
            if spelled is None:
                raise ApiError("invaliduser", "apierror-invaliduser", Plain(name))
            if spelled in users.by_names(self.db, [spelled]):
                raise ApiError("userexists", "userexists")
        password, user = self.p.text("password"), self.context.user
        account = self.p.text_or_none("user")
        if account is not None or user.is_anonymous:
            faults = list(password_errors(password, account or ""))
        else:
            faults = list(password_errors(password, user.name, user.groups))
        validity = "Change" if faults else "Good"
        if not passwords.is_usable(password):
            validity = "Invalid"
        verdict = Obj({"validity": validity})
        if faults:
            verdict["validitymessages"] = ErrorFormatter(self.context).listed(faults)
        self.result.set((), self.name, verdict)
