"""What ``mw.title`` asks about the pages of titles: most of it costs a look-up."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from wikiapi.store import PageRow, links, pages
from wikiapi.title import FILE, MEDIA, Title
from wikiapi.title.contentmodel import default_model
from wikiapi.title.pagelanguage import page_language
from wikiapi.wikitext.expand.loader import TemplateText
from wikiapi_plugins.extensions.scribunto.errors import Refusal
from wikiapi_plugins.extensions.scribunto.host.basics import TOO_MANY, Operations
from wikiapi_plugins.extensions.scribunto.host.modules import used_text
from wikiapi_plugins.extensions.scribunto.host.titles import describe, named

if TYPE_CHECKING:
    from wikiapi_plugins.extensions.scribunto.session import Session

_INFINITE = "infinity"


def _look_up(session: Session, title: Title) -> PageRow | None:
    """A page's row. The page itself, and what was asked before, costs nothing.

    Another page is noted as one that what is shown depends on.
    """
    state = session.state
    if title.interwiki or title.ns < 0:
        return None
    is_own = title.key == state.title.key
    if not is_own and not state.lookups.knows_page(title) and not state.expensive():
        raise Refusal(TOO_MANY)
    if not is_own:
        state.output.add_existence_link(title.without_fragment())
    return state.lookups.page(title)


def page(session: Session, name: str) -> Mapping[str, Any]:
    """What the page table tells."""
    title = named(session, name)
    return _facts(session, title, _look_up(session, title))


def _facts(session: Session, title: Title, row: PageRow | None) -> Mapping[str, Any]:
    state = session.state
    model = (row.content_model if row else None) or default_model(title)
    special = title.ns < 0 and not title.interwiki and state.is_special_page(title)
    return {
        "exists": row is not None or special,
        "id": row.page_id if row else 0,
        "isRedirect": bool(row and row.is_redirect),
        "contentModel": model,
        "pageLang": page_language(title, model, row.language if row else None, state.site.language),
    }


def pages_of(session: Session, *names: str) -> list[list[Mapping[str, Any]]]:
    """The same of many titles, in one query."""
    state = session.state
    titles = [named(session, name) for name in names]
    if not state.expensive():
        raise Refusal(TOO_MANY)
    rows = pages.by_titles(state.site.db, {title.key for title in titles if title.ns >= 0})
    return [[_facts(session, title, rows.get(title.key)) for title in titles]]


def _text(session: Session, title: Title) -> TemplateText | None:
    """The text of a page, which then counts as used, unless it is the page itself."""
    if title.interwiki or title.ns < 0:
        return None
    if title.key == session.state.title.key:
        return session.state.loader.get(title)
    return used_text(session, title)


def content(session: Session, name: str) -> str | None:
    """The text of a page."""
    found = _text(session, named(session, name))
    return found.text if found else None


def redirect(session: Session, name: str) -> Mapping[str, Any] | None:
    """Where a redirect leads."""
    found = _text(session, named(session, name))
    return describe(session.state.site, found.redirect) if found and found.redirect else None


def protection(session: Session, name: str) -> Mapping[str, list[str]]:
    """The group or right that each action on a page takes."""
    state = session.state
    title = named(session, name)
    if title.interwiki or title.ns < 0:
        return {}
    if title.key != state.title.key and not state.expensive():
        raise Refusal(TOO_MANY)
    now = f"{state.now:%Y%m%d%H%M%S}"
    rows = state.lookups.restrictions(title)
    levels: dict[str, list[str]] = {"edit": [], "move": []}
    for row in rows:
        if row.expiry == _INFINITE or row.expiry > now:
            levels.setdefault(row.type, []).append(row.level)
    return levels if state.lookups.page(title) else {"create": []}


def cascading(session: Session, name: str) -> Mapping[str, Any]:
    """The pages whose protection reaches a page, and against what."""
    state = session.state
    title = named(session, name)
    if not state.expensive():
        raise Refusal(TOO_MANY)
    sources = [] if title.interwiki else state.lookups.cascade_sources(title)
    restrictions: dict[str, list[str]] = {}
    found: dict[str, None] = {}
    for row in sources:
        found[state.site.titles.make(row.namespace, row.title).prefixed_text] = None
        levels = restrictions.setdefault(row.type, [])
        if row.level not in levels:
            levels.append(row.level)
    return {"restrictions": restrictions, "sources": list(found) or False}


def categories(session: Session, name: str) -> list[list[str]]:
    """The categories of a page; costs a look-up."""
    title = named(session, name)
    if not session.state.expensive():
        raise Refusal(TOO_MANY)
    row = session.state.lookups.page(title) if title.ns >= 0 and not title.interwiki else None
    if row is None:
        return [[]]
    rows = session.state.site.db.execute(links.outgoing(links.CATEGORIES, [row.page_id]))
    return [sorted(name.replace("_", " ") for _, _, name in rows)]


def file(session: Session, name: str) -> Mapping[str, Any] | None:
    """The file of a title, which then counts as shown; ``None`` where there can be none."""
    state = session.state
    title = named(session, name)
    if title.interwiki or title.ns not in (FILE, MEDIA):
        return None
    if title.ns == MEDIA:
        title = state.site.titles.make(FILE, title.dbkey)
    if not state.expensive():
        raise Refusal(TOO_MANY)
    state.output.images.setdefault(title.dbkey)
    found = state.file(title)
    if found is None:
        return {"exists": False}
    version = found.current
    return {
        "exists": True,
        "width": version.dimensions[0],
        "height": version.dimensions[1],
        "size": version.size,
        "mimeType": version.mime,
        "length": version.duration,
        "pages": False,
    }


OPERATIONS: Operations = MappingProxyType(
    {
        "title.page": page,
        "title.pages": pages_of,
        "title.content": content,
        "title.redirect": redirect,
        "title.protection": protection,
        "title.cascading": cascading,
        "title.categories": categories,
        "title.file": file,
    }
)
