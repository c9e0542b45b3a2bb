"""Protecting pages and titles, with the revision and the log entry that record it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from wikiapi.api import Module, moment_of
from wikiapi.i18n.dates import format_time_and_date
from wikiapi.store import PageRow
from wikiapi.store.expiry import INFINITY, is_in_force
from wikiapi.store.models import PageRestrictions, ProtectedTitles
from wikiapi.store.queries import protection
from wikiapi.store.write.ids import Comments, next_id
from wikiapi_plugins.editing.pages import CurrentPage
from wikiapi_plugins.editing.recording.changelog import Changelog
from wikiapi_plugins.editing.recording.tagging import tag_change
from wikiapi_plugins.editing.saving import NewText, PageWriter

CREATE, EDIT = "create", "edit"
TYPES = (EDIT, "move", "upload")
"""Actions against which existing pages can be protected."""
LEVELS = ("", "autoconfirmed", "sysop")
_CASCADING_LEVELS = ("sysop",)

_NAMES: Mapping[str, str] = MappingProxyType(
    {CREATE: "Create", EDIT: "Edit", "move": "Move", "upload": "Upload"}
)
_LEVEL_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "autoconfirmed": "Allow only autoconfirmed users",
        "sysop": "Allow only administrators",
    }
)
_LEFT_TO_RIGHT = "\u200e"


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
        self._changelog = Changelog(module.context)

    def protect(self, wanted: Iterable[Protection], *, cascade: bool) -> None:
        """Replace the protection of the page. Nothing is recorded if it is the same already."""
        in_force = [one for one in wanted if one.level]
        if self._page.row is None:
            self._protect_title(in_force)
        else:
            is_cascading = any(
                one.type == EDIT and one.level in _CASCADING_LEVELS for one in in_force
            )
            self._protect_page(self._page.row, in_force, cascade=cascade and is_cascading)

    def _protect_page(self, row: PageRow, wanted: list[Protection], *, cascade: bool) -> None:
        before = protection.of_pages(self._db, [row.page_id]).get(row.page_id, [])
        now = self._changelog.moment
        known = {
            (one.type, one.level, one.expiry, one.cascade)
            for one in before
            if is_in_force(one.expiry, now)
        }
        rows = {
            (one.type, one.level, one.expiry, int(cascade and one.type == EDIT)) for one in wanted
        }
        if rows == known:
            return
        removed = PageRestrictions.delete().where(PageRestrictions.pr_page == row.page_id)
        self._db.execute_write(removed)
        first = next_id(self._db, PageRestrictions.pr_id)
        columns = ("pr_id", "pr_page", "pr_type", "pr_level", "pr_expiry", "pr_cascade")
        self._db.insert_many(
            PageRestrictions,
            [
                (first + n, row.page_id, one.type, one.level, one.expiry,
                 int(cascade and one.type == EDIT))
                for n, one in enumerate(wanted)
            ],
            columns,
        )  # fmt: skip
        action = _action(is_protected=bool(known), stays_protected=bool(wanted))
        page = self._page
        step = NewText(
            "",
            page.model,
            self._summary(action, wanted, cascade=cascade),
            is_minor=True,
            skips_recent_changes=True,
            tags=tuple(self._tags),
            is_null=True,
        )
        saved = PageWriter(self._module.context).save(page.title, row, step)
        details = [
            {
                "type": one.type,
                "level": one.level,
                "expiry": one.expiry,
                "cascade": cascade and one.type == EDIT,
            }
            for one in wanted
        ]
        self._log(
            action,
            wanted,
            details,
            cascade=cascade,
            revision_id=saved.revision_id,
            rows=range(first, first + len(wanted)),
        )

    def _protect_title(self, wanted: list[Protection]) -> None:
        title = self._page.title
        before = protection.of_titles(self._db, [title.key]).get(title.key)
        now = self._changelog.moment
        if before and not is_in_force(before.expiry, now):
            before = None
        level = wanted[0] if wanted else None
        is_so = tuple(before) == (level.level, level.expiry) if before and level else False
        if is_so or (before is None and level is None):
            return
        removed = ProtectedTitles.delete().where(
            ProtectedTitles.pt_namespace == title.ns, ProtectedTitles.pt_title == title.dbkey
        )
        self._db.execute_write(removed)
        if level:
            reason = Comments(self._db).ids([self._reason])[self._reason]
            user = self._module.context.user.id
            row = (*title.key, user, reason, now, level.expiry, level.level)
            self._db.insert_many(ProtectedTitles, [row])
        action = _action(is_protected=before is not None, stays_protected=level is not None)
        details = [{"type": one.type, "level": one.level, "expiry": one.expiry} for one in wanted]
        self._log(action, wanted, details, cascade=False)

    def _log(
        self,
        action: str,
        wanted: list[Protection],
        details: list[dict[str, Any]],
        *,
        cascade: bool,
        revision_id: int = 0,
        rows: Iterable[int] = (),
    ) -> None:
        params = {} if action == "unprotect" else {
            "4::description": "".join(map(self._log_words, wanted)),
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

    def _log_words(self, one: Protection) -> str:
        return f"{_LEFT_TO_RIGHT}[{one.type}={one.level}] ({self._until(one)})"

    def _summary(self, action: str, wanted: list[Protection], *, cascade: bool) -> str:
        name = self._page.title.prefixed_text
        summary = _SUMMARIES[action].replace("$1", name)
        summary += f": {self._reason}" if self._reason else ""
        shown = " ".join(
            f"[{_NAMES[one.type]}={_LEVEL_NAMES[one.level]}] ({self._until(one)})" for one in wanted
        )
        summary += f" ({shown})" if shown else ""
        return f"{summary} [cascading]" if cascade else summary

    def _until(self, one: Protection) -> str:
        if one.expiry == INFINITY:
            return "indefinite"
        end = format_time_and_date(moment_of(one.expiry), self._module.site.language)
        return f"expires {end} (UTC)"


_SUMMARIES: Mapping[str, str] = MappingProxyType(
    {
        "modify": 'Changed protection settings for "[[$1]]"',
        "protect": 'Protected "[[$1]]"',
        "unprotect": 'Removed protection from "[[$1]]"',
    }
)


def _action(*, is_protected: bool, stays_protected: bool) -> str:
    if not stays_protected:
        return "unprotect"
    return "modify" if is_protected else "protect"
