"""``meta=authmanagerinfo``."""

from __future__ import annotations

from wikiapi.api import CacheMode, MetaModule, Obj, enum, string
from wikiapi_plugins.query.users.authentication import (
    FIELDS,
    MERGE,
    can_log_in,
    login_status,
    requests_data,
    requests_for,
)

_ACTIONS = (
    *("login", "login-continue", "create", "create-continue", "link", "link-continue"),
    *("change", "remove", "unlink"),
)


class AuthManagerInfo(MetaModule):
    """Get the ways to log in and to create an account.

    A wiki that is not writable has none.
    """

    name = "authmanagerinfo"
    prefix = "ami"
    needs_read = False
    params = (
        string("securitysensitiveoperation", "Check whether this operation would be allowed now."),
        enum("requestsfor", *_ACTIONS, help="List the fields to fill in for this action."),
        MERGE,
        FIELDS,
    )
    examples = (
        ("action=query&meta=authmanagerinfo&amirequestsfor=login", "How to log in"),
        ("action=query&meta=authmanagerinfo&amisecuritysensitiveoperation=foo",
         "Whether a security-sensitive operation would be allowed"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Authmanagerinfo",)

    def cache_mode(self) -> CacheMode:
        """Return ``PRIVATE``, because the answer depends on the user."""
        return CacheMode.PRIVATE

    def execute(self) -> None:
        """Add to the answer what can be done, and the fields of the requested action."""
        can = self.site.is_writable
        data = Obj({"canauthenticatenow": can and can_log_in(self.context)})
        data |= {"cancreateaccounts": can, "canlinkaccounts": False}
        if self.p.is_given("securitysensitiveoperation"):
            data["securitysensitiveoperationstatus"] = login_status(self.context)
        if self.p.is_given("requestsfor"):
            requests = requests_for(self.context, self.p.text("requestsfor")) if can else []
            data |= {
                "haspreservedstate": False,
                "hasprimarypreservedstate": False,
                "preservedusername": "",
                **requests_data(self, requests),
            }
        self.result.set(("query",), self.name, data)
