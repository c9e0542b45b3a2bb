"""Titles that a search is nearly the name of: another case, without quotation marks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikiapi.store import pages
from wikiapi.title.namespaces import FILE, MEDIA

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikiapi.site import Site
    from wikiapi.store.pages import PageRow

_WORD_START = re.compile(r"(?:\A|[\s\-/(\[{])\w")
_QUOTED = re.compile(r'"(.*)"\Z', re.S)


def near_match(site: Site, text: str) -> PageRow | None:
    """The page that comes nearest to being called so, if there is one. One query."""
    titles = [title for form in _forms(text) if (title := site.titles.try_parse(form))]
    keys = [
        (FILE, title.dbkey) if title.ns == MEDIA else title.key
        for title in titles
        if not title.interwiki and title.dbkey and (title.ns >= 0 or title.ns == MEDIA)
    ]
    found = pages.by_titles(site.db, keys) if keys else {}
    return next((found[key] for key in keys if key in found), None)


def _forms(text: str) -> Iterator[str]:
    """The spellings to try, the likeliest first."""
    yield text
    yield text.lower()
    yield text.title()
    yield text.upper()
    yield _WORD_START.sub(lambda match: match[0].upper(), text)
    if match := _QUOTED.match(text):
        yield from _forms(match[1])
