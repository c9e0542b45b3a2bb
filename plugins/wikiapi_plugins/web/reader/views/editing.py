"""``action=edit`` and ``action=submit`` on a writable wiki: the form for a page or section.

The fields have the same names as in MediaWiki. On a read-only wiki, ``action=edit`` shows the
source of the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from wikiapi.http import ApiCalls, Reply
from wikiapi.title import Title, default_model
from wikiapi_plugins.web.darkmode import with_dark_mode_rules
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.reader.errors import ViewError
from wikiapi_plugins.web.reader.views.errors import show_missing
from wikiapi_plugins.web.replies import redirect_reply

_NEW = "new"


@dataclass(frozen=True, slots=True)
class Current:
    """A page or section as it is now, for the user who wants to edit it.

    ``revision`` is 0 if the page does not exist; ``refusals`` are the reasons why the user may not
    edit it.
    """

    text: str
    revision: int
    now: str
    model: str
    token: str
    is_anonymous: bool
    refusals: Sequence[str]


@dataclass(frozen=True, slots=True)
class Form:
    """The fields of the form, as the user has filled them in."""

    text: str
    summary: str = ""
    heading: str = ""
    section: str = ""
    base: int = 0
    started: str = ""
    is_minor: bool = False
    is_watched: bool = False


def show_edit(context: ViewContext, title: Title) -> Reply:
    """Show the form for a page, or its source if it cannot be edited.

    Raises:
        ViewError: the section or revision does not exist.
    """
    if not context.reader.is_writable:
        return show_source(context, title)
    calls = context.api_calls()
    section = context.param("section")
    current = _current(context, calls, title, section)
    if current.refusals:
        stored = context.requested_revision(title)
        return context.render(
            "source.html",
            context.phrase("source-of", context.named(title)),
            title=title,
            view="source",
            status=200 if stored else 403,
            stored=stored,
            text=stored.visible_text if stored else "",
            written=context.language_of(title, stored.model if stored else default_model(title)),
            refusals=current.refusals,
        )
    form = Form(current.text, section=section, base=current.revision, started=current.now)
    return calls.with_cookies(_show_form(context, title, current, form))


def submit_edit(context: ViewContext, title: Title) -> Reply:
    """Save the form, or show it again with a preview, its changes or the errors.

    Raises:
        ViewError: the section does not exist.
    """
    if context.request.method != "POST" or not context.reader.is_writable:
        return show_edit(context, title)
    calls, form = context.api_calls(), _form(context)
    if "wpPreview" in context.request.params or "wpDiff" in context.request.params:
        current = _current(context, calls, title, "")
        if "wpDiff" in context.request.params:
            reply = _show_form(context, title, current, form, changes=_changes(calls, title, form))
        else:
            preview = _preview(calls, title, current, form)
            reply = _show_form(context, title, current, form, preview=preview)
        return calls.with_cookies(reply)
    heading = form.heading or None if form.section == _NEW else None
    watching = {"watchlist": "watch"} if form.is_watched else {}
    answer = calls.post(
        action="edit",
        title=title.prefixed_text,
        text=form.text,
        summary=form.summary,
        section=form.section or None,
        sectiontitle=heading,
        minor=form.is_minor,
        notminor=not form.is_minor,
        baserevid=form.base or None,
        starttimestamp=form.started or None,
        createonly=not form.base and form.section != _NEW,
        token=context.param("wpEditToken"),
        **watching,
    )
    if not answer.codes:
        anchor = "" if form.section != _NEW else f"#{form.heading.replace(' ', '_')}"
        return calls.with_cookies(redirect_reply(context.url(title, **_SHOWN) + anchor, 303))
    current = _current(context, calls, title, "")
    if "editconflict" in answer.codes:
        return calls.with_cookies(_show_conflict(context, calls, title, current, form))
    reply = _show_form(context, title, current, form, reasons=answer.reasons)
    return calls.with_cookies(reply)


_SHOWN: Mapping[str, str] = {"redirect": "no"}
"""The query after saving: a redirect that was edited is shown and not followed."""


def _form(context: ViewContext) -> Form:
    params = context.request.params
    return Form(
        context.param("wpTextbox1").replace("\r\n", "\n"),
        context.param("wpSummary"),
        context.param("wpSectionTitle"),
        context.param("wpSection"),
        context.number("editRevId") or 0,
        context.param("wpStarttime"),
        "wpMinoredit" in params,
        "wpWatchthis" in params,
    )


def _current(context: ViewContext, calls: ApiCalls, title: Title, section: str) -> Current:
    """Return a page or section as it is now, with a token.

    Raises:
        ViewError: the section or revision does not exist.
    """
    old = context.number("oldid") if context.request.method != "POST" else None
    which = {"revids": old} if old else {"titles": title.prefixed_text}
    in_section = {"rvsection": section} if section and section != _NEW else {}
    answer = calls.post(
        action="query",
        meta="tokens|userinfo",
        prop="info|revisions",
        rvprop="ids|content|contentmodel",
        rvslots="main",
        intestactions="edit",
        intestactionsdetail="full",
        curtimestamp=True,
        **which,
        **in_section,
    )
    query = answer.data.get("query", {})
    page: Mapping[str, Any] = next(iter(query.get("pages", ())), {})
    if answer.codes or not page:
        raise ViewError(404, "reader-no-such-section")
    revision: Mapping[str, Any] = next(iter(page.get("revisions", ())), {})
    slot = revision.get("slots", {}).get("main", {})
    if "nosuchsection" in slot:
        raise ViewError(404, "reader-no-such-section")
    return Current(
        "" if section == _NEW else slot.get("content", ""),
        page.get("lastrevid", 0),
        answer.data["curtimestamp"],
        page.get("contentmodel", "wikitext"),
        query["tokens"]["csrftoken"],
        query["userinfo"].get("anon", False),
        [error["text"] for error in page.get("actions", {}).get("edit", ())],
    )


def _preview(calls: ApiCalls, title: Title, current: Current, form: Form) -> str:
    """Return the HTML of the page or section that would be saved."""
    text = f"== {form.heading} ==\n\n{form.text}" if form.heading else form.text
    answer = calls.post(
        action="parse",
        title=title.prefixed_text,
        text=text,
        contentmodel=current.model,
        prop="text",
        pst=True,
        preview=True,
        sectionpreview=bool(form.section),
        disableeditsection=True,
        disabletoc=True,
    )
    html: str = answer.data.get("parse", {}).get("text", "")
    return with_dark_mode_rules(html)


def _changes(calls: ApiCalls, title: Title, form: Form) -> str:
    """Return the difference from the edited revision, as rows of an HTML table."""
    to: dict[str, Any] = {"toslots": "main", "totext-main": form.text, "topst": True}
    if form.section == _NEW:
        return ""
    if form.base:
        to |= {"fromrev": form.base, "torev": form.base}
        if form.section:
            to["tosection-main"] = form.section
    else:
        to |= {"fromslots": "main", "fromtext-main": "", "fromtitle": title.prefixed_text}
    answer = calls.post(action="compare", prop="diff", **to)
    rows: str = answer.data.get("compare", {}).get("body", "")
    return rows


def _show_conflict(
    context: ViewContext, calls: ApiCalls, title: Title, current: Current, form: Form
) -> Reply:
    """Show the form with the page as others have saved it, and the user's own text below it."""
    differences = ""
    if not form.section:
        own = replace(form, base=current.revision)
        differences = _changes(calls, title, own)
    again = replace(form, text=current.text, section="", base=current.revision, started=current.now)
    return _show_form(context, title, current, again, changes=differences, own_text=form.text)


