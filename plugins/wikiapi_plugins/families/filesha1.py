"""The digest that parameters of lists of files look for, in either of its spellings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.errors import ApiError
from wikiapi.filerepo.sha1 import from_hex, to_hex
from wikiapi.i18n.message import Message

if TYPE_CHECKING:
    from wikiapi.api.params.validate import Params


def wanted_sha1(params: Params) -> str | None:
    """The digest in its stored form, ``None`` for any.

    Raises:
        ApiError: ``invalidsha1hash``, ``invalidsha1base36hash``.
    """
    if params["sha1"] is not None:
        stored = from_hex(params["sha1"].lower())
        if not stored:
            raise ApiError(Message("apierror-invalidsha1hash"), "invalidsha1hash")
        return stored
    if params["sha1base36"] is not None:
        stored = str(params["sha1base36"]).lower()
        if not to_hex(stored):
            raise ApiError(Message("apierror-invalidsha1base36hash"), "invalidsha1base36hash")
        return stored
    return None
