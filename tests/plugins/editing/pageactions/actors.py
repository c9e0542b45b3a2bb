"""A writable wiki, and users who act on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.sites import make_site
from wikiapi.accounts.groups import rights_of
from wikiapi.accounts.user import User
from wikiapi.api import tokens
from wikiapi.api.request import ApiRequest
from wikiapi.site import Site
from wikiapi.testing import Clock, DeclaredUser, ask
from wikiapi.testing.asking import Answer

USERS = (DeclaredUser("Admin", ("sysop",)), DeclaredUser("Ada"), DeclaredUser("Bob"))


class Actors:
    """The users of a wiki: ``Admin``, who is an administrator, ``Ada`` and ``Bob``."""

    def __init__(self, pages: Mapping[str, Any] | None = None, **options: Any) -> None:
        """Make a wiki of some pages, whose clock goes on with each request."""
        self.clock = Clock()
        config = {"site": {"writable": True, "main_subpages": True}} | options.pop("config", {})
        users = (*USERS, *options.pop("users", ()))
        self.site: Site = make_site(
            pages or {}, config=config, users=users, clock=self.clock, **options
        )
        groups = {user.name: ("*", "user", "autoconfirmed", *user.groups) for user in users}
        self.users = {
            user.name: User(
                user.name,
                frozenset(rights_of(self.site, groups[user.name])),
                number,
                groups[user.name],
            )
            for number, user in enumerate(users, 1)
        }

    def act(self, name: str, action: str, **params: Any) -> Answer:
        """Let a user perform an action; an empty name is a visitor's."""
        self.clock.advance(1)
        fields = {key.rstrip("_"): str(value) for key, value in params.items()}
        fields |= {"action": action}
        if action != "purge":
            fields["token"] = tokens.SUFFIX
        return ask(
            self.site,
            fields,
            user=self.users.get(name),
            request=ApiRequest("POST", params=fields),
        )

    def query(self, name: str = "", **params: Any) -> Any:
        """Return what a query tells a user."""
        fields = {key: str(value) for key, value in params.items()} | {"action": "query"}
        return ask(self.site, fields, user=self.users.get(name)).data["query"]

    def log(self, kind: str) -> list[Any]:
        """Return the entries of a log, the latest first."""
        return self.query(list="logevents", letype=kind)["logevents"]

    def text(self, title: str) -> str | None:
        """Return the text of a page; ``None`` if there is none."""
        page = self.query(prop="revisions", titles=title, rvprop="content", rvslots="main")
        revisions = page["pages"][0].get("revisions")
        return revisions[0]["slots"]["main"]["content"] if revisions else None

    def statistics(self) -> dict[str, int]:
        """Return the numbers of the wiki."""
        return self.query(meta="siteinfo", siprop="statistics")["statistics"]
