"""The configuration of an imported wiki: settings, interwiki map and main page.

The head of a dump, ``<siteinfo>``, is compared with a configuration, or one is written from it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from peewee import fn

from wikiapi.config import SiteConfig
from wikiapi.errors import ConfigError
from wikiapi.importing.origin import Origin, language_of, namespace_settings, site_settings
from wikiapi.importing.xml.records import SiteInfo
from wikiapi.languages.codes import is_existing_language
from wikiapi.languages.language import ENGLISH, language
from wikiapi.site import Site
from wikiapi.store.database import Database
from wikiapi.store.models import Interwiki, LinkTarget, Page, PageLinks
from wikiapi.store.queries import pages, texts
from wikiapi.store.queries.interwiki import InterwikiRow, all_rows
from wikiapi.title.interwiki import is_linkable
from wikiapi.title.namespaces import MAIN, MEDIAWIKI, PROJECT, NamespaceTable
from wikiapi.title.title import Title

_MESSAGE = (MEDIAWIKI, "Mainpage")
_FEWEST_LINKS = 3
"""How many pages must link to a page for it to be taken for the main page."""
WRITTEN = "# Written by `wikiapi import` from the head of a dump."
"""The first line of a configuration that the import wrote."""


def differences(origin: Origin, config: SiteConfig, namespaces: NamespaceTable) -> Iterator[str]:
    """Yield the differences between a dump and the settings of a wiki, one sentence each."""
    name = origin.settings.get("name", "")
    if name and name != config.name:
        yield f"the dump's wiki is called {name!r}, the configuration's {config.name!r}"
    if origin.language and origin.language != config.language:
        yield f"the dump's language is {origin.language!r}, the configuration's {config.language!r}"
    capital, main = origin.settings.get("capital_links", True), namespaces[MAIN]
    if origin.settings and capital != main.first_letter:
        case = "begin with a capital" if capital else "are case-sensitive"
        yield f"titles of the dump {case}; see the setting capital_links"
    for entry in origin.namespaces:
        here = namespaces.get(entry.id)
        if here is None:
            yield f"namespace {entry.id} ({entry.name!r}) is not configured"
        elif here.name != entry.name:
            yield f"namespace {entry.id} is {entry.name!r} in the dump, {here.name!r} here"


def config_text(info: SiteInfo, database_url: str, folder: str) -> str:
    """Return the text of a ``wikiapi.toml`` for the wiki that a dump was made from.

    ``folder`` is the upload folder, which ``wikiapi fetch-files`` creates. The address of the
    original wiki is written as ``source``, since the imported one is served at another address.
    """
    lines = [WRITTEN, "[site]", *_settings(site_settings(info))]
    lines += ["", "[database]", *_settings({"url": database_url})]
    lines += ["", "[files]", *_settings({"folder": folder})]
    namespaces = namespace_settings(
        info.namespaces, language_of(info), first_letter=info.first_letter
    )
    for entry in namespaces:
        values = {
            each.name: value
            for each in fields(entry)
            if (value := getattr(entry, each.name)) != each.default
        }
        lines += ["", "[[namespaces]]", *_settings(values)]
    return "\n".join(lines) + "\n"


def with_main_page(text: str, title: str) -> str:
    """Return a text of :func:`config_text` with another main page."""
    line = f"main_page = {_toml(title)}"
    lines = [each for each in text.split("\n") if not each.startswith("main_page = ")]
    place = lines.index("[site]") + 1
    return "\n".join([*lines[:place], line, *lines[place:]])


def _settings(values: Mapping[str, object]) -> list[str]:
    return [f"{name} = {_toml(value)}" for name, value in values.items()]


def _toml(value: object) -> str:
    # A JSON string is also a TOML string, except that JSON does not escape DEL.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


# The file of an interwiki map is the wiki's answer to
# ``api.php?action=query&meta=siteinfo&siprop=interwikimap&format=json``, or its list of entries.

_WIKIMEDIA = re.compile(
    r"(?:https?:)?//[a-z-]+\.(wikipedia|wiktionary|wikibooks|wikiquote|wikisource|wikinews"
    r"|wikiversity|wikivoyage)\.org(?:[/?#]|\Z)",
    re.ASCII | re.IGNORECASE,
)
_PREFIX = re.compile(r"[^\s:#<>\[\]{|}]{1,32}")


def read_interwiki(path: Path) -> list[InterwikiRow]:
    """Return the interwiki map in a file.

    Raises:
        ConfigError: the file cannot be read or contains no interwiki map.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError(f"cannot read the interwiki map {path}: {error}") from error
    for name in ("query", "interwikimap"):
        data = data.get(name) if isinstance(data, dict) else data
    if not isinstance(data, list):
        raise ConfigError(f"{path} contains no interwiki map")
    return [_interwiki_row(entry, path) for entry in data]


def default_interwiki(base: str) -> list[InterwikiRow]:
    """Return the interwiki prefixes that most wikis have.

    ``base`` is the address of the dump's main page. For a Wikimedia project, the prefixes of its
    languages are included.
    """
    text = resources.files(__package__).joinpath("interwiki.json").read_text(encoding="utf-8")
    data = json.loads(text)
    rows = [InterwikiRow(prefix, url, "", "", 0, 0) for prefix, url in data["prefixes"].items()]
    match = _WIKIMEDIA.match(base)
    languages = data["languages"].split() if match else []
    rows += [
        InterwikiRow(code, f"https://{code}.{match[1].lower()}.org/wiki/$1", "", "", 1, 0)
        for code in languages
        if match
    ]
    return rows


