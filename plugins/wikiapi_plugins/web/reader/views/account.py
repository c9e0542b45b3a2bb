"""``Special:UserLogin`` and ``Special:UserLogout`` on a writable wiki."""

from __future__ import annotations

from collections.abc import Sequence

from wikiapi.http import Reply
from wikiapi.title import SPECIAL, Title
from wikiapi_plugins.web.apicalls import ApiCalls, ApiReply
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
    return _show_form(context, calls, _reasons(context, answer))


def _reasons(context: ViewContext, answer: ApiReply) -> list[str]:
    """Return the reasons for a failed login, as messages for the user."""
    outcome = answer.data.get("login", {})
    if outcome.get("result") == "Failed":
        reason = outcome.get("reason", "")
        return [reason["text"] if isinstance(reason, dict) else str(reason)]
    return answer.reasons or [context.text("session-lost")]


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
    found = calls.post(action="query", meta="tokens|userinfo").data["query"]
    if found["userinfo"].get("anon"):
        return redirect_reply(_next_url(context))
    return context.render(
        "logout.html",
        context.text("log-out"),
        name=found["userinfo"]["name"],
        token=found["tokens"]["csrftoken"],
        returnto=context.param("returnto"),
        reasons=reasons,
    )


def _show_form(context: ViewContext, calls: ApiCalls, reasons: Sequence[str] = ()) -> Reply:
    answer = calls.post(action="query", meta="tokens", type="login")
    shown = context.render(
        "login.html",
        context.text("log-in"),
        token=answer.data["query"]["tokens"]["logintoken"],
        name=context.param("wpName"),
        returnto=context.param("returnto"),
        reasons=reasons,
    )
    return calls.with_cookies(shown)


def _require_accounts(context: ViewContext, title: Title) -> None:
    if not context.reader.is_writable:
        raise ViewError(404, "reader-special-unbuilt", context.plain(title.text))


def _next_url(context: ViewContext) -> str:
    """Return the URL of the page in ``returnto``, or of the main page."""
    text = context.param("returnto")
    page = context.site.titles.try_parse(text) if text else None
    is_local = page and not page.interwiki and page.ns != SPECIAL
    return context.url(page if page and is_local else context.site.main_page)
