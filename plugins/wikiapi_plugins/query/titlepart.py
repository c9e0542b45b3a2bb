"""The normalisation of a title's beginning in the parameters ``from``, ``to`` and ``prefix``."""

from __future__ import annotations

from wikiapi.api import invalid_title
from wikiapi.site import Site

# Unlike a title, a part of one may be empty or end in a space; an appended letter makes it a title.
_ENDING = "x"


def title_part(site: Site, text: str, namespace: int) -> str:
    """Return the beginning of database keys in a namespace for which a text stands.

    Raises:
        ApiError: ``invalidtitle``; no title of the namespace can begin with it.
    """
    prefix = site.titles.namespace(namespace).prefix
    title = site.titles.try_parse(f"{prefix}{text}{_ENDING}")
    if title is None or title.interwiki or title.fragment or title.ns != namespace:
        raise invalid_title(text)
    # Cut by length, because the appended letter has become a capital if nothing precedes it.
    return title.dbkey[: -len(_ENDING)]
