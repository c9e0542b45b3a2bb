"""Takes over the settings of a live wiki from what its API says with ``meta=siteinfo``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from wikiapi.attach.extensions import (
    PARSER_FUNCTIONS,
    STRING_FUNCTIONS,
    Installed,
    take_extensions,
)
from wikiapi.attach.takeover import NamespaceFacts, Takeover, namespace_entries
from wikiapi.config import Config
from wikiapi.importing.live.client import LiveApi
from wikiapi.importing.live.jsonobject import JsonObject
from wikiapi.languages.codes import is_existing_language
from wikiapi.store.database import Database
from wikiapi.store.queries.sitestats import statistics
from wikiapi.texts import counted
from wikiapi.title.namespaces import MAIN, PROJECT
from wikiapi.wikitext.protocols import LISTED

_PARTS = (
    *("general", "namespaces", "namespacealiases", "protocols", "extensions", "rightsinfo"),
    *("usergroups", "defaultoptions", "fileextensions", "interwikimap", "statistics"),
    *("extensiontags", "functionhooks", "variables"),
)
WORDS: Mapping[str, str] = {
    "extensiontags": "tags",
    "functionhooks": "parser functions",
    "variables": "variables",
}
"""The parts of the answer that list words of wikitext, and what these are."""
_MOST = 100_000
"""The longest list; Wikimedia's wikis have a thousand interwiki prefixes."""
_OF_STRINGS = "explode"
"""One of the functions that ParserFunctions has only if those for strings are on."""
_LINE = re.compile(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029]{0,1000}")


class LiveWiki:
    """The answer of a live wiki. Its methods may raise DumpError for one that cannot be used."""

    def __init__(self, api: LiveApi) -> None:
        """Ask the wiki about itself.

        Raises:
            DumpError: it does not answer.
        """
        params = {"action": "query", "meta": "siteinfo", "siprop": "|".join(_PARTS)}
        self.query = JsonObject(api.ask(params), "the answer").object("query")
        self.general = self.query.object("general")

    def words(self, part: str) -> frozenset[str]:
        """Return the words of wikitext in a part of the answer, such as ``<ref>``."""
        return frozenset(_texts(self.query, part))

    def differences(self, db: Database) -> Iterator[str]:
        """Yield how many pages and files the wiki has, where a store has other numbers."""
        here, there = statistics(db), self.query.object("statistics")
        for name, word, stored in (
            ("pages", "page", here.pages),
            ("articles", "article", here.articles),
            ("images", "file", here.images),
        ):
            number = there.number(name, stored)
            if number != stored:
                yield f"the live wiki has {counted(number, word)}, the store {stored}"


def take_over(wiki: LiveWiki, installed: Installed) -> Takeover:
    """Return what is taken over from a live wiki.

    Its address is not, since the copy is at another one; it is the ``source``.
    """
    takeover = Takeover()
    for setting in _SETTINGS:
        value = setting.read(wiki)
        if value is None:
            continue
        if not all(map(_LINE.fullmatch, _strings(value))):
            takeover.missing.append(f"{setting.source}: a text with unusual characters")
        elif value == _default(setting.table, setting.name):
            takeover.defaults.append(f"{setting.table}.{setting.name}")
        else:
            takeover.take(setting.table, setting.name, value, setting.source)
    groups = {
        name: rights
        for name, rights in _rights(wiki).items()
        if name != "*" and set(rights) != set(installed.groups.get(name, ()))
    }
    if groups:
        takeover.take("permissions", "groups", groups, "usergroups")
    _take_namespaces(takeover, wiki)
    extensions = {
        name: "extensions"
        for entry in wiki.query.objects("extensions", _MOST)
        if entry.text("type", "") != "skin" and (name := entry.text("name", ""))
    }
    covering = take_extensions(takeover, extensions, installed, all_known=True)
    if PARSER_FUNCTIONS in covering and _OF_STRINGS not in wiki.words("functionhooks"):
        takeover.take_option(PARSER_FUNCTIONS, STRING_FUNCTIONS, False, "functionhooks")
    takeover.settle_sizes()
    return takeover


def _default(table: str, name: str) -> object:
    value = getattr(getattr(Config(), table), name)
    if isinstance(value, tuple):
        return [list(each) if isinstance(each, tuple) else each for each in value]
    return value


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)


# Settings


