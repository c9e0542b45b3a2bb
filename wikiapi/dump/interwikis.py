"""The interwiki map of a new store: a dump has none, so it comes from a file or from a short list.

The file is what ``api.php?action=query&meta=siteinfo&siprop=interwikimap&format=json`` of the wiki
answers, or just its list of entries.
"""

from __future__ import annotations

import json
import re
from importlib import resources
from typing import TYPE_CHECKING, Any

from wikiapi.errors import ConfigError
from wikiapi.store.interwiki import InterwikiRow, all_rows
from wikiapi.store.models import Interwiki
from wikiapi.title.interwiki import is_linkable

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from wikiapi.store.database import Database

_WIKIMEDIA = re.compile(
    r"(?:https?:)?//[a-z-]+\.(wikipedia|wiktionary|wikibooks|wikiquote|wikisource|wikinews"
    r"|wikiversity|wikivoyage)\.org(?:[/?#]|\Z)",
    re.ASCII | re.IGNORECASE,
)
_PREFIX = re.compile(r"[^\s:#<>\[\]{|}]{1,32}")


def read_interwiki(path: Path) -> list[InterwikiRow]:
    """The entries of a file.

    Raises:
        ConfigError: the file cannot be read or holds no interwiki map.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError(f"cannot read the interwiki map {path}: {error}") from error
    for name in ("query", "interwikimap"):
        data = data.get(name) if isinstance(data, dict) else data
    if not isinstance(data, list):
        raise ConfigError(f"{path} holds no interwiki map")
    return [_row(entry, path) for entry in data]


def default_interwiki(base: str) -> list[InterwikiRow]:
    """Prefixes that most wikis have; for a project of Wikimedia's the languages as well.

    ``base`` is the address of the dump's main page.
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
    """Give a store its map, unless it has one."""
    if not all_rows(db):
        unique = {row.prefix.lower(): row for row in rows}
        db.insert_many(Interwiki, unique.values())


def _row(entry: Any, path: Path) -> InterwikiRow:
    if not isinstance(entry, dict):
        raise ConfigError(f"{path}: an entry of the interwiki map is no object")
    prefix, url = entry.get("prefix"), entry.get("url")
    if not isinstance(prefix, str) or not _PREFIX.fullmatch(prefix) or not isinstance(url, str):
        raise ConfigError(f"{path}: an entry of the interwiki map needs a prefix and a url")
    api = str(entry.get("api", ""))
    for address in (url, api) if api else (url,):
        if not is_linkable(address):
            raise ConfigError(
                f"{path}: the interwiki prefix {prefix!r} leads to {address[:100]!r}, which is no"
                " address over http or https and no relative one"
            )
    return InterwikiRow(
        prefix.lower(),
        url,
        api,
        str(entry.get("wikiid", "")),
        # In formatversion 1 a flag is there, empty, or is not there.
        int(entry.get("local", False) not in (False, 0)),
        int(entry.get("trans", False) not in (False, 0)),
    )
