"""Users who act on a writable wiki, without HTTP: each with a session of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.sites import make_site
from wikiapi.accounts.sessions import LoggedIn, user_of
from wikiapi.accounts.user import Session
from wikiapi.api import ApiRequest, dispatch, tokens
from wikiapi.api.registries import registries
from wikiapi.errors import ApiError, ApiErrors
from wikiapi.site import Site
from wikiapi.store.queries import users
from wikiapi.testing import Clock, DeclaredUser
from wikiapi.testing.asking import Answer, make_context

ADDRESS = "192.0.2.9"
USERS = (
    DeclaredUser("Boss", groups=("sysop", "bureaucrat", "suppress")),
    DeclaredUser("Ada"),
    DeclaredUser("Bert"),
    DeclaredUser("Robot", groups=("bot",)),
)


def writable_site(
    pages: Mapping[str, str] | None = None, *, clock: Clock | None = None, **tables: Any
) -> Site:
    """Return a writable wiki with some users; ``tables`` are settings of ``editing`` and so on."""
    config = {"site": {"writable": True}, **tables}
    texts = {"Home": "Welcome", "Other": "Text"} if pages is None else pages
    interwiki = {"de": "https://de.example/wiki/$1"}
    clock = clock or Clock()
    return make_site(texts, users=USERS, config=config, clock=clock, interwiki=interwiki)


class Acting:
    """Asks in the name of an account, or of a visitor."""

    def __init__(self, site: Site, name: str = "", address: str = ADDRESS) -> None:
        """Log in under a name; a visitor has none."""
        self._site, self._address = site, address
        row = users.by_names(site.db, [name]).get(name) if name else None
        self.user_id = row.user_id if row else 0
        self.session = Session(name.ljust(32, "x"), key=b"key", user_id=self.user_id)
        self.session.authenticated_at = site.clock() if self.user_id else None

    def ask(self, action: str, params: Mapping[str, str] | None = None, **named: str) -> Answer:
        """Return the answer to a request by POST, with the token that it needs."""
        module = registries(self._site).actions[action]
        fields = {"action": action, **(params or {}), **named}
        if module.needs_token:
            token = tokens.issue(self.session, module.needs_token, self._site.clock())
            fields.setdefault(f"{module.prefix}token", token)
        request = ApiRequest(method="POST", params=fields, remote_address=self._address)
        context = make_context(self._site, request)
        context.session = self.session
        if self.user_id:
            context.user = user_of(self._site, LoggedIn(self.user_id)) or context.user
        try:
            dispatch.perform(context)
        except (ApiError, ApiErrors) as error:
            return Answer(context, dispatch.fail(context, error))
        return Answer(context)

    def do(self, action: str, params: Mapping[str, str] | None = None, **named: str) -> Any:
        """Return what an action has answered, which must not be an error."""
        answer = self.ask(action, params, **named)
        assert not answer.codes, answer.data
        return answer.data[action]

    def refused(self, action: str, params: Mapping[str, str] | None = None, **named: str) -> str:
        """Return the code of the error of an action."""
        return self.ask(action, params, **named).codes

    def query(self, params: Mapping[str, str] | None = None, **named: str) -> Any:
        """Return the answer of a query."""
        answer = self.ask("query", params, **named)
        assert not answer.codes, answer.data
        return answer.data["query"]

    def edit(self, title: str, text: str = "text", **named: str) -> str:
        """Edit a page; return the code of the error, if there is one."""
        return self.refused("edit", title=title, text=text, **named)