def _show_form(
    context: ViewContext,
    title: Title,
    current: Current,
    form: Form,
    *,
    preview: str | None = None,
    changes: str | None = None,
    reasons: Sequence[str] = (),
    own_text: str | None = None,
) -> Reply:
    name = context.named(title)
    if not current.revision:
        heading = context.phrase("creating", name)
    elif form.section:
        heading = context.phrase("editing-section", name)
    else:
        heading = context.phrase("editing", name)
    return context.render(
        "edit.html",
        heading,
        title=title,
        view="source",
        current=current,
        written=context.language_of(title, current.model),
        form=form,
        is_new_section=form.section == _NEW,
        preview=None if preview is None else context.with_mount_point(preview),
        changes=None if changes is None else Markup(changes),  # noqa: S704
        reasons=reasons,
        own_text=own_text,
    )


def show_source(context: ViewContext, title: Title) -> Reply:
    """Show the source of a page or revision.

    Raises:
        ViewError: its text is suppressed.
    """
    stored = context.requested_revision(title)
    if stored is None:
        return show_missing(context, title)
    return context.render(
        "source.html",
        context.phrase("source-of", context.named(stored.title)),
        title=stored.title,
        view="source",
        is_cacheable=True,
        stored=stored,
        text=stored.visible_text,
        written=context.language_of(stored.title, stored.model, stored.row.language),
        refusals=(),
    )
