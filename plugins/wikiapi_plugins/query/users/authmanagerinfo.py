"""``meta=authmanagerinfo``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wikiapi.api import Arr, CacheMode, MetaModule, Obj, enum, string
from wikiapi_plugins.actions.authparams import FIELDS, MERGE

_ACTIONS = (
    *("login", "login-continue", "create", "create-continue", "link", "link-continue"),
    *("change", "remove", "unlink"),
)


class AuthManagerInfo(MetaModule):
    """Tell how one can log in and make an account.

    There are no accounts on this server, and so no ways of logging in to list.
    """

    name = "authmanagerinfo"
    prefix = "ami"
    needs_read = False
    params = (
        string("securitysensitiveoperation", "Tell whether this operation would be allowed now."),
        enum("requestsfor", *_ACTIONS, help="List what is to be filled in for this."),
        MERGE,
        FIELDS,
    )
    examples = (
        ("action=query&meta=authmanagerinfo&amirequestsfor=login", "How one can log in"),
        ("action=query&meta=authmanagerinfo&amisecuritysensitiveoperation=foo",
         "Whether something that asks for certainty would be allowed"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Authmanagerinfo",)

    def cache_mode(self) -> CacheMode:
        """What may be done now depends on who asks."""
        return CacheMode.PRIVATE

    def execute(self) -> None:
        """Say that nothing can be done."""
        data = Obj(
            {"canauthenticatenow": False, "cancreateaccounts": False, "canlinkaccounts": False}
        )
        if self.p.is_given("securitysensitiveoperation"):
            data["securitysensitiveoperationstatus"] = "reauth"
        if self.p.is_given("requestsfor"):
            data |= self._requests()
        self.result.set(("query",), self.name, data)

    def _requests(self) -> Mapping[str, Any]:
        data: dict[str, Any] = {
            "haspreservedstate": False,
            "hasprimarypreservedstate": False,
            "preservedusername": "",
            "requests": Arr(()),
        }
        if self.p.flag("mergerequestfields"):
            data["fields"] = Obj()
        return data
