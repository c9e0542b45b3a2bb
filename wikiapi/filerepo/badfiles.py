"""Files that must not be shown inline, from a setting and the page ``MediaWiki:Bad image list``.

On that page, a line ``* [[:File:Name.jpg]] except on [[:Page]]`` has a link to the file, followed
by links to the pages where it may be shown.
"""

from __future__ import annotations

import re

from wikiapi.store.queries import texts
from wikiapi.title.namespaces import FILE, MEDIAWIKI
from wikiapi.title.title import Title
from wikiapi.wiki import Wiki

LIST_PAGE = (MEDIAWIKI, "Bad_image_list")

_LINK = re.compile(r"\[\[:?([^\[\]|\n]+)\]\]")


class BadFiles:
    """The current list of files, read with one query."""

    def __init__(self, site: Wiki) -> None:
        """Read the setting and the page."""
        stored = texts.current(site.db, [LIST_PAGE]).get(LIST_PAGE)
        self._exceptions: dict[str, frozenset[tuple[int, str]]] = {}
        for line in (stored.text or "").split("\n") if stored else ():
            if not line.startswith("*"):
                continue
            links = [site.titles.try_parse(link) for link in _LINK.findall(line)]
            if links and (file := links[0]) and file.ns == FILE:
                self._exceptions[file.dbkey] = frozenset(page.key for page in links[1:] if page)
        for name in site.config.files.bad_files:
            self._exceptions[name.replace(" ", "_")] = frozenset()

    def is_bad(self, name: str, context: Title | None = None) -> bool:
        """Return whether a file must not be shown, on the page ``context`` if it is given."""
        exceptions = self._exceptions.get(name)
        return exceptions is not None and not (context and context.key in exceptions)
