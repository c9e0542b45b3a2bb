"""The preferences of users, and their defaults.

https://www.mediawiki.org/wiki/Manual:User_preferences
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import timedelta
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from wikiapi.accounts.user import User
from wikiapi.site import Site
from wikiapi.store import CompiledQuery, Database
from wikiapi.store.models import UserProperties
from wikiapi.title import MAIN

if TYPE_CHECKING:
    from wikiapi.wikitext.presave import Signature

IMAGE_SIZE, THUMB_SIZE = "imagesize", "thumbsize"
"""Preferences that are indices in ``files.image_limits`` and ``files.thumb_limits``."""
_LANGUAGES = ("language", "variant")
_LONGEST_SIGNATURE = 255
"""In characters; a longer signature is not used."""


@cache
def _defaults() -> Mapping[str, Any]:
    """Return MediaWiki's preferences with their default values."""
    options: Mapping[str, Any] = json.loads(
        files(__package__).joinpath("useroptions.json").read_bytes()
    )
    return options


def default_options(site: Site) -> Mapping[str, Any]:
    """Return all preferences with their default values on a wiki."""
    own = site.config.files
    offset = site.clock().astimezone(ZoneInfo(site.config.site.timezone)).utcoffset()
    numbers = [namespace.id for namespace in site.namespaces if namespace.id >= MAIN]
    return {
        **_defaults(),
        IMAGE_SIZE: own.image_size,
        THUMB_SIZE: own.thumb_size,
        "timecorrection": f"System|{(offset or timedelta()) // timedelta(minutes=1)}",
        **dict.fromkeys(_LANGUAGES, site.language),
        **{f"searchNs{number}": int(number == MAIN) for number in numbers},
    }


_STORED_OPTIONS = CompiledQuery(
    lambda user_id: UserProperties.select(
        UserProperties.up_property, UserProperties.up_value
    ).where(UserProperties.up_user == user_id)
)


def stored_options(db: Database, user_id: int) -> dict[str, str]:
    """Return the preferences that an account has changed. One query."""
    return {name: value or "" for name, value in db.execute(_STORED_OPTIONS(user_id))}


def options_of(user: User, site: Site) -> dict[str, Any]:
    """Return all preferences of the user of a request; ``"0"`` becomes 0, as in MediaWiki."""
    own = {name: 0 if value == "0" else value for name, value in user.options.items()}
    return {**default_options(site), **own}


def option(user: User, name: str) -> Any:
    """Return a preference of the user of a request that does not depend on the wiki's language.

    Return ``None`` if there is no such preference.
    """
    value = user.options.get(name, _defaults().get(name))
    return 0 if value == "0" else value


def thumb_width_of(user: User, site: Site) -> int:
    """Return the width of thumbnails that the user of a request prefers; 0 for the wiki's."""
    files = site.config.files
    width = files.thumb_width(user.options.get(THUMB_SIZE))
    return 0 if width == files.thumb_width() else width


def signature_of(user: User) -> Signature:
    """Return the signature of the user of a request."""
    # Imported here, because accounts need no parser but for this.
    from wikiapi.wikitext.presave import Signature

    text = user.options.get("nickname", "")
    if len(text) > _LONGEST_SIGNATURE:
        return Signature()
    return Signature(text, bool(option(user, "fancysig")))