class _Setting(NamedTuple):
    """A setting, how it is read from the answer, and the name of its value there.

    ``read`` returns None if the wiki does not say it, as an older one.
    """

    table: str
    name: str
    source: str
    read: Callable[[LiveWiki], object]


_Read = Callable[[JsonObject, str], object]


def _general(table: str, name: str, key: str, read: _Read) -> _Setting:
    """Return a setting that is a value of the part ``general``."""

    def value(wiki: LiveWiki) -> object:
        return read(wiki.general, key) if wiki.general.values.get(key) is not None else None

    return _Setting(table, name, key, value)


def _text(data: JsonObject, key: str) -> str:
    """Return a text; PHP writes false for one that is not set."""
    return "" if data.values.get(key) is False else data.text(key)


def _texts(data: JsonObject, key: str) -> list[str]:
    return [str(each) for each in _list(data, key)]


def _numbers(data: JsonObject, key: str) -> list[int]:
    return [each for each in _list(data, key) if type(each) is int]


def _list(data: JsonObject, key: str) -> list[Any]:
    """Return the values of a list, or of what PHP writes as an object with numbers for names."""
    value = data.values.get(key)
    inner = list(value.values()) if isinstance(value, dict) else value
    return inner[:_MOST] if isinstance(inner, list) else []


def _language(data: JsonObject, key: str) -> str | None:
    code = data.text(key)
    return code if is_existing_language(code) else None


def _capital_links(data: JsonObject, key: str) -> bool:
    return data.text(key) != "case-sensitive"


def _magic_links(data: JsonObject, key: str) -> list[str]:
    links = data.object(key)
    return [kind for kind in ("ISBN", "PMID", "RFC") if links.flag(kind)]


def _external_images(data: JsonObject, key: str) -> bool | list[str]:
    """Return which images are shown; an empty beginning is that of all addresses."""
    beginnings = _texts(data, key)
    return True if "" in beginnings else beginnings or False


def _sizes(data: JsonObject, key: str) -> list[list[int]]:
    sizes = [JsonObject.of(each, key) for each in _list(data, key)]
    return [[size.number("width"), size.number("height")] for size in sizes]


def _gallery(name: str, key: str, read: _Read) -> _Setting:
    def value(wiki: LiveWiki) -> object:
        options = wiki.general.object("galleryoptions")
        return read(options, key) if key in options.values else None

    return _Setting("gallery", name, "galleryoptions", value)


def _option(name: str, key: str) -> _Setting:
    """Return a setting that is a preference of users who have not changed it."""

    def value(wiki: LiveWiki) -> object:
        text = str(wiki.query.object("defaultoptions").values.get(key, ""))
        return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else None

    return _Setting("files", name, "defaultoptions", value)


def _right(name: str, key: str) -> _Setting:
    return _Setting(
        "site", name, "rightsinfo", lambda wiki: wiki.query.object("rightsinfo").text(key, "")
    )


def _project_namespace(wiki: LiveWiki) -> str:
    project = wiki.query.object("namespaces").object(str(PROJECT)).text("name", "")
    return "" if project == wiki.general.text("sitename", "").replace("_", " ") else project


def _local_interwikis(wiki: LiveWiki) -> list[str]:
    listed = wiki.query.objects("interwikimap", _MOST)
    return [each.text("prefix") for each in listed if each.flag("localinterwiki")]


def _protocols(wiki: LiveWiki) -> set[str]:
    """Return the protocols; in the list, those with and without slashes are one."""
    return set(_texts(wiki.query, "protocols"))


def _add_protocols(wiki: LiveWiki) -> list[str] | None:
    return sorted(_protocols(wiki) - set(LISTED))


def _remove_protocols(wiki: LiveWiki) -> list[str] | None:
    """Return the protocols that the wiki lacks, of which those of newer versions are some."""
    listed = _protocols(wiki)
    with_slashes = {each.removesuffix("//") for each in listed}
    missing = [each for each in LISTED if each not in listed and each not in with_slashes]
    return missing if listed else None


def _rights(wiki: LiveWiki) -> dict[str, list[str]]:
    groups = wiki.query.objects("usergroups", _MOST)
    return {each.text("name"): _texts(each, "rights") for each in groups}


