"""``action=options``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from wikiapi.errors import ApiError
from wikiapi.i18n import Message, Num, Plain
from wikiapi.store.models import UserProperties
from wikiapi_plugins.editing.action import WriteAction
from wikiapi_plugins.facts import facts
from wikiapi_plugins.query.changes import watchlists
from wikiapi_plugins.query.users.preferences import default_options

_OF_SCRIPTS = "userjs-"
_LONGEST_NAME = 255
"""Bytes."""
_NOT_IN_NAMES = re.compile(r"[^a-zA-Z0-9_-]")
_WITHOUT_DEFAULT = frozenset({watchlists.OPTION})
_SPECIAL = frozenset(
    {"emailauthenticated", "emailaddress", "realname", "password", "username", "userid"}
)
"""Shown on Special:Preferences, but not stored among the preferences."""
_CHOICES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "gender": frozenset({"unknown", "female", "male"}),
        "diff-type": frozenset({"table", "inline"}),
        "editfont": frozenset({"monospace", "sans-serif", "serif"}),
        "underline": frozenset({"0", "1", "2"}),
        "date": frozenset({"default", "mdy", "dmy", "ymd", "ISO 8601"}),
    }
)
_BOUNDS: Mapping[str, range] = MappingProxyType(
    {
        "rcdays": range(1, 91),
        "rclimit": range(1, 1001),
        "searchlimit": range(1, 501),
        "watchlistdays": range(1, 91),
        "wllimit": range(1, 1001),
    }
)
_NUMBER = re.compile(r"[0-9]{1,6}\Z", re.ASCII)


class Options(WriteAction):
    """Changes the preferences of the user."""

    def perform(self) -> None:
        """Store the values that differ from the defaults, and warn about invalid changes.

        Raises:
            ApiError: ``notloggedin``, ``permissiondenied``, ``nochanges`` or ``missingparam``.
        """
        user = self.context.user
        if user.is_anonymous:
            raise ApiError(
                Message("apierror-mustbeloggedin", ("change preferences",)), "notloggedin"
            )
        self.require_right("editmyoptions")
        changes = self._changes()
        if not changes and not self.p.flag("reset"):
            raise ApiError.of("nochanges", "apierror-nochanges")
        options = dict(user.options)
        if self.p.flag("reset"):
            kinds = self.p.texts("resetkinds")
            options = {
                name: value
                for name, value in options.items()
                if "all" not in kinds and _kind(name) not in kinds
            }
        for name, value in changes.items():
            fault = self._fault(name, value)
            if fault is not None:
                self.warn("apiwarn-validationfailed", Plain(name), fault)
            elif value is None or _is_default(name, value):
                options.pop(name, None)
            else:
                options[name] = value
        self._store(options)
        self.result.set((), self.name, "success")

    def _changes(self) -> dict[str, str | None]:
        """Return the new values by preference; ``None`` resets a preference to its default.

        Raises:
            ApiError: ``missingparam``, if there is a value without a name.
        """
        changes: dict[str, str | None] = {}
        for entry in self.p.texts("change"):
            name, is_value, value = entry.partition("=")
            changes[name] = value if is_value else None
        if self.p.is_given("optionname"):
            changes[self.p.text("optionname")] = self.p.text_or_none("optionvalue")
        elif self.p.is_given("optionvalue"):
            params = (Plain(self.full("optionname")),)
            raise ApiError(Message("apierror-missingparam", params), "missingparam")
        return changes

    def _fault(self, name: str, value: str | None) -> str | None:
        """Return why a preference cannot have a value; ``None`` if it can."""
        match _kind(name):
            case "userjs" if len(name.encode()) > _LONGEST_NAME:
                return self._text("keytoolong", Num(_LONGEST_NAME))
            case "userjs" if _NOT_IN_NAMES.search(name):
                return self._text("badchars")
            case "special":
                return self._text("cannotset")
            case "unused":
                return self._text("badpref")
            case "userjs":
                return None
        return None if value is None or self._is_possible(name, value) else self._text("badvalue")

    def _text(self, fault: str, *params: Num) -> str:
        message = Message(f"apiwarn-validationfailed-{fault}", params)
        return self.site.messages.text(message, self.context.error_language)

    def _is_possible(self, name: str, value: str) -> bool:
        if name == "language":
            return value in facts("languages")
        if name in _CHOICES:
            return value in _CHOICES[name]
        if name in _BOUNDS:
            return bool(_NUMBER.match(value)) and int(value) in _BOUNDS[name]
        return True

    def _store(self, options: Mapping[str, str]) -> None:
        """Replace the stored preferences of the user."""
        user_id = self.context.user.id
        old = UserProperties.delete().where(UserProperties.up_user == user_id)
        self.db.execute_write(old)
        rows = [(user_id, name, value) for name, value in options.items()]
        if rows:
            self.db.insert_many(UserProperties, rows)


def _kind(name: str) -> str:
    """Return the kind of a preference, as the parameter ``resetkinds`` names it."""
    if name.startswith(_OF_SCRIPTS):
        return "userjs"
    if name in _SPECIAL:
        return "special"
    is_known = name in default_options() or name in _WITHOUT_DEFAULT
    return "registered" if is_known else "unused"


def _is_default(name: str, value: str) -> bool:
    default = default_options().get(name)
    if isinstance(default, bool):
        return value == ("1" if default else "")
    return default is not None and str(default) == value
