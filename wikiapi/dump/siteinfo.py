"""Compares a dump's ``<siteinfo>`` with the configuration, and writes a configuration from it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote

from wikiapi.dump.xml.records import DumpNamespace, SiteInfo
from wikiapi.errors import ConfigError
from wikiapi.i18n.languages import is_language_code
from wikiapi.site import Site
from wikiapi.store.database import Database
from wikiapi.store.models import Interwiki
from wikiapi.store.queries.interwiki import InterwikiRow, all_rows
from wikiapi.title.interwiki import is_linkable
from wikiapi.title.namespaces import MODULE, PROJECT, core_namespaces

_BASE = re.compile(
    r"(?P<server>https?://(?:[\w.-]+|\[[0-9a-f:.]+\])(?::[0-9]+)?)"
    r"""(?P<folder>/(?:[^\s/?#"'<>\\]+/)*)"""
    r"(?P<page>[^\s/?#\"'<>\\]*+)(?:\?(?P<query>[^\s#\"'<>\\]*+))?(?:#\S*)?"
)
_SCRIPT = ".php"
WRITTEN = "# Written by `wikiapi import` from the head of a dump."
"""The first line of a configuration that the import wrote."""
_WIKI_ID = re.compile(r"[\w.-]{1,64}", re.ASCII)
_LINE = re.compile(r"[^\x00-\x1f\x7f-\x9f]{1,255}")
_CANONICAL = {828: "Module", 829: "Module talk"}


def differences(info: SiteInfo, site: Site) -> list[str]:
    """Return the differences between a dump and the configuration, one sentence each."""
    return list(_differences(info, site))


def _differences(info: SiteInfo, site: Site) -> Iterator[str]:
    config = site.config.site
    if info.name and info.name != config.name:
        yield f"the dump's wiki is called {info.name!r}, the configuration's {config.name!r}"
    if info.first_letter != config.capital_links:
        case = "begin with a capital" if info.first_letter else "are case-sensitive"
        yield f"titles of the dump {case}; see the setting capital_links"
    for entry in info.namespaces:
        known = site.namespaces.get(entry.id)
        if known is None:
            yield f"namespace {entry.id} ({entry.name!r}) is not configured"
        elif known.name != entry.name:
            yield f"namespace {entry.id} is {entry.name!r} in the dump, {known.name!r} here"


def config_text(info: SiteInfo, database_url: str, folder: str) -> str:
    """Return the text of a ``wikiapi.toml`` for the wiki that a dump was made from.

    ``folder`` is the upload folder, which ``wikiapi fetch-files`` creates. The address of the
    original wiki is written as ``source``, since the imported one is served at another address.
    """
    names = {entry.id: entry.name for entry in info.namespaces}
    lines = [WRITTEN, "[site]", *_settings(_site_settings(info, names.get(PROJECT, "")))]
    lines += ["", "[database]", *_settings({"url": database_url})]
    lines += ["", "[files]", *_settings({"folder": folder})]
    for entry in info.namespaces:
        if values := _namespace_settings(entry, info):
            lines += ["", "[[namespaces]]", *_settings(values)]
    return "\n".join(lines) + "\n"


def _site_settings(info: SiteInfo, project: str) -> Mapping[str, object]:
    """Return the values that are valid settings; those in a dump may be anything."""
    source, article_path, main_page = _addresses(info.base)
    values: dict[str, str] = {
        "name": info.name,
        "project_namespace": project if project != info.name else "",
        "wiki_id": info.wiki_id if _WIKI_ID.fullmatch(info.wiki_id) else "",
        "source": source,
        "article_path": article_path,
        "main_page": main_page,
        "language": info.language if is_language_code(info.language) else "",
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


def with_main_page(text: str, title: str) -> str:
    """Return a text of :func:`config_text` with another main page."""
    line = f"main_page = {_toml(title)}"
    lines = [each for each in text.split("\n") if not each.startswith("main_page = ")]
    place = lines.index("[site]") + 1
    return "\n".join([*lines[:place], line, *lines[place:]])


def _namespace_settings(entry: DumpNamespace, info: SiteInfo) -> dict[str, object]:
    """Return the settings of a namespace; none if they are those of every wiki."""
    project = next((other.name for other in info.namespaces if other.id == PROJECT), "Project")
    core = {namespace.id: namespace for namespace in core_namespaces(project)}.get(entry.id)
    if core and core.name == entry.name and entry.first_letter == info.first_letter:
        return {}
    if core and entry.id < 0 and core.name == entry.name:
        return {}
    values: dict[str, object] = {"id": entry.id, "name": entry.name}
    if entry.id in _CANONICAL:
        values["canonical"] = _CANONICAL[entry.id]
    if core.subpages if core else entry.id % 2 == 1:
        values["subpages"] = True
    if core and core.content:
        values["content"] = True
    if not entry.first_letter:
        values["first_letter"] = False
    if entry.id == MODULE:
        values["content_model"] = "Scribunto"
    return values


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
    return [_row(entry, path) for entry in data]


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


def _row(entry: Any, path: Path) -> InterwikiRow:
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
