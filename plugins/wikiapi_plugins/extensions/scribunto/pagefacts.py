"""Facts about the wiki and the page, which a worker receives before it runs modules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from wikiapi.title import WIKITEXT, Namespace
from wikiapi.wiki import Wiki
from wikiapi.wikitext import ParseState, Target, protocols
from wikiapi_plugins.extensions.scribunto.host.titles import describe

_USER_NAMESPACES = (2, 3)
_IMMOVABLE_NAMESPACES = (-2, -1, 14)


def page_facts(state: ParseState) -> Mapping[str, Any]:
    """Return the facts about a page and its rendering, by their names in the Lua files.

    A worker receives them with the first module of each page.
    """
    site = state.site
    return {
        "now": int(state.now.timestamp()),
        "is_substing": state.options.target is Target.SAVED,
        "server": site.config.site.server,
        "content_language": site.language,
        "page_language": state.page_language,
        "interface_language": state.options.language or site.language,
        "title": describe(site, state.title),
    }


def site_facts(site: Wiki) -> Mapping[str, Any]:
    """Return the fields of ``mw.site`` and the schemes of addresses, the same on every page.

    A worker receives them once.
    """
    config, wikitext = site.config.site, site.config.wikitext
    recognised = protocols(wikitext.add_protocols, wikitext.remove_protocols).recognised
    return {
        "general": {
            "siteName": config.name,
            "server": config.server,
            "scriptPath": config.script_path,
            "stylePath": f"{config.script_path}/skins",
            "currentVersion": config.generator.removeprefix("MediaWiki "),
            "serverName": urlsplit(config.server).hostname or "",
        },
        "urlSchemes": [name[:-1] for name in recognised if name.endswith(":")],
        "namespaces": [_namespace(site, namespace) for namespace in site.namespaces],
    }


def _namespace(site: Wiki, namespace: Namespace) -> Mapping[str, Any]:
    talk = site.namespaces.talk(namespace)
    subject = site.namespaces.subject(namespace)
    data: dict[str, Any] = {
        "id": namespace.id,
        "name": namespace.name,
        "canonicalName": namespace.canonical,
        "displayName": namespace.name or "(Main)",
        "hasSubpages": namespace.subpages,
        "hasGenderDistinction": namespace.id in _USER_NAMESPACES,
        "isCapitalized": namespace.first_letter,
        "isContent": namespace.content,
        "isIncludable": not namespace.nonincludable,
        "isMovable": namespace.id not in _IMMOVABLE_NAMESPACES,
        "isSubject": not namespace.is_talk,
        "isTalk": namespace.is_talk,
        "defaultContentModel": namespace.content_model or WIKITEXT,
        "aliases": list(namespace.aliases),
        "subjectId": subject.id,
        "names": [namespace.name, namespace.canonical, *namespace.aliases],
    }
    if talk:
        data["talkId"] = talk.id
        data["associatedId"] = subject.id if namespace.is_talk else talk.id
    return data
