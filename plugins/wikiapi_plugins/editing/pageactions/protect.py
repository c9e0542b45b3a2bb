"""``action=protect``: protecting pages and titles, with the revision and log entry of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

from wikiapi.api import (
    PAGE,
    REASON,
    TAGS,
    WATCH_PAGE,
    WATCHLIST,
    Arr,
    CurrentPage,
    Module,
    Obj,
    WriteAction,
    boolean,
    current_page,
    iso,
    moment_of,
    string,
    title_or_id,
)
from wikiapi.errors import ApiError
from wikiapi.expiry import INFINITY, future_expiry, is_in_force
from wikiapi.languages import Message, Plain, direction_mark
from wikiapi.pages import Changelog, NewText, PageWriter, cut_comment, tag_change
from wikiapi.store import Comments, PageRow, next_id
from wikiapi.store.models import PageRestrictions, ProtectedTitles
from wikiapi.store.queries import protection
from wikiapi.title import FILE

_EVERYONE = "all"


CREATE, EDIT = "create", "edit"
TYPES = (EDIT, "move", "upload")
"""Actions against which existing pages can be protected."""


@dataclass(frozen=True, slots=True)
class Protection:
    """The protection against one action.

    An empty level means that there is none. ``expiry`` is 14 digits or ``infinity``.
    """

    type: str
    level: str
    expiry: str = INFINITY


class Protector:
    """Changes the protection of one page. Call it in a transaction."""

    def __init__(
        self, module: Module, page: CurrentPage, reason: str, tags: Sequence[str] = ()
    ) -> None:
        """Change the protection of a page; the reason and tags are for the log."""
        self._module, self._db = module, module.db
        self._page, self._reason, self._tags = page, reason, tags
        self._changelog = Changelog(module.context.performer)

    def protect(self, protections: Iterable[Protection], *, cascade: bool) -> bool:
        """Replace the protection of the page, and return whether it cascades.

        Nothing is recorded if it is the same already; ``cascade`` is returned then. Otherwise only
        the levels that may cascade do.
        """
        in_force = [one for one in protections if one.level]
        if self._page.row is None:
            is_change = self._protect_title(in_force, asks_to_cascade=cascade)
            return cascade and not is_change
        is_cascading = cascade and any(
            one.type == EDIT and one.level in self._module.site.config.permissions.cascading_levels
            for one in in_force
        )
        is_change = self._protect_page(
            self._page.row, in_force, cascade=is_cascading, asks_to_cascade=cascade
        )
        return is_cascading if is_change else cascade

    def _protect_page(
        self,
        row: PageRow,
        protections: list[Protection],
        *,
        cascade: bool,
        asks_to_cascade: bool,
    ) -> bool:
        """Replace the protection of a page that exists; return whether it was another one.

        As in MediaWiki, one that does not cascade is another one if the request asks for that,
        though its levels may not.
        """
        before = protection.of_pages(self._db, [row.page_id]).get(row.page_id, [])
        now = self._changelog.moment
        old_rows = {
            (one.type, one.level, one.expiry, one.cascade)
            for one in before
            if is_in_force(one.expiry, now)
        }
        rows = {
            (one.type, one.level, one.expiry, int(cascade and one.type == EDIT))
            for one in protections
        }
        did_cascade = any(cascaded for *_, cascaded in old_rows)
        if rows == old_rows and (not protections or asks_to_cascade == did_cascade):
            return False
        removed = PageRestrictions.delete().where(PageRestrictions.pr_page == row.page_id)
        self._db.execute_write(removed)
        first = next_id(self._db, PageRestrictions.pr_id)
        columns = ("pr_id", "pr_page", "pr_type", "pr_level", "pr_expiry", "pr_cascade")
        self._db.insert_many(
            PageRestrictions,
            [
                (first + n, row.page_id, one.type, one.level, one.expiry,
                 int(cascade and one.type == EDIT))
                for n, one in enumerate(protections)
            ],
            columns,
        )  # fmt: skip
        action = _action(is_protected=bool(old_rows), stays_protected=bool(protections))
        page = self._page
        step = NewText(
            "",
            page.model,
            self._summary(action, protections, cascade=cascade),
            is_minor=True,
            skips_recent_changes=True,
            tags=tuple(self._tags),
            counts_for_author=False,
            is_null=True,
        )
        saved = PageWriter(self._module.context.performer).save(page.title, row, step)
        details = [
            {
                "type": one.type,
                "level": one.level,
                "expiry": one.expiry,
                "cascade": cascade and one.type == EDIT,
            }
            for one in protections
        ]
        self._log(
            action,
            protections,
            details,
            cascade=cascade,
            revision_id=saved.revision_id,
            rows=range(first, first + len(protections)),
        )
        return True

    def _protect_title(self, protections: list[Protection], *, asks_to_cascade: bool) -> bool:
        """Replace the protection of a page that does not exist; return whether it was another."""
        title = self._page.title
        before = protection.of_titles(self._db, [title.key]).get(title.key)
        now = self._changelog.moment
        if before and not is_in_force(before.expiry, now):
            before = None
        level = protections[0] if protections else None
        is_so = tuple(before) == (level.level, level.expiry) if before and level else False
        if (is_so and not asks_to_cascade) or (before is None and level is None):
            return False
        removed = ProtectedTitles.delete().where(
            ProtectedTitles.pt_namespace == title.ns, ProtectedTitles.pt_title == title.dbkey
        )
        self._db.execute_write(removed)
        if level:
            reason = cut_comment(self._reason)
            reason_id = Comments(self._db).ids([reason])[reason]
            user = self._module.context.user.id
            row = (*title.key, user, reason_id, now, level.expiry, level.level)
            self._db.insert_many(ProtectedTitles, [row])
        action = _action(is_protected=before is not None, stays_protected=level is not None)
        details = [
            {"type": one.type, "level": one.level, "expiry": one.expiry} for one in protections
        ]
        self._log(action, protections, details, cascade=False)
        return True

    def _log(
        self,
        action: str,
        protections: list[Protection],
        details: list[dict[str, Any]],
        *,
        cascade: bool,
        revision_id: int = 0,
        rows: Iterable[int] = (),
    ) -> None:
        mark = direction_mark(self._module.site.language)
        params = {} if action == "unprotect" else {
            "4::description": "".join(
                f"{mark}[{one.type}={one.level}] ({self._until(one)})"
                for one in protections
            ),
            "5:bool:cascade": cascade,
            "details": details,
        }  # fmt: skip
        entry_id = self._changelog.add_entry(
            "protect",
            action,
            self._page.title,
            page_id=self._page.row.page_id if self._page.row else 0,
            reason=self._reason,
            params=params,
            revision_id=revision_id,
            relations={"pr_id": list(rows)},
        )
        tag_change(self._db, self._tags, log_id=entry_id)

    def _summary(self, action: str, protections: list[Protection], *, cascade: bool) -> str:
        say, user = self._module.site.messages.content_text, self._module.context.user
        summary = say(_SUMMARIES[action], self._page.title.prefixed_text, user.name)
        if self._reason:
            summary += f"{say('colon-separator')}{self._reason}"
        space = say("word-separator")
        if protections:
            details = space.join(
                say(
                    "protect-summary-desc",
                    say(f"restriction-{one.type}"),
                    self._level(one.level),
                    self._until(one),
                )
                for one in protections
            )
            summary += space + say("parentheses", Plain(details))
        if cascade:
            summary += space + say("brackets", Plain(say("protect-summary-cascade")))
        return summary

    def _level(self, level: str) -> str:
        """Return who may act on a page with this level of protection, in words."""
        messages, key = self._module.site.messages, f"protect-level-{level}"
        if messages.find(key, self._module.site.language):
            return messages.content_text(key)
        return messages.content_text("protect-fallback", level)

    def _until(self, one: Protection) -> str:
        site = self._module.site
        say = site.messages.content_text
        if one.expiry == INFINITY:
            return say("protect-expiry-indefinite")
        usual = partial(site.usual_time, moment=moment_of(one.expiry), language=site.language)
        return say("protect-expiring", usual("both"), usual("date"), usual("time"))


_SUMMARIES: Mapping[str, str] = MappingProxyType(
    {
        "modify": "modifiedarticleprotection-comment",
        "protect": "protectedarticle-comment",
        "unprotect": "unprotectedarticle-comment",
    }
)
"""Keys of texts."""


def _action(*, is_protected: bool, stays_protected: bool) -> str:
    if not stays_protected:
        return "unprotect"
    return "modify" if is_protected else "protect"


class Protect(WriteAction):
    """Change the protection of a page."""

    name = "protect"
    position = 29
    params = (
        *PAGE,
        string(
            "protections", "Levels by action, such as ``edit=sysop``.", multi=True, required=True
        ),
        string(
            "expiry",
            "When each protection ends.",
            default="infinite",
            multi=True,
            allow_duplicates=True,
        ),
        REASON,
        TAGS,
        boolean("cascade", "Protect the transcluded pages as well."),
        WATCH_PAGE,
        *WATCHLIST,
    )
    examples = (
        (
            "action=protect&title=Main%20Page&token=123ABC&protections=edit=sysop|move=sysop&cascade=&expiry=20070901163000|never",
            "Protect a page",
        ),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Protect",)

    def perform(self) -> None:
        """Set the protection, and put the new one into the result.

        Raises:
            ApiError: the protection is not valid, or the user may not set it.
        """
        page = current_page(self, title_or_id(self))
        self.check_allowed("protect", page.title, page.row)
        protections = self._protections(page.row)
        protector = Protector(self, page, self.p.text("reason"), self.p.texts("tags"))
        # The last level that is given for an action is in force, but the answer has all of them.
        in_force = {one.type: one for one in protections}.values()
        is_cascading = protector.protect(in_force, cascade=self.p.flag("cascade"))
        self.watch([page.title], "watchdefault")
        data = Obj({"title": page.title.prefixed_text, "reason": self.p.text("reason")})
        if is_cascading:
            data["cascade"] = True
        # As in MediaWiki, the level of an action without "=" is null.
        without_level = {text for text in self.p.texts("protections") if "=" not in text}
        items = [
            Obj(
                {
                    one.type: None if one.type in without_level else one.level,
                    "expiry": "infinite" if one.expiry == INFINITY else iso(one.expiry),
                }
            )
            for one in protections
        ]
        data["protections"] = Arr(items, "protection")
        self.result.set((), self.name, data)

    def _protections(self, row: PageRow | None) -> list[Protection]:
        protections = self.p.texts("protections")
        expiries = self.p.texts("expiry")
        if len(expiries) == 1:
            expiries *= len(protections)
        if len(expiries) != len(protections):
            counts = (len(self.p.texts("expiry")), len(protections))
            raise ApiError("toofewexpiries", "apierror-toofewexpiries", *counts)
        pairs = zip(protections, expiries, strict=True)
        return [self._parse_protection(*pair, row) for pair in pairs]

    def _parse_protection(self, text: str, expiry: str, row: PageRow | None) -> Protection:
        kind, _, rest = text.partition("=")
        # As in MediaWiki, what follows a second sign is ignored.
        level = rest.partition("=")[0]
        if row is not None and kind == CREATE:
            raise ApiError("create-titleexists", "apierror-create-titleexists")
        if row is None and kind != CREATE:
            raise ApiError("missingtitle-createonly", "apierror-missingtitle-createonly")
        is_file = row is not None and row.namespace == FILE
        if kind != CREATE and (kind not in TYPES or (kind == "upload" and not is_file)):
            message = Message("apierror-protect-invalidaction", (Plain(kind),))
            raise ApiError("protect-invalidaction", message)
        if level not in ("", _EVERYONE, *self.site.config.permissions.protection_levels):
            message = Message("apierror-protect-invalidlevel", (Plain(level),))
            raise ApiError("protect-invalidlevel", message)
        return Protection(
            kind, "" if level == _EVERYONE else level, future_expiry(expiry, self.context.now)
        )
