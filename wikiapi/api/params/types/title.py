"""Page titles and user names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wikiapi.api.params.types.base import ParamType, bad_value
from wikiapi.errors import ApiError, InvalidTitle
from wikiapi.i18n.message import Message, Plain
from wikiapi.title.addresses import spell_address
from wikiapi.title.namespaces import USER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikiapi.api.params.types.base import Validation
    from wikiapi.site import Site


@dataclass(frozen=True)
class TitleType(ParamType):
    """The text of a valid page title; the value stays a text."""

    type_name = "title"

    def read(self, name: str, raw: str, validation: Validation) -> str:
        try:
            validation.site.titles.parse(raw)
        except InvalidTitle as error:
            raise bad_value("badtitle", "paramvalidator-badtitle", name, raw) from error
        return raw


_ID = re.compile(r"#([1-9][0-9]{0,18})\Z", re.ASCII)
_FORBIDDEN = re.compile(r"[#/@|\[\]<>{}\x00-\x1f]")
DEFAULT_KINDS = ("name", "ip", "temp", "interwiki")


@dataclass(frozen=True)
class UserType(ParamType):
    """A user: a name, an address, another wiki's user, or ``#id``; the value is the name.

    ``kinds`` are those accepted: ``name``, ``ip``, ``temp``, ``cidr``, ``interwiki``, ``id``.
    An id keeps its ``#``; the module that asks looks it up with its own queries.
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
        if address := read_address(raw, networks="cidr" in self.kinds):
            return address if "ip" in self.kinds or "/" in address else None
        return canonical_user(raw, site) if "name" in self.kinds else None

    def describe(self, site: Site) -> Mapping[str, Any]:
        return {"type": "user", "subtypes": list(self.kinds)}


def canonical_user(raw: str, site: Site) -> str | None:
    """A user name in its stored form, ``None`` when no user can have it."""
    text = raw.removeprefix(":") if raw.startswith(":") else raw
    title = site.titles.try_parse(text, USER)
    if title is None or title.ns != USER or title.interwiki or title.fragment:
        return None
    return None if _FORBIDDEN.search(title.text) else title.text


def read_address(raw: str, *, networks: bool = False) -> str | None:
    """An IP address in MediaWiki's spelling (IPv6 in full capitals), or a network if asked for."""
    return spell_address(raw) if networks or "/" not in raw else None


def require_title(site: Site, text: str) -> object:
    """The title of a text that a request gives.

    Raises:
        ApiError: ``invalidtitle``.
    """
    try:
        return site.titles.parse(text)
    except InvalidTitle as error:
        raise ApiError(Message("apierror-invalidtitle", (Plain(text),)), "invalidtitle") from error
