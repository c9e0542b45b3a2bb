"""``action=options``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from wikiapi.accounts import default_options, preferences
from wikiapi.api import WriteAction, boolean, enum, string
from wikiapi.config import FilesConfig
from wikiapi.errors import ApiError
from wikiapi.languages import Message, Num, Plain
from wikiapi.site import Site
from wikiapi.store.models import UserProperties
from wikiapi.wikitext import is_well_formed
from wikiapi_plugins.query.changes import watchlists
from wikiapi_plugins.shared.facts import facts

_OF_SCRIPTS = "userjs-"
_LONGEST_NAME, _LONGEST_VALUE = 255, 65_530
"""Bytes."""
_LONGEST_SIGNATURE = 255
"""Characters."""
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
_INDICES: Mapping[str, Callable[[FilesConfig], Sequence[object]]] = MappingProxyType(
    {
        preferences.IMAGE_SIZE: lambda files: files.image_limits,
        preferences.THUMB_SIZE: lambda files: files.thumb_limits,
    }
)
"""The lists in which preferences are indices."""


class Options(WriteAction):
    """Change the preferences of the current user."""

    name = "options"
    position = 42
    params = (
        boolean("reset", "Reset preferences to their defaults."),
        enum(
            "resetkinds",
            *(
                "registered",
                "registered-multiselect",
                "registered-checkmatrix",
                "userjs",
                "special",
                "unused",
                "all",
            ),
            default="all",
            multi=True,
            help="Kinds of preferences to reset.",
        ),
        string(
            "change", "Changes as ``name=value``; a name alone resets a preference.", multi=True
        ),
        string("optionname", "Name of one preference to change."),
        string("optionvalue", "Its value."),
        enum(
            "global",
            "ignore",
            "update",
            "override",
            "create",
            default="ignore",
            help="How to change preferences that are set for several wikis.",
        ),
    )
    examples = (
        ("action=options&change=skin=vector|hideminor=1&token=123ABC", "Change two preferences"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Options",)

    def perform(self) -> None:
        """Store the values that differ from the defaults, and warn about invalid changes.

        Raises:
            ApiError: ``notloggedin``, ``permissiondenied``, ``nochanges`` or ``missingparam``.
        """
        user = self.context.user
        if user.is_anonymous:
            raise ApiError("notloggedin", "apierror-mustbeloggedin", "change preferences")
        self.require_right("editmyoptions")
        changes = self._changes()
        reset = self.p.texts("resetkinds") if self.p.flag("reset") else ()
        if not changes and not reset:
            raise ApiError("nochanges", "apierror-nochanges")
        options = {
            name: value
            for name, value in user.options.items()
            if "all" not in reset and _kind(name, self.site) not in reset
        }
        for name, value in changes.items():
            fault = self._fault(name, value, options)
            if fault is not None:
                self.warn("apiwarn-validationfailed", Plain(name), fault)
            elif value is None or _is_default(name, value, self.site):
                options.pop(name, None)
            else:
                options[name] = value
        stored = UserProperties.delete().where(UserProperties.up_user == user.id)
        self.db.execute_write(stored)
        rows = [(user.id, name, value) for name, value in options.items()]
        if rows:
            self.db.insert_many(UserProperties, rows)
        self.site.genders.forget()
        self.result.set((), self.name, "success")

    def _changes(self) -> dict[str, str | None]:
        """Return the new values by preference; ``None`` resets a preference to its default.

        Raises:
            ApiError: ``nooptionname``, if there is a value without a name.
        """
        changes: dict[str, str | None] = {}
        for entry in self.p.texts("change"):
            name, is_value, value = entry.partition("=")
            changes[name] = value if is_value else None
        if self.p.is_given("optionname"):
            changes[self.p.text("optionname")] = self.p.text_or_none("optionvalue")
        elif self.p.is_given("optionvalue"):
            name = self.full("optionname")
            raise ApiError(f"no{name}", "apierror-missingparam", Plain(name))
        return changes

    def _fault(self, name: str, value: str | None, options: Mapping[str, str]) -> str | None:
        """Return why a preference cannot have a value; ``None`` if it can.

        ``options`` are the preferences so far, with those that precede it in the request.
        """
        kind = _kind(name, self.site)
        match kind:
            case "userjs" if len(name.encode()) > _LONGEST_NAME:
                return self._fault_text("keytoolong", Num(_LONGEST_NAME))
            case "userjs" if _NOT_IN_NAMES.search(name):
                return self._fault_text("badchars")
            case "special":
                return self._fault_text("cannotset")
            case "unused":
                return self._fault_text("badpref")
        if kind != "userjs" and value is not None and not self._is_possible(name, value):
            return self._fault_text("badvalue")
        if name == "nickname" and value:
            if len(value) > _LONGEST_SIGNATURE:
                return self._fault_text("longsignature", Num(_LONGEST_SIGNATURE))
            is_wikitext = options.get("fancysig", "") not in ("", "0")
            if is_wikitext and not is_well_formed(value):
                return self._fault_text("badsignature")
        if value is not None and len(value.encode()) > _LONGEST_VALUE:
            return self._fault_text("valuetoolong", Num(_LONGEST_VALUE))
        return None

    def _fault_text(self, fault: str, *params: Num) -> str:
        message = Message(f"apiwarn-validationfailed-{fault}", params)
        return self.site.messages.text(message, self.context.error_language)

    def _is_possible(self, name: str, value: str) -> bool:
        if name == "language":
            return value in facts("languages")
        if name in _CHOICES:
            return value in _CHOICES[name]
        if name in _INDICES:
            count = len(_INDICES[name](self.site.config.files))
            return bool(_NUMBER.match(value)) and int(value) < count
        if name in _BOUNDS:
            return bool(_NUMBER.match(value)) and int(value) in _BOUNDS[name]
        return True


def _kind(name: str, site: Site) -> str:
    """Return the kind of a preference, as the parameter ``resetkinds`` names it."""
    if name.startswith(_OF_SCRIPTS):
        return "userjs"
    if name in _SPECIAL:
        return "special"
    is_registered = name in _WITHOUT_DEFAULT or name in default_options(site)
    return "registered" if is_registered else "unused"


def _is_default(name: str, value: str, site: Site) -> bool:
    default = default_options(site).get(name)
    if isinstance(default, bool):
        return value == ("1" if default else "")
    return default is not None and str(default) == value
