"""The wiki that the pages of a store come from: its name, language and namespaces.

The head of a dump describes it. It is kept in the table ``updatelog`` and completes a configuration
that says nothing else, so that a store can be served without one.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote

from wikiapi.config import Config, NamespaceConfig, SiteConfig
from wikiapi.importing.xml.records import DumpNamespace, SiteInfo
from wikiapi.languages.codes import internal_code, is_existing_language
from wikiapi.languages.language import ENGLISH, language, language_codes
from wikiapi.store.database import Database
from wikiapi.store.models import Page
from wikiapi.store.notes import note, put_note
from wikiapi.title.namespaces import MAIN, MODULE, PROJECT, PROJECT_TALK, core_namespaces

__all__ = ["messages_command"]

_KEY = "wikiapi-origin"
_WIKI_KEY = "wikiapi-wiki"
_MOST_BYTES = 60_000
"""The size of the stored text; a column of MariaDB takes 65 535 bytes."""
_CANONICAL = {828: "Module", 829: "Module talk"}
_BASE = re.compile(
    r"(?P<server>https?://(?:[\w.-]+|\[[0-9a-f:.]+\])(?::[0-9]+)?)"
    r"""(?P<folder>/(?:[^\s/?#"'<>\\]+/)*)"""
    r"(?P<page>[^\s/?#\"'<>\\]*+)(?:\?(?P<query>[^\s#\"'<>\\]*+))?(?:#\S*)?"
)
_SCRIPT = ".php"
_WIKI_ID = re.compile(r"[\w.-]{1,64}", re.ASCII)
_LINE = re.compile(r"[^\x00-\x1f\x7f-\x9f]{1,255}")
_KEPT = ("name", "wiki_id", "source", "main_page", "language", "capital_links")
"""The settings that are those of the pages, wherever they are served."""


class Origin(NamedTuple):
    """A wiki: its settings of the table ``site``, and its namespaces, as far as they are known."""

    settings: Mapping[str, Any] = MappingProxyType({})
    namespaces: tuple[DumpNamespace, ...] = ()

    @property
    def language(self) -> str:
        """The code of the content language, or "" if it is unknown."""
        return str(self.settings.get("language", ""))


def origin_of(info: SiteInfo) -> Origin:
    """Return the wiki that the head of a dump describes."""
    settings = site_settings(info)
    return Origin({name: settings[name] for name in _KEPT if name in settings}, info.namespaces)


def load_origin(db: Database) -> Origin:
    """Return the wiki that the pages of a store come from; nothing is known of an empty store's."""
    text = note(db, _KEY)
    if not text:
        return Origin()
    stored = json.loads(text)
    namespaces = tuple(DumpNamespace(*entry) for entry in stored["namespaces"])
    return Origin(stored["settings"], namespaces)


def save_origin(db: Database, origin: Origin) -> None:
    """Store where the pages come from; call it in the transaction that writes the first of them.

    Nothing is written, and so nothing locked, if it is known already.
    """
    if load_origin(db) == origin:
        return
    text = json.dumps(origin._asdict(), ensure_ascii=False)
    if len(text.encode()) > _MOST_BYTES:
        text = json.dumps({"settings": origin.settings, "namespaces": ()}, ensure_ascii=False)
    put_note(db, _KEY, text)


def wiki_id(db: Database) -> str | None:
    """Return the id of the wiki whose dumps the store holds; None before the first import."""
    return note(db, _WIKI_KEY) or None


def set_wiki_id(db: Database, name: str) -> None:
    """Save the id of the wiki whose dumps the store holds."""
    put_note(db, _WIKI_KEY, name)


def completed(config: Config, origin: Origin) -> Config:
    """Return the configuration of a wiki whose pages come from another.

    A setting that has its default has the value of the origin, and namespaces that are not set have
    the names that they have there. The language is English if it is unknown.
    """
    site = config.site
    values = {
        name: value
        for name, value in origin.settings.items()
        if name in _KEPT and getattr(site, name) == getattr(SiteConfig, name)
    }
    code = site.language or origin.language or ENGLISH
    set_here = {entry.id for entry in config.namespaces}
    if site.project_namespace:
        set_here |= {PROJECT, PROJECT_TALK}
    site = replace(site, **{**values, "language": code})
    project = site.project_namespace or site.name
    others = namespace_settings(
        [entry for entry in origin.namespaces if entry.id not in set_here],
        code,
        first_letter=site.capital_links,
        project=project.replace("_", " "),
        main_subpages=site.main_subpages,
    )
    return replace(config, site=site, namespaces=(*config.namespaces, *others))


def messages_command(settings: SiteConfig) -> str:
    """Return the command that gets the messages of a wiki, from where its pages come if known.

    The address, which is that of a dump, is quoted for a shell.
    """
    return f"wikiapi fetch-messages {shlex.quote(settings.source or 'URL')}"


def likely_languages(db: Database) -> list[str]:
    """Return the languages in which the first page of a MediaWiki database has its title.

    Neither MediaWiki's tables nor its users' preferences tell the content language, but the main
    page, which is created with the wiki, has its usual title in that language.
    """
    first = Page.select(Page.page_title).where(Page.page_id == 1, Page.page_namespace == MAIN)
    title = str(db.scalar(first) or "").replace("_", " ")
    if title in ("", language(ENGLISH).main_page):
        return [ENGLISH] if title else []
    same = {code for code in language_codes() if language(code).main_page == title}
    # A language that only has the title of one that stands in for it is not listed.
    return sorted(code for code in same if same.isdisjoint(language(code).chain[1:]))


def language_of(info: SiteInfo) -> str:
    """Return MediaWiki's code of the language in the head of a dump, or "" if it is unknown.

    The attribute ``xml:lang`` has it in the form of BCP 47.
    """
    code = info.language.lower()
    if code not in language_codes():
        # MediaWiki writes the names of its own languages that standards have, as for zh-tw.
        code = internal_code(code)
    return code if is_existing_language(code) else ""


def site_settings(info: SiteInfo) -> Mapping[str, Any]:
    """Return the settings of the table ``site`` that the head of a dump tells.

    Those in a dump may be anything, and are left out if they are not valid.
    """
    project = next((entry.name for entry in info.namespaces if entry.id == PROJECT), "")
    source, article_path, main_page = _addresses(info.base)
    values: dict[str, Any] = {
        "name": info.name,
        "project_namespace": project if project != info.name else "",
        "wiki_id": info.wiki_id if _WIKI_ID.fullmatch(info.wiki_id) else "",
        "source": source,
        "article_path": article_path,
        "main_page": main_page,
        "language": language_of(info),
        "generator": info.generator,
    }
    values = {name: value for name, value in values.items() if _LINE.fullmatch(value)}
    return values if info.first_letter else values | {"capital_links": False}


def _addresses(base: str) -> tuple[str, str, str]:
    """Return source, article path and main page for the address of a main page.

    They are empty if the address is not an HTTP URL. The article path is empty if the address has
    no page name in its path or contains a script.
    """
    match = _BASE.fullmatch(base)
    if match is None:
        return "", "", ""
    page, path = unquote(match["page"]), f"{match['folder']}$1"
    if page.endswith(_SCRIPT) or not page:
        page, path = parse_qs(match["query"] or "").get("title", [""])[0], ""
    elif match["folder"].endswith(f"{_SCRIPT}/"):
        path = ""
    return base, path, page.replace("_", " ")


def namespace_settings(
    entries: Iterable[DumpNamespace],
    code: str,
    *,
    first_letter: bool,
    project: str = "",
    main_subpages: bool = False,
) -> Iterator[NamespaceConfig]:
    """Yield the settings of namespaces, without those that are as on every wiki in the language.

    Args:
        entries: the namespaces.
        code: the language of the wiki, whose names are not repeated; empty for English.
        first_letter: whether the first letter of titles is capitalised by default.
        project: the name of the project namespace; by default, that among the entries.
        main_subpages: whether the main namespace has subpages.
    """
    entries = list(entries)
    own = (entry.name for entry in entries if entry.id == PROJECT)
    names = language(code or ENGLISH)
    table = core_namespaces(project or next(own, "Project"), names, main_subpages=main_subpages)
    for entry in entries:
        core = next((namespace for namespace in table if namespace.id == entry.id), None)
        is_usual = core is not None and core.name == entry.name
        if is_usual and (entry.id < 0 or entry.first_letter == first_letter):
            continue
        if not entry.name and entry.id != MAIN:
            continue  # No title could be in it.
        yield NamespaceConfig(
            entry.id,
            entry.name,
            canonical=_CANONICAL.get(entry.id, ""),
            subpages=None if core or entry.id % 2 == 0 else True,
            first_letter=None if entry.first_letter == first_letter else entry.first_letter,
            content_model="Scribunto" if entry.id == MODULE else "",
        )
