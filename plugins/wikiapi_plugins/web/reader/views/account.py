"""Accounts: logging in and out on a writable wiki, and the list of all accounts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from wikiapi.accounts import explicit_groups, in_groups
from wikiapi.api import compact
from wikiapi.http import ApiCalls, Reply
from wikiapi.store import UserRow, bounds
from wikiapi.store.models import User
from wikiapi.store.queries import users
from wikiapi.title import SPECIAL, Title
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.reader.errors import ViewError
from wikiapi_plugins.web.replies import redirect_reply

LOGIN = "UserLogin"


def show_login(context: ViewContext, title: Title) -> Reply:
    """Show the login form, or log in with the submitted form.

    Raises:
        ViewError: the wiki is read-only.
    """
    _require_accounts(context, title)
    calls = context.api_calls()
    if context.request.method != "POST":
        return _show_form(context, calls)
    answer = calls.post(
        action="login",
        lgname=context.param("wpName"),
        lgpassword=context.param("wpPassword"),
        lgtoken=context.param("wpLoginToken"),
    )
    outcome = answer.data.get("login", {})
    if outcome.get("result") == "Success":
        return calls.with_cookies(redirect_reply(_next_url(context), 303))
    reasons = answer.reasons or [context.text("session-lost")]
    if outcome.get("result") == "Failed":
        reason = outcome.get("reason", "")
        reasons = [reason["text"] if isinstance(reason, dict) else str(reason)]
    return _show_form(context, calls, reasons)


def show_logout(context: ViewContext, title: Title) -> Reply:
    """Show a logout button, or log out if it was pressed.

    Raises:
        ViewError: the wiki is read-only.
    """
    _require_accounts(context, title)
    calls = context.api_calls()
    reasons: Sequence[str] = ()
    if context.request.method == "POST":
        answer = calls.post(action="logout", token=context.param("wpEditToken"))
        if not answer.codes:
            return calls.with_cookies(redirect_reply(_next_url(context), 303))
        reasons = answer.reasons
    session = calls.post(action="query", meta="tokens|userinfo").data["query"]
    if session["userinfo"].get("anon"):
        return redirect_reply(_next_url(context))
    return context.render(
        "logout.html",
        context.text("log-out"),
        name=session["userinfo"]["name"],
        token=session["tokens"]["csrftoken"],
        returnto=context.param("returnto"),
        reasons=reasons,
    )


def _show_form(context: ViewContext, calls: ApiCalls, reasons: Sequence[str] = ()) -> Reply:
    answer = calls.post(action="query", meta="tokens", type="login")
    reply = context.render(
        "login.html",
        context.text("log-in"),
        token=answer.data["query"]["tokens"]["logintoken"],
        name=context.param("wpName"),
        returnto=context.param("returnto"),
        reasons=reasons,
    )
    return calls.with_cookies(reply)


def _require_accounts(context: ViewContext, title: Title) -> None:
    if not context.reader.is_writable:
        raise ViewError(404, "reader-special-unbuilt", context.plain(title.text))


def _next_url(context: ViewContext) -> str:
    """Return the URL of the page in ``returnto``, or of the main page."""
    text = context.param("returnto")
    page = context.site.titles.try_parse(text) if text else None
    is_local = page and not page.interwiki and page.ns != SPECIAL
    return context.url(page if page and is_local else context.site.main_page)


_PER_PAGE = 100


class Account(NamedTuple):
    """An account in the list, and the names of its groups."""

    row: UserRow
    groups: list[str]


def show_users(context: ViewContext, title: Title) -> Reply:
    """Show the accounts from the name in ``from`` on. Two queries.

    ``prefix`` limits them to names that begin with it; ``group`` or the subpage, to a group.
    """
    now = compact(context.site.clock())
    every_group = explicit_groups(context.site)
    group = context.param("group") or title.dbkey.partition("/")[2]
    group = group if group in every_group else ""
    prefix, start = _name_param(context, "prefix"), _name_param(context, "from")
    conditions = [*bounds.with_prefix(User.user_name, prefix)]
    if start:
        conditions.append(User.user_name >= start)
    if group:
        conditions.append(in_groups(context.db, [group], now))
    query = users.SELECT_USERS.where(*conditions) if conditions else users.SELECT_USERS
    rows = context.db.execute(query.order_by(User.user_name).limit(_PER_PAGE + 1))
    accounts = [users.read(row) for row in rows]
    groups = users.groups(context.db, [row.user_id for row in accounts[:_PER_PAGE]])
    listed = [
        Account(row, [one.group for one in groups.get(row.user_id, ()) if one.is_in_force(now)])
        for row in accounts[:_PER_PAGE]
    ]
    kept = {"group": group, "prefix": prefix}
    kept = {name: value for name, value in kept.items() if value}
    following = {**kept, "from": accounts[_PER_PAGE].name} if accounts[_PER_PAGE:] else None
    return context.render(
        "listusers.html",
        context.text("special-listusers"),
        people=[account.row.name for account in listed],
        every_group=every_group,
        group=group,
        prefix=prefix,
        listed=listed,
        first=context.special("ListUsers", **kept) if start else "",
        following=context.special("ListUsers", **following) if following else "",
    )


def _name_param(context: ViewContext, param: str) -> str:
    return context.site.titles.capitalise(context.param(param).replace("_", " ").strip())
