"""The functions of ``mw.site``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wikiapi.title import CATEGORY
from wikiapi_plugins.extensions.scribunto.host.library import HostFunction, Library
from wikiapi_plugins.wikitext.variables.statistics import ADMINISTRATORS, count_in_group


class SiteLibrary(Library):
    """Statistics and interwiki prefixes of the wiki."""

    def stats(self) -> Mapping[str, int]:
        """Return the statistics of the wiki."""
        state = self.state
        counts = state.lookups.statistics
        return {
            "pages": counts.pages,
            "articles": counts.articles,
            "files": counts.images,
            "edits": counts.edits,
            "users": counts.users,
            "activeUsers": counts.active_users,
            "admins": count_in_group(ADMINISTRATORS, state),
        }

    def category(self, name: str) -> Mapping[str, int]:
        """Return the numbers of pages, subcategories and files in a category."""
        state = self.state
        title = state.site.titles.try_parse(name, CATEGORY)
        if title is None or title.ns != CATEGORY:
            return {"all": 0, "pages": 0, "subcats": 0, "files": 0}
        if not state.lookups.knows_category(title.dbkey):
            self.count_expensive()
        row = state.lookups.category(title.dbkey)
        if row is None:
            return {"all": 0, "pages": 0, "subcats": 0, "files": 0}
        other_pages = max(row.pages - row.subcats - row.files, 0)
        return {"all": row.pages, "pages": other_pages, "subcats": row.subcats, "files": row.files}

    def pages_in_namespace(self, namespace: int) -> int:
        """Return the number of pages in a namespace."""
        self.count_expensive()
        return self.state.lookups.pages_in_namespace(namespace)

    def users_in_group(self, group: str) -> int:
        """Return the number of users in a group."""
        self.count_expensive()
        return count_in_group(group, self.state)

    def interwiki_map(self, which: str) -> Mapping[str, Any]:
        """Return the interwiki prefixes: all of them, the local ones or the others."""
        is_local = {"local": True, "!local": False}.get(which)
        return {
            entry.prefix: {
                "prefix": entry.prefix,
                "url": entry.url,
                "isProtocolRelative": entry.url.startswith("//"),
                "isLocal": entry.local,
                "isTranscludable": entry.trans,
                "isCurrentWiki": entry.wiki_id == self.site.config.site.wiki_id,
                "isExtraLanguageLink": False,
            }
            for entry in self.site.interwiki
            if is_local in (None, entry.local)
        }

    functions = (
        HostFunction("site.stats", stats),
        HostFunction("site.category", category),
        HostFunction("site.pagesInNamespace", pages_in_namespace),
        HostFunction("site.usersInGroup", users_in_group),
        HostFunction("site.interwikiMap", interwiki_map, cacheable=True),
    )