_SETTINGS: tuple[_Setting, ...] = (
    _general("site", "name", "sitename", _text),
    _Setting("site", "project_namespace", "namespaces", _project_namespace),
    _general("site", "wiki_id", "wikiid", _text),
    _general("site", "script_path", "scriptpath", _text),
    _general("site", "article_path", "articlepath", _text),
    _general("site", "variant_article_path", "variantarticlepath", _text),
    _general("site", "main_page", "mainpage", _text),
    _general("site", "language", "lang", _language),
    _general("site", "timezone", "timezone", _text),
    _general("site", "capital_links", "case", _capital_links),
    _general("site", "category_collation", "categorycollation", _text),
    _Setting("site", "local_interwikis", "interwikimap", _local_interwikis),
    _Setting(
        "site",
        "main_subpages",
        "namespaces",
        lambda wiki: wiki.query.object("namespaces").object(str(MAIN)).flag("subpages"),
    ),
    _general("site", "generator", "generator", _text),
    _general("site", "logo", "logo", _text),
    _right("rights_url", "url"),
    _right("rights_text", "text"),
    _general("site", "source", "base", _text),
    _general("wikitext", "magic_links", "magiclinks", _magic_links),
    _general("wikitext", "external_images", "externalimages", _external_images),
    _general("wikitext", "no_follow", "nofollowlinks", JsonObject.flag),
    _general("wikitext", "no_follow_domains", "nofollowdomainexceptions", _texts),
    _general("wikitext", "no_follow_namespaces", "nofollownsexceptions", _numbers),
    _general("wikitext", "external_link_target", "externallinktarget", _text),
    _Setting("wikitext", "add_protocols", "protocols", _add_protocols),
    _Setting("wikitext", "remove_protocols", "protocols", _remove_protocols),
    _general("wikitext", "interwiki_magic", "interwikimagic", JsonObject.flag),
    _Setting("permissions", "anonymous_rights", "usergroups", lambda wiki: _rights(wiki).get("*")),
    _Setting(
        "editing",
        "upload_types",
        "fileextensions",
        lambda wiki: [each.text("ext") for each in wiki.query.objects("fileextensions", _MOST)],
    ),
    _general("editing", "upload_bytes", "maxuploadsize", JsonObject.number),
    _general("editing", "min_chunk_bytes", "minuploadchunksize", JsonObject.number),
    _general("files", "thumb_limits", "thumblimits", _numbers),
    _option("thumb_size", "thumbsize"),
    _general("files", "image_limits", "imagelimits", _sizes),
    _option("image_size", "imagesize"),
    _general("files", "uploads", "uploadsenabled", JsonObject.flag),
    _gallery("images_per_row", "imagesPerRow", JsonObject.number),
    _gallery("image_width", "imageWidth", JsonObject.number),
    _gallery("image_height", "imageHeight", JsonObject.number),
    _gallery("show_bytes", "showBytes", JsonObject.flag),
    _gallery("show_dimensions", "showDimensions", JsonObject.flag),
    _gallery("mode", "mode", _text),
    _general("limits", "article_size", "maxarticlesize", JsonObject.number),
    _general("limits", "miser", "misermode", JsonObject.flag),
)
"""What the answer tells, in the order of the report."""


# Namespaces


def _take_namespaces(takeover: Takeover, wiki: LiveWiki) -> None:
    aliases: dict[int, list[str]] = {}
    for entry in wiki.query.objects("namespacealiases", _MOST):
        aliases.setdefault(entry.namespace("id"), []).append(entry.text("alias"))
    site = takeover.settings.get("site", {})
    facts = [
        NamespaceFacts(
            number := entry.namespace("id"),
            entry.text("name"),
            entry.text("canonical", ""),
            tuple(aliases.get(number, ())),
            subpages=entry.flag("subpages") if number != MAIN else None,
            content=entry.flag("content"),
            first_letter=entry.text("case", "") != "case-sensitive",
            includable=not entry.flag("nonincludable"),
            content_model=entry.text("defaultcontentmodel", ""),
            protection=tuple(filter(None, entry.text("namespaceprotection", "").split("|"))),
        )
        for _, entry in wiki.query.object("namespaces").members()
    ]
    project = next((each.name for each in facts if each.id == PROJECT), "")
    capital_links = bool(site.get("capital_links", True))
    code = str(site.get("language", ""))
    for each in namespace_entries(facts, code, project, capital_links=capital_links):
        takeover.take_entry("namespaces", each, "namespaces")
