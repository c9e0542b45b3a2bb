"""What ``mw.site`` asks."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from peewee import fn

from wikiapi.store.models import Page
from wikiapi.title import CATEGORY
from wikiapi_plugins.extensions.scribunto.errors import Refusal
from wikiapi_plugins.extensions.scribunto.host.basics import TOO_MANY, Operations
from wikiapi_plugins.wikitext.variables.statistics import ADMINISTRATORS, count_in_group

if TYPE_CHECKING:
    from wikiapi_plugins.extensions.scribunto.session import Session


def stats(session: Session) -> Mapping[str, int]:
    """The counters of the wiki."""
    state = session.state
    found = state.lookups.statistics
    return {
        "pages": found.pages,
        "articles": found.articles,
        "files": found.images,
        "edits": found.edits,
        "users": found.users,
        "activeUsers": found.active_users,
        "admins": count_in_group(ADMINISTRATORS, state),
    }


def category(session: Session, name: str) -> Mapping[str, int]:
    """How many pages, sub-categories and files a category holds."""
    state = session.state
    title = state.site.titles.try_parse(name, CATEGORY)
    if title is None or title.ns != CATEGORY:
        return {"all": 0, "pages": 0, "subcats": 0, "files": 0}
    if not (state.lookups.knows_category(title.dbkey) or state.expensive()):
        raise Refusal(TOO_MANY)
    row = state.lookups.category(title.dbkey)
    if row is None:
        return {"all": 0, "pages": 0, "subcats": 0, "files": 0}
    own = max(row.pages - row.subcats - row.files, 0)
    return {"all": row.pages, "pages": own, "subcats": row.subcats, "files": row.files}


def pages_in_namespace(session: Session, namespace: int) -> int:
    """How many pages there are in a namespace."""
    if not session.state.expensive():
        raise Refusal(TOO_MANY)
    query = Page.select(fn.COUNT(Page.page_id)).where(Page.page_namespace == namespace)
    return int(session.state.site.db.scalar(query))


def users_in_group(session: Session, group: str) -> int:
    """How many accounts are in a user group."""
    if not session.state.expensive():
        raise Refusal(TOO_MANY)
    return count_in_group(group, session.state)


def interwiki_map(session: Session, which: str) -> Mapping[str, Any]:
    """The interwiki prefixes, all or those that are local or not."""
    wanted = {"local": True, "!local": False}.get(which)
    return {
        entry.prefix: {
            "prefix": entry.prefix,
            "url": entry.url,
            "isProtocolRelative": entry.url.startswith("//"),
            "isLocal": entry.local,
            "isTranscludable": entry.trans,
            "isCurrentWiki": entry.wiki_id == session.state.site.config.site.wiki_id,
            "isExtraLanguageLink": False,
        }
        for entry in session.state.site.interwiki
        if wanted in (None, entry.local)
    }


OPERATIONS: Operations = MappingProxyType(
    {
        "site.stats": stats,
        "site.category": category,
        "site.pagesInNamespace": pages_in_namespace,
        "site.usersInGroup": users_in_group,
        "site.interwikiMap": interwiki_map,
    }
)
