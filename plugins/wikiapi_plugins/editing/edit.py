"""``action=edit``."""

from __future__ import annotations

import hashlib
import time
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from wikiapi.accounts import option
from wikiapi.api import (
    ACCOUNT_RETURN,
    CSRF_TOKEN,
    PAGE,
    TAGS,
    UNWATCH_PAGE,
    WATCH_PAGE,
    WATCHLIST,
    CurrentPage,
    Obj,
    Outdated,
    WriteAction,
    boolean,
    current_page,
    enum,
    integer,
    iso,
    string,
    text,
    timestamp,
    title_or_id,
)
from wikiapi.errors import ApiError, StoreBusy
from wikiapi.expiry import INFINITY
from wikiapi.languages import Message, Num, Plain, plain_list
from wikiapi.pages import (
    DerivedData,
    NewText,
    PageWriter,
    Reverted,
    Saved,
    automatic_summary,
    automatic_tags,
    reverts,
)
from wikiapi.store import CompiledQuery, NamedTurns, PageRow, sha1_base36
from wikiapi.store.models import Actor, Archive, Logging, Revision
from wikiapi.store.queries import pages, revisions, texts
from wikiapi.title import WIKITEXT, Title, default_model
from wikiapi.wikitext import byte_length, section_text, trim
from wikiapi_plugins.editing.texts import (
    NEW,
    add_section,
    is_section_id,
    merge,
    plain_heading,
    replace_section,
    stored_text,
    undone,
    without_equals_signs,
)
from wikiapi_plugins.wikitext.contentmodels.names import content_formats, content_models

_TEXTS = ("text", "appendtext", "prependtext")
_REVERTS_WITHIN = 15
"""An edit is a manual revert if it restores the text of one of this many earlier revisions."""
_LATEST_REVISIONS = CompiledQuery(
    lambda page_id: (
        Revision.select(Revision.rev_id, Revision.rev_len, Revision.rev_sha1)
        .where(Revision.rev_page == page_id)
        .order_by(Revision.rev_timestamp.desc(), Revision.rev_id.desc())
        .limit(_REVERTS_WITHIN + 1)
    )
)

_EDITS = NamedTurns()
"""Edits of one page wait for each other."""
_PATIENCE = 2.0
"""Seconds to wait for other edits of the same page, which then are found to be in the way."""


class _PreparedEdit(NamedTuple):
    """An edit that is ready to be saved: the page as it was then, and the text.

    ``model`` is the stored content model; ``redirect`` is the title of the redirect that led to the
    page.
    """

    page: CurrentPage
    new: NewText
    model: str
    redirect: Title | None

    @property
    def changes_nothing(self) -> bool:
        """Whether the page has this text already."""
        page = self.page
        return page.row is not None and (page.text, self.model) == (self.new.text, self.new.model)


