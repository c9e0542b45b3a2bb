"""The beginning of a title, as ``from``, ``to`` and ``prefix`` parameters hold it."""

from __future__ import annotations

from wikiapi.errors import ApiError
from wikiapi.i18n import Message, Plain
from wikiapi.site import Site

# A part of a title may end in a space or be empty; with a letter behind, it is a title.
_ENDING = "x"


def title_part(site: Site, text: str, namespace: int) -> str:
    """Return a text as it stands at the beginning of database keys in a namespace.

    Raises:
        ApiError: ``invalidtitle``; no title of the namespace begins so.
    """
    prefix = site.titles.namespace(namespace).prefix
    title = site.titles.try_parse(f"{prefix}{text}{_ENDING}")
    if title is None or title.interwiki or title.fragment or title.ns != namespace:
        raise ApiError(Message("apierror-invalidtitle", (Plain(text),)), "invalidtitle")
    # By length: where nothing is before it, the ending itself has become a capital.
    return title.dbkey[: -len(_ENDING)]
