"""What a title object of a module knows from its title alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.title.namespaces import SPECIAL

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikiapi.site import Site
    from wikiapi.title.title import Title


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