class Edit(WriteAction):
    """Create and edit pages."""

    name = "edit"
    spreads_blocks = True
    position = 33
    shares_writing = True
    params = (
        *PAGE,
        string("section", "Section: ``0`` for the lead, ``new`` for a new one."),
        string("sectiontitle", "Heading of a new section."),
        text("text", "Content of the page."),
        string("summary", "Edit summary, and heading of a new section without one."),
        TAGS,
        boolean("minor", "Mark the edit as minor."),
        boolean("notminor", "Do not mark it as minor, whatever the preferences say."),
        boolean("bot", "Mark the edit as a bot's."),
        integer("baserevid", "Revision that the edit is based on, to detect conflicts."),
        timestamp("basetimestamp", "Time of that revision, to detect conflicts."),
        timestamp("starttimestamp", "When editing began, to detect conflicts."),
        boolean("recreate", "Ignore that the page was deleted in the meantime."),
        boolean("createonly", "Do nothing if the page exists."),
        boolean("nocreate", "Do nothing if the page does not exist."),
        WATCH_PAGE,
        UNWATCH_PAGE,
        *WATCHLIST,
        string("md5", "MD5 hash of the text; the edit fails if it does not match."),
        text("prependtext", "Text to put at the beginning of the page."),
        text("appendtext", "Text to put at the end of the page or section."),
        integer("undo", "Revision to undo.", minimum=0, enforce=True, announce=False),
        integer(
            "undoafter",
            "Undo all revisions after this one, up to ``undo``.",
            minimum=0,
            enforce=True,
            announce=False,
        ),
        boolean("redirect", "Follow redirects."),
        enum("contentformat", choices=content_formats, help="Serialisation of the text."),
        enum("contentmodel", choices=content_models, help="Content model of the text."),
        CSRF_TOKEN,
        *ACCOUNT_RETURN,
    )
    examples = (
        (
            "action=edit&title=Test&summary=test%20summary&text=article%20content&baserevid=1234567&token=123ABC",
            "Edit a page",
        ),
        (
            "action=edit&title=Test&prependtext=__NOTOC__%0A&token=123ABC",
            "Put a behaviour switch at the beginning of a page",
        ),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Edit",)

    def prepare(self) -> None:
        """Check the request, and make the text to save from it and the present page.

        Raises:
            ApiError: the text cannot be saved.
        """
        sources = (*_TEXTS, "undo")
        if not any(self.p.is_given(name) for name in sources):
            names = [self.full(name) for name in sources]
            params = (plain_list(names), Num(len(names)))
            raise ApiError("missingparam", "apierror-missingparam-at-least-one-of", *params)
        title = title_or_id(self)
        self._wait_for_others(title)
        page, redirect = self._page(title)
        model = self.p.text_or_none("contentmodel") or page.model
        form = self.p.text_or_none("contentformat")
        models = self.site.content_models
        if model in models and form and form not in models[model].formats:
            message = Message("apierror-badformat", (form, model, page.title.prefixed_text))
            raise ApiError("badformat", message)
        if self.p.flag("createonly") and page.row:
            raise ApiError("articleexists", "apierror-articleexists")
        if self.p.flag("nocreate") and page.row is None:
            raise ApiError("missingtitle", "apierror-missingtitle")
        self.check_allowed("edit", page.title, page.row)
        self._check_section(page)
        new = self._new_text(page._replace(model=model))
        if new.model != page.model:
            if not self.context.user.can("editcontentmodel"):
                raise ApiError("cantchangecontentmodel", "apierror-cantchangecontentmodel")
            self.check_allowed("edit", page.title, page.row, new.model)
        typed = new.text.rstrip()
        new = self._merged(page, self._transformed(page, new))
        old_model = new.model
        if page.row is not None:
            old_model = page.row.content_model or default_model(page.title)
        self._prepared = _PreparedEdit(page, new, old_model, redirect)
        if not self._prepared.changes_nothing:
            described = self._described(page, new, typed, old_model)
            self._prepared = self._prepared._replace(new=described)

    def _wait_for_others(self, title: Title) -> None:
        """Let edits of one page be prepared one after the other, so that each fits the last one."""
        ends = time.monotonic() + _PATIENCE
        with suppress(StoreBusy):
            self.held.enter_context(_EDITS.turn((self.db, title.key), ends))

    def perform(self) -> None:
        """Save the text and put the outcome into the result.

        Raises:
            Outdated: somebody else has changed the page.
        """
        page, new, old_model, redirect = self._prepared
        writer = PageWriter(self.context.performer)
        row = writer.find(page.title)
        if _version(row) != _version(page.row):
            raise Outdated
        if redirect is not None:
            pair = {"from": redirect.prefixed_text, "to": page.title.prefixed_text}
            self.result.set((), "redirects", Obj(pair))
        saved = None
        if self._prepared.changes_nothing:
            DerivedData(self.site).touch_page(page.title)
        else:
            saved = writer.save(page.title, row, new)
            if old_model != new.model:
                models = (old_model, new.model)
                writer.log_model_change(page.title, saved.page_id, models, new.reason)
        preferences = ("watchdefault",) if page.row else ("watchdefault", "watchcreations")
        watched_until = self.watch([page.title], *preferences)
        self._answer(page, new, saved, watched_until)

    # Reading the request

    def _page(self, title: Title) -> tuple[CurrentPage, Title | None]:
        """Return the page to edit, and the title of the redirect that leads to it."""
        page = current_page(self, title)
        if not self.p.flag("redirect"):
            return page, None
        adds = self.p.is_given("prependtext") or self.p.is_given("appendtext")
        if not adds and self.p.text_or_none("section") != NEW:
            raise ApiError("redirect-appendonly", "apierror-redirect-appendonly")
        if page.row is None or not page.row.is_redirect:
            return page, None
        target = self.site.redirects.target(page.text or "")
        if target is None:
            return page, None
        names = title.prefixed_text, target.full_text
        if target.interwiki or target.ns < 0:
            raise ApiError(
                "edit-invalidredirect",
                "apierror-edit-invalidredirect",
                *map(Plain, names),
                data={"redirects": {"from": names[0], "to": names[1]}},
            )
        return current_page(self, target), title

    def _check_section(self, page: CurrentPage) -> None:
        """Raise an error unless the page can have the section that the request names."""
        section = self.p.text_or_none("section") or ""
        if section and not is_section_id(section):
            raise ApiError("invalidsection", "apierror-invalidsection")
        if section and page.model != WIKITEXT:
            adds = self.p.is_given("appendtext") or self.p.is_given("prependtext")
            if section not in ("0", NEW) and not adds:
                raise ApiError("nosuchsection", "apierror-nosuchsection", section)
            raise ApiError("sectionsnotsupported", "apierror-sectionsnotsupported", page.model)

    def _new_text(self, page: CurrentPage) -> NewText:
        """Return the text to save, before conflicts are checked, and how to record it."""
        section = self.p.text_or_none("section") or ""
        summary = without_equals_signs(self.p.text_or_none("summary") or "")
        tags = self.p.texts("tags")
        model, reverted = page.model, None
        if self.p["undo"]:
            undo_after = self.p.number_or_none("undoafter") or 0
            undo = undone(self, page, self.p.number("undo"), undo_after)
            text, model, reverted = undo.text, undo.model, undo.reverted
            summary = summary or undo.summary
            tags = (*tags, reverts.UNDO)
        else:
            text = self._submitted_text(page, section)
        digest = self.p.text_or_none("md5")
        if digest is not None and digest != self._digest():
            raise ApiError("badmd5", "apierror-badmd5")
        if section == NEW:
            if page.row is not None and not trim(text):
                raise ApiError("missingcommenttext", "missingcommenttext")
            heading = self.p.text_or_none("sectiontitle")
            heading = summary if heading is None else without_equals_signs(heading)
            if model == WIKITEXT:
                text = add_section(page.text or "", heading, text)
            has_own_summary = self.p.text_or_none("summary") and self.p.is_given("sectiontitle")
            if heading and not has_own_summary:
                message, name = "newsectionsummary", Plain(plain_heading(heading))
                summary = self.site.messages.content_text(message, name)
        elif section and not self.p["undo"]:
            # Section numbers refer to the revision that the author has seen.
            replaced = replace_section(self.site.parser, self._base_text(page), section, text)
            if replaced is None:
                raise ApiError("nosuchsection", "apierror-nosuchsection", section)
            text = replaced
        prefers = bool(option(self.context.user, "minordefault")) and not self.p.flag("notminor")
        # New sections are not minor, and neither are new pages.
        is_new = page.row is None or section == NEW
        is_minor = (self.p.flag("minor") or prefers) and not is_new
        return NewText(
            text,
            model,
            summary,
            is_minor=is_minor and self.context.user.can("minoredit"),
            is_bot=self.p.flag("bot") and self.context.user.can("bot"),
            tags=tags,
            reverted=reverted,
        )

    def _digest(self) -> str:
        """Return the MD5 hash that the parameter ``md5`` must have.

        It is that of what is added to the page, if anything is, and else of the text.
        """
        added = [self.p.text_or_none(name) for name in ("prependtext", "appendtext")]
        text = "".join(part or "" for part in added)
        if added == [None, None]:
            text = self.p.text_or_none("text") or ""
        return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()

    def _submitted_text(self, page: CurrentPage, section: str) -> str:
        """Return the ``text`` of the request, or the present text with what it adds to it."""
        if not (self.p.is_given("appendtext") or self.p.is_given("prependtext")):
            return self.p.text_or_none("text") or ""
        if page.model != WIKITEXT and section:
            raise ApiError("sectionsnotsupported", "apierror-sectionsnotsupported", page.model)
        own: str | None = page.text or ""
        if section and section != NEW:
            own = section_text(page.text or "", section, self.site.parser.preprocessor)
            if own is None:
                raise ApiError("nosuchsection", "apierror-nosuchsection", section)
        elif section == NEW:
            own = ""
        before = self.p.text_or_none("prependtext") or ""
        after = self.p.text_or_none("appendtext") or ""
        return f"{before}{own}{after}"

    # Making the text to save

    def _described(self, page: CurrentPage, new: NewText, typed: str, old_model: str) -> NewText:
        """Return the text with the tags and the summary that are made for it.

        ``typed`` is the text as its author wrote it; ``old_model`` is the page's content model.
        """
        text = page.text if page.model == WIKITEXT else None
        before = self.site.redirects.target(text) if text else None
        after = self.site.redirects.target(typed) if new.model == WIKITEXT else None
        changes_model = old_model != new.model
        tags = automatic_tags(page.text, typed, before, after, changes_model=changes_model)
        if page.row is None:
            deleted = Archive.select(Archive.ar_id).where(
                Archive.ar_namespace == page.title.ns, Archive.ar_title == page.title.dbkey
            )
            if self.db.scalar(deleted.limit(1)) is not None:
                tags.append("mw-recreated")
        reverted = new.reverted or self._reverted_by_hand(page.row, new)
        if reverted and not new.reverted:
            tags.insert(0, reverts.MANUAL)
        summary = new.summary
        if not trim(summary):
            summary = automatic_summary(self.site, page.text, typed, before, after)
        all_tags = (*new.tags, *tags)
        return replace(new, summary=summary, reason=new.summary, tags=all_tags, reverted=reverted)

    def _transformed(self, page: CurrentPage, new: NewText) -> NewText:
        """Return the text as it is stored, with signatures and substitutions expanded.

        Raises:
            ApiError: ``contenttoobig``, before or after the text is expanded.
        """
        text = new.text.rstrip()
        self._check_size(text)
        stored = stored_text(
            self.context.performer, page.title, text, new.model, creates_page=page.row is None
        )
        if stored != text:
            self._check_size(stored)
        return replace(new, text=stored)

    def _check_size(self, text: str) -> None:
        most = self.site.config.limits.article_size
        if byte_length(text) > most:
            raise ApiError("contenttoobig", "contenttoobig", Num(most))

    def _merged(self, page: CurrentPage, new: NewText) -> NewText:
        """Return the text merged with what others have saved since its author began.

        Raises:
            ApiError: ``editconflict`` or ``pagedeleted``.
        """
        if page.row is None:
            self._check_not_deleted(page.title)
            return new
        base_id, section = self._base(page), self.p.text_or_none("section")
        if base_id == page.row.latest or self.p["undo"]:
            return new
        if section == NEW:
            # A new section conflicts with nothing but itself, sent once more.
            if self._is_latest(page.row, new.summary):
                raise ApiError("editconflict", "edit-conflict")
            return new
        base = texts.of_revisions(self.db, [base_id]).get(base_id) if base_id else None
        is_unknown = base is None and bool(self.p.number_or_none("baserevid"))
        if not section and not is_unknown and self._only_own_since(page.row):
            return new
        if base is None or base.text is None:
            raise ApiError("editconflict", "edit-conflict")
        # As in MediaWiki, the base may be a revision of another page: nothing is newer than its
        # latest one, and an earlier one is merged like any other.
        base_page = pages.by_ids(self.db, [base.page_id]).get(base.page_id)
        if base_page is not None and base_page.latest == base_id:
            return new
        text = merge(base.text, new.text, page.text or "")
        if text is None:
            raise ApiError("editconflict", "edit-conflict")
        return replace(new, text=text)

    def _base_text(self, page: CurrentPage) -> str:
        """Return the text of the edit's base revision, or of the latest if that is unknown."""
        base_id = self._base(page)
        if page.row is None or base_id == page.row.latest:
            return page.text or ""
        base = texts.of_revisions(self.db, [base_id]).get(base_id) if base_id else None
        return (base.text if base else page.text) or ""

    def _base(self, page: CurrentPage) -> int:
        """Return the id of the revision that the edit is based on; 0 if it cannot be found."""
        row = page.row
        if row is None:
            return 0
        if revision_id := self.p.number_or_none("baserevid"):
            return revision_id
        moment = self._moment("basetimestamp")
        if not moment:
            return row.latest
        query = (
            Revision.select(Revision.rev_id)
            .where(Revision.rev_page == row.page_id, Revision.rev_timestamp == moment)
            .order_by(Revision.rev_id.desc())
        )
        return int(self.db.scalar(query.limit(1)) or 0)

    def _moment(self, name: str) -> str:
        """Return the time that a parameter contains, 14 digits; empty for none, like "" and "0"."""
        is_time = self.context.request.params.get(name, "") not in ("", "0")
        return self.p.text(name) if is_time else ""

    def _is_latest(self, row: PageRow, summary: str) -> bool:
        """Return whether the latest edit is one of this user with this summary. One query."""
        latest = revisions.by_ids(self.db, [row.latest]).get(row.latest)
        author = self.context.performer.user.name
        return latest is not None and (latest.user_name, latest.comment) == (author, summary)

    def _only_own_since(self, row: PageRow) -> bool:
        """Return whether nobody else has edited the page since ``basetimestamp``. One query.

        Without that parameter, all revisions of the page count, as in MediaWiki.
        """
        if self.context.user.is_anonymous:
            return False
        moment = self._moment("basetimestamp")
        by_others = Actor.actor_user.is_null() | (Actor.actor_user != self.context.user.id)
        query = (
            Revision.select(Revision.rev_id)
            .join(Actor, on=(Actor.actor_id == Revision.rev_actor))
            .where(Revision.rev_page == row.page_id, Revision.rev_timestamp > moment, by_others)
        )
        return self.db.scalar(query.limit(1)) is None

    def _check_not_deleted(self, title: Title) -> None:
        start = self._moment("starttimestamp")
        if self.p.flag("recreate") or not start:
            return
        query = Logging.select(Logging.log_id).where(
            Logging.log_type == "delete",
            Logging.log_action == "delete",
            Logging.log_namespace == title.ns,
            Logging.log_title == title.dbkey,
            Logging.log_timestamp > start,
        )
        if self.db.scalar(query.limit(1)) is not None:
            raise ApiError("pagedeleted", "apierror-pagedeleted")

    def _reverted_by_hand(self, row: PageRow | None, new: NewText) -> Reverted | None:
        """Return the revisions that an edit reverts by restoring an earlier text, if it does."""
        if row is None:
            return None
        latest, *earlier = self.db.execute(_LATEST_REVISIONS(row.page_id)) or [(0, 0, "")]
        data = new.text.encode()
        # Few of them are as long, so that most edits need no digest here.
        for revision_id, length, digest in earlier:
            if length in (len(data), None) and digest == sha1_base36(data):
                return Reverted(revision_id, latest[0], reverts.MANUAL, is_exact=True)
        return None

    # The answer

    def _answer(
        self, page: CurrentPage, new: NewText, saved: Saved | None, watched_until: str | None
    ) -> None:
        own_id = page.row.page_id if page.row else 0
        data = Obj(
            {
                "result": "Success",
                "pageid": saved.page_id if saved else own_id,
                "title": page.title.prefixed_text,
                "contentmodel": new.model,
            }
        )
        if saved is None:
            data["nochange"] = True
        else:
            if saved.is_new_page:
                data["new"] = True
            data |= {
                "oldrevid": saved.parent_id,
                "newrevid": saved.revision_id,
                "newtimestamp": iso(saved.timestamp),
            }
        if watched_until:
            data["watched"] = True
            if watched_until != INFINITY:
                data["watchlistexpiry"] = iso(watched_until)
        self.result.set((), self.name, data)


def _version(row: PageRow | None) -> tuple[int, int] | None:
    """Return what changes with every change of a page's text; ``None`` if there is no page."""
    return None if row is None else (row.page_id, row.latest)
