"""``meta=authmanagerinfo``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wikiapi.api import CacheMode, MetaModule, Obj, enum, string
from wikiapi_plugins.query.users.authparams import FIELDS, MERGE
from wikiapi_plugins.query.users.authrequests import RequestFormatter, requests_for
from wikiapi_plugins.query.users.reauthentication import status_of_user

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
        data = Obj({"canauthenticatenow": can, "cancreateaccounts": can, "canlinkaccounts": False})
        if self.p.is_given("securitysensitiveoperation"):
            data["securitysensitiveoperationstatus"] = status_of_user(self.context)
        if self.p.is_given("requestsfor"):
            data |= self._requests(can)
        self.result.set(("query",), self.name, data)

    def _requests(self, can: bool) -> Mapping[str, Any]:
        requests = requests_for(self.context, self.p.text("requestsfor")) if can else []
        formatter = RequestFormatter(self.context, self.p.text("messageformat"))
        is_merged = self.p.flag("mergerequestfields")
        data: dict[str, Any] = {
            "haspreservedstate": False,
            "hasprimarypreservedstate": False,
            "preservedusername": "",
            "requests": formatter.listed(requests, with_fields=not is_merged),
        }
        if is_merged:
            data["fields"] = formatter.merged(requests)
        return data
