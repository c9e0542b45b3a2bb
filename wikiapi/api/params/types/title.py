"""Page titles and user names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wikiapi.api.params.types.base import ParamType, Validation, bad_value
from wikiapi.errors import InvalidTitle
from wikiapi.site import Site
from wikiapi.title.addresses import spell_address
from wikiapi.title.namespaces import USER


@dataclass(frozen=True)
class TitleType(ParamType):
    """A valid page title; the value is the unchanged text.

    ``must_exist`` is only reported to clients.
    """

    must_exist: bool = False
    type_name = "title"

    def read(self, name: str, raw: str, validation: Validation) -> str:
        try:
            validation.site.titles.parse(raw)
        except InvalidTitle as error:
            raise bad_value("badtitle", "paramvalidator-badtitle", name, raw) from error
        return raw

    def describe(self, site: Site) -> Mapping[str, Any]:
        return {"type": "title", "mustExist": self.must_exist}


_ID = re.compile(r"#([1-9][0-9]{0,18})\Z", re.ASCII)
_NO_NAME = re.compile(
    "[#/\x80-\x9f\u2000-\u200f\u2028-\u202f\u3000\ue000-\uf8ff]"
    r"|\A[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\Z"
)
"""Matches texts that cannot be account names: subpages, invisible letters, IP-like texts."""
_HIDDEN_ADDRESS = re.compile(r"[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.xxx\Z")
"""The format in which early versions of MediaWiki stored IP addresses."""
KINDS = ("name", "ip", "temp", "cidr", "interwiki", "id")
"""The ways to identify a user, in the order of ``paraminfo``."""
DEFAULT_KINDS = ("name", "ip", "temp", "interwiki")


@dataclass(frozen=True)
class UserType(ParamType):
    """A user: a name, an IP address, a user of another wiki, or ``#id``; the value is the name.

    ``kinds`` are the members of ``KINDS`` that are accepted. An id keeps its ``#`` and is looked up
    by the module.
    """

    kinds: tuple[str, ...] = DEFAULT_KINDS
    type_name = "user"

    def read(self, name: str, raw: str, validation: Validation) -> str:
        user = self._read(raw, validation.site)
        if user is None:
            raise bad_value("baduser", "paramvalidator-baduser", name, raw)
        return user

    def _read(self, raw: str, site: Site) -> str | None:
        if "id" in self.kinds and _ID.match(raw):
            return raw
        if "interwiki" in self.kinds and ">" in raw.strip(">"):
            return raw
        kind, name = user_kind(spell_address(raw) or user_text(raw, site) or "")
        return name if kind in self.kinds else None

    def describe(self, site: Site) -> Mapping[str, Any]:
        return {"type": "user", "subtypes": [kind for kind in KINDS if kind in self.kinds]}


def user_text(raw: str, site: Site) -> str | None:
    """Return a user name or IP address in the form of a title, ``None`` if it is invalid."""
    title = site.titles.try_parse(raw, USER)
    if title is None or title.ns != USER or title.interwiki or "#" in raw:
        return None
    return title.text


def user_kind(text: str) -> tuple[str, str]:
    """Return the kind of a user name (``name``, ``ip``, ``cidr`` or empty) and its normal form."""
    if address := spell_address(text):
        return ("cidr" if "/" in address else "ip"), address
    if _HIDDEN_ADDRESS.match(text):
        return "ip", text
    return ("" if not text or _NO_NAME.search(text) else "name"), text