def fill_interwiki(db: Database, rows: Iterable[InterwikiRow]) -> None:
    """Write the interwiki map of a store, unless it already has one."""
    if not all_rows(db):
        unique = {row.prefix.lower(): row for row in rows}
        db.insert_many(Interwiki, unique.values())


def _interwiki_row(entry: Any, path: Path) -> InterwikiRow:
    if not isinstance(entry, dict):
        raise ConfigError(f"{path}: an entry of the interwiki map is not an object")
    prefix, url = entry.get("prefix"), entry.get("url")
    if not isinstance(prefix, str) or not _PREFIX.fullmatch(prefix) or not isinstance(url, str):
        raise ConfigError(f"{path}: an entry of the interwiki map needs a prefix and a url")
    api = str(entry.get("api", ""))
    for address in (url, api) if api else (url,):
        if not is_linkable(address):
            raise ConfigError(
                f"{path}: the interwiki prefix {prefix!r} leads to {address[:100]!r}, which is"
                " neither an http or https address nor a relative one"
            )
    return InterwikiRow(
        prefix.lower(),
        url,
        api,
        str(entry.get("wikiid", "")),
        # In formatversion 1 a flag is an empty string if it is set, and absent otherwise.
        int(entry.get("local", False) not in (False, 0)),
        int(entry.get("trans", False) not in (False, 0)),
    )


# The main page


def has_main_page(site: Site) -> bool:
    """Return whether the configured main page is in the store."""
    return bool(pages.by_titles(site.db, [site.main_page.key]))


def guessed_main_page(site: Site) -> Title | None:
    """Return the page of the store that is most likely the main page, or None.

    The first of these that exists is returned: the page named in the wiki's ``MediaWiki:Mainpage``,
    the page with the name of the wiki, ``Main Page``, a page whose title ends with the name of the
    main page, and the page that most pages link to, if at least three do.
    """
    names = [site.config.site.name, "Main Page"]
    message = texts.current(site.db, [_MESSAGE]).get(_MESSAGE)
    if message and message.text:
        names.insert(0, message.text.strip())
    for name in names:
        title = site.titles.try_parse(name, MAIN)
        is_page = title and title.dbkey and not title.interwiki and title.ns >= 0
        if title and is_page and pages.by_titles(site.db, [title.key]):
            return title
    return _page_named_like_main_pages(site) or _most_linked_page(site)


_TITLES_AT_ONCE = 5_000
_PART_ENDS = re.compile("[_/:]")


def _page_named_like_main_pages(site: Site) -> Title | None:
    """Return the article or project page whose title ends with the name of a main page, or None.

    Of several (``de/Main_Page``, ``en/Main_Page``), one in the language that the address of the
    original wiki names is preferred, or else in the wiki's language; then the shortest.
    """
    named = [site.main_page.dbkey, language(site.language).main_page, language(ENGLISH).main_page]
    names = tuple(name.replace(" ", "_") for name in dict.fromkeys(named))
    # Some addresses have the code of the language among their parts (``https://de.example/en/X``).
    url = urlsplit(site.config.site.source)
    words = (*url.path.lower().split("/")[1:-1], *url.netloc.lower().split(".")[:1])
    codes = [word for word in words if word.isascii() and is_existing_language(word)]
    codes.append(site.language)
    places = {code: place for place, code in reversed(list(enumerate(codes)))}
    choices: list[tuple[int, int, int, str]] = []
    for namespace in (*site.namespaces.content, PROJECT):
        for key in _articles(site.db, namespace):
            name = next((name for name in names if key.endswith(name)), None)
            before = key.removesuffix(name) if name else ""
            if name is None or (before and not _PART_ENDS.match(before[-1])):
                continue
            parts = _PART_ENDS.split(before.lower())
            place = min(places.get(part, len(codes)) for part in parts)
            choices.append((place, len(key), namespace, key))
    return site.titles.make(*min(choices)[2:]) if choices else None


def _articles(db: Database, namespace: int) -> Iterator[str]:
    """Yield the keys of the pages in a namespace that are no redirects."""
    last: str | None = None
    while rows := pages.by_title(db, namespace, _TITLES_AT_ONCE, start=last, redirects=False):
        keys = [key for key, _ in rows if key != last]
        yield from keys
        if len(rows) < _TITLES_AT_ONCE:
            return
        last = keys[-1]


def _most_linked_page(site: Site) -> Title | None:
    count = fn.COUNT(PageLinks.pl_from)
    query = (
        PageLinks.select(LinkTarget.lt_title, count)
        .join(LinkTarget, on=(LinkTarget.lt_id == PageLinks.pl_target_id))
        .join(
            Page,
            on=(
                (Page.page_namespace == LinkTarget.lt_namespace)
                & (Page.page_title == LinkTarget.lt_title)
            ),
        )
        .where((LinkTarget.lt_namespace == MAIN) & (PageLinks.pl_from_namespace == MAIN))
        .group_by(LinkTarget.lt_title)
        .order_by(count.desc(), LinkTarget.lt_title)
        .limit(1)
    )
    row = site.db.row(query)
    if row is None or row[1] < _FEWEST_LINKS:
        return None
    return site.titles.make(MAIN, row[0])
