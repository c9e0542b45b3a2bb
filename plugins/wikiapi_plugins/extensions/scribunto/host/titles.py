"""What ``mw.title`` asks about titles alone."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from wikiapi.site import Site
from wikiapi.store import pages
from wikiapi.title import SPECIAL, Title
from wikiapi.title.percent import quote_title
from wikiapi_plugins.extensions.scribunto.errors import Refusal
from wikiapi_plugins.extensions.scribunto.host.basics import TOO_MANY, Operations
from wikiapi_plugins.extensions.scribunto.host.uris import page_address

if TYPE_CHECKING:
    from wikiapi_plugins.extensions.scribunto.session import Session


_SCHEMES = ("http", "https")


def named(session: Session, name: str) -> Title:
    """The title that a title object stands for."""
    title = session.state.site.titles.try_parse(name)
    if title is None:
        raise Refusal(f"invalid title '{name}'")
    return title


def new(session: Session, text: str, namespace: int) -> Mapping[str, Any] | None:
    """The title of a text; ``None`` for what is none."""
    site = session.state.site
    if site.namespaces.get(namespace) is None:
        return None
    title = site.titles.try_parse(text, namespace)
    return describe(site, title) if title else None


def make(
    session: Session, namespace: int, text: str, fragment: str, interwiki: str
) -> Mapping[str, Any] | None:
    """The title of exactly this name: no prefix is looked for in the text."""
    site = session.state.site
    found = site.namespaces.get(namespace)
    if found is None:
        return None
    prefix = f"{interwiki}:" if interwiki else found.prefix or ":"
    title = site.titles.try_parse(f"{prefix}{text}" + (f"#{fragment}" if fragment else ""))
    if title is None or title.ns != (0 if interwiki else namespace):
        return None
    return describe(site, title) if title.interwiki == interwiki.lower() else None


def by_id(session: Session, number: int) -> Mapping[str, Any] | None:
    """The title of a page by its id; costs a look-up."""
    state = session.state
    if not state.expensive():
        raise Refusal(TOO_MANY)
    row = pages.by_ids(state.site.db, [number]).get(number)
    if row is None:
        return None
    return describe(state.site, state.site.titles.make(row.namespace, row.title))


def talk(session: Session, name: str) -> Mapping[str, Any] | None:
    """The talk page of a page, if there can be one."""
    site = session.state.site
    found = site.titles.talk(named(session, name))
    return describe(site, found) if found else None


def subject(session: Session, name: str) -> Mapping[str, Any]:
    """The page that a talk page is about."""
    site = session.state.site
    title = named(session, name)
    return describe(site, title if title.interwiki else site.titles.subject(title))


def partial_url(session: Session, name: str) -> str:
    """The name without namespace as it stands in an address."""
    return quote_title(named(session, name).dbkey)


def url(session: Session, name: str, which: str, query: str, scheme: str | bool) -> str:
    """The address of a page; a scheme may be chosen for a full one."""
    found = page_address(session, named(session, name), which, query)
    if which != "fullUrl" or not isinstance(scheme, str):
        return found
    rest = found.partition("://")[2]
    if scheme == "relative":
        return f"//{rest}"
    return f"{scheme}://{rest}" if scheme in _SCHEMES else found


OPERATIONS: Operations = MappingProxyType(
    {
        "title.new": new,
        "title.make": make,
        "title.byId": by_id,
        "title.talk": talk,
        "title.subject": subject,
        "title.partialUrl": partial_url,
        "title.url": url,
    }
)


def describe(site: Site, title: Title) -> Mapping[str, Any]:
    """The fields that cost no look-up, by the names they have in Lua."""
    namespace = title.namespace
    talk = site.namespaces.talk(namespace) if not title.interwiki else None
    subject = site.namespaces.subject(namespace) if not title.interwiki else namespace
    text = title.text
    parts = text.split("/") if namespace.subpages else [text]
    entry = site.interwiki.get(title.interwiki) if title.interwiki else None
    return {
        "namespace": namespace.id,
        "interwiki": title.interwiki,
        "fragment": title.fragment,
        "nsText": namespace.name,
        "subjectNsText": subject.name,
        "talkNsText": talk.name if talk else "",
        "text": text,
        "prefixedText": title.prefixed_text,
        "fullText": title.full_text,
        "rootText": parts[0] or text,
        "baseText": "/".join(parts[:-1]) if len(parts) > 1 else text,
        "subpageText": parts[-1],
        "canTalk": talk is not None,
        "isContentPage": namespace.content and not title.interwiki,
        "isExternal": bool(title.interwiki),
        "isLocal": entry.local if entry else True,
        "isSpecialPage": namespace.id == SPECIAL,
        "isSubpage": len(parts) > 1,
        "isTalkPage": namespace.is_talk,
    }
