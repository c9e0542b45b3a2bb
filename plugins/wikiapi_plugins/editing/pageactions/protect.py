"""``action=protect``."""

from __future__ import annotations

from wikiapi.api import Arr, Obj, iso
from wikiapi.errors import ApiError
from wikiapi.i18n import Message, Plain
from wikiapi.store import PageRow
from wikiapi.store.expiry import INFINITY
from wikiapi.title import FILE
from wikiapi_plugins.editing.action import WriteAction, refuse
from wikiapi_plugins.editing.expiry import future_expiry
from wikiapi_plugins.editing.pages import current_page
from wikiapi_plugins.editing.protecting import CREATE, LEVELS, TYPES, Protection, Protector
from wikiapi_plugins.query.titleorid import title_or_id

_EVERYONE = "all"


class Protect(WriteAction):
    """Protects a page against actions, or a title against being created."""

    def perform(self) -> None:
        """Set the protection, and put the new one into the result.

        Raises:
            ApiError: the protection is not valid, or the user may not set it.
        """
        page = current_page(self, title_or_id(self))
        self.check_allowed("protect", page.title, page.row)
        if page.row is not None and self.reasons_against("edit", page.title, page.row):
            refuse([Message("protect-cantedit")])
        wanted = self._wanted(page.row)
        protector = Protector(self, page, self.p.text("reason"), self.p.texts("tags"))
        protector.protect(wanted, cascade=self.p.flag("cascade"))
        self.watch([page.title], "watchdefault")
        data = Obj({"title": page.title.prefixed_text, "reason": self.p.text("reason")})
        if self.p.flag("cascade"):
            data["cascade"] = True
        data["protections"] = Arr([_shown(one) for one in wanted], "protection")
        self.result.set((), self.name, data)

    def _wanted(self, row: PageRow | None) -> list[Protection]:
        given = self.p.texts("protections")
        expiries = self.p.texts("expiry")
        if len(expiries) == 1:
            expiries *= len(given)
        if len(expiries) != len(given):
            counts = (len(self.p.texts("expiry")), len(given))
            raise ApiError.of("toofewexpiries", "apierror-toofewexpiries", *counts)
        pairs = zip(given, expiries, strict=True)
        return list({one.type: one for one in (self._one(*pair, row) for pair in pairs)}.values())

    def _one(self, text: str, expiry: str, row: PageRow | None) -> Protection:
        kind, _, level = text.partition("=")
        if row is not None and kind == CREATE:
            raise ApiError.of("create-titleexists", "apierror-create-titleexists")
        if row is None and kind != CREATE:
            raise ApiError.of("missingtitle-createonly", "apierror-missingtitle-createonly")
        is_file = row is not None and row.namespace == FILE
        if kind != CREATE and (kind not in TYPES or (kind == "upload" and not is_file)):
            message = Message("apierror-protect-invalidaction", (Plain(kind),))
            raise ApiError(message, "protect-invalidaction")
        if level not in LEVELS and level != _EVERYONE:
            message = Message("apierror-protect-invalidlevel", (Plain(level),))
            raise ApiError(message, "protect-invalidlevel")
        return Protection(
            kind, "" if level == _EVERYONE else level, future_expiry(expiry, self.context.now)
        )


def _shown(one: Protection) -> Obj:
    end = "infinite" if one.expiry == INFINITY else iso(one.expiry)
    return Obj({one.type: one.level, "expiry": end})
