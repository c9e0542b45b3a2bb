"""What is taken over from a wiki: settings that were checked, and what is said about the rest.

Namespaces become entries of ``[[namespaces]]``, without what every wiki has.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from wikiapi.config import FilesConfig, check_setting, parse_config
from wikiapi.errors import ConfigError
from wikiapi.languages.language import ENGLISH, language
from wikiapi.title.namespaces import (
    MAIN,
    MEDIAWIKI,
    MEDIAWIKI_TALK,
    SPECIAL,
    USER,
    USER_TALK,
    core_namespaces,
    local_aliases,
    local_name,
)

Tables = dict[str, Any]
"""Settings as in a TOML file: tables by name, and lists of tables."""

LISTS = {"namespaces": "id", "repositories": "name"}
"""The lists of tables, and the setting that tells the entries of each apart."""
_PASSWORD = re.compile(r"(://[^:/@\s]*:)[^@/\s\"]*@")
_LONGEST = 100
_ALWAYS_CAPITAL = frozenset({SPECIAL, USER, USER_TALK, MEDIAWIKI, MEDIAWIKI_TALK})


class Taken(NamedTuple):
    """A setting such as ``site.name``, a namespace or an extension, and what the report says."""

    setting: str
    text: str


@dataclass
class Takeover:
    """The settings of a wiki, and a report in three groups.

    ``taken`` are the settings, and ``defaults`` those that have their value anyway. ``meaningless``
    lists what has no meaning here by subject. ``missing`` are sentences about what could not be
    read or is not available.
    """

    settings: Tables = field(default_factory=dict)
    taken: list[Taken] = field(default_factory=list)
    defaults: list[str] = field(default_factory=list)
    meaningless: dict[str, list[str]] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)

    def miss(self, sentence: str) -> None:
        """Add a sentence about what could not be read or is not available."""
        if sentence not in self.missing:
            self.missing.append(sentence)

    def take(self, table: str, name: str, value: object, source: str) -> None:
        """Add a setting, unless it has a value that is not permitted."""
        try:
            check_setting(table, name, value)
        except ConfigError as error:
            self.missing.append(f"{source}: {error}")
            return
        self.settings.setdefault(table, {})[name] = value
        self._report(f"{table}.{name}", f" = {_printed(value)}", source)

    def settle_sizes(self) -> None:
        """Take the last size of lists that are shorter than the usual index into them."""
        files, usual = self.settings.get("files", {}), FilesConfig()
        for sizes, index in (("thumb_limits", "thumb_size"), ("image_limits", "image_size")):
            last = len(files.get(sizes, getattr(usual, sizes))) - 1
            if files.get(index, getattr(usual, index)) > last:
                files[index] = last

    def take_entry(self, table: str, entry: Mapping[str, object], source: str) -> None:
        """Add an entry of a list of tables, unless it has values that are not permitted."""
        try:
            parse_config({table: [entry]})
        except ConfigError as error:
            self.missing.append(f"{source}: {error}")
            return
        self.settings.setdefault(table, []).append(dict(entry))
        key = LISTS[table]
        others = ", ".join(f"{k} = {_printed(v)}" for k, v in entry.items() if k != key)
        self._report(f"{table} {entry[key]}", f": {others}", source)

    def take_option(self, plugin: str, name: str, value: object, source: str) -> None:
        """Add a setting of a plugin."""
        self.settings.setdefault("extensions", {}).setdefault(plugin, {})[name] = value
        self._report(f"extensions.{plugin}.{name}", f" = {_printed(value)}", source)

    def take_plugin(self, extension: str, plugin: str, source: str, *, switched_on: bool) -> None:
        """Add an extension that a plugin covers; an empty table switches some of them on."""
        if switched_on:
            self.settings.setdefault("extensions", {}).setdefault(plugin, {})
        self._report(f"extension {extension}", f": plugin {plugin}", source)

    def _report(self, setting: str, value: str, source: str) -> None:
        self.taken.append(Taken(setting, f"{setting}{value}  ({source})"))

    def leave(self, subject: str, name: str) -> None:
        """Add something that has no meaning here."""
        names = self.meaningless.setdefault(subject, [])
        if name not in names:
            names.append(name)

    def lines(self, *, kept: Sequence[str] = ()) -> Iterator[str]:
        """Yield the lines of the report.

        Args:
            kept: the settings that had a value before, which they keep.
        """
        yield f"Taken over ({len(self.taken) + len(self.defaults)}):"
        for entry in self.taken:
            mark = "; the file says something else, which stays" if entry.setting in kept else ""
            yield f"  {entry.text}{mark}"
        if self.defaults:
            yield f"  as by default: {', '.join(self.defaults)}"
        if self.meaningless:
            yield "Without a meaning here:"
            for subject, names in self.meaningless.items():
                yield f"  {subject}: {', '.join(names)}"
        if self.missing:
            yield f"Not read, or not available ({len(self.missing)}):"
            for sentence in self.missing:
                yield f"  {sentence}"


def _printed(value: object) -> str:
    """Return a value as in TOML, shortened, without the password of a URL."""
    text = without_password(json.dumps(value, ensure_ascii=False))
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def without_password(text: str) -> str:
    """Return a text in which stars replace the passwords of database URLs."""
    return _PASSWORD.sub(r"\1***@", text)


@dataclass
class NamespaceFacts:
    """What is known of a namespace; ``None`` and empty texts are unknown, or as usual."""

    id: int
    name: str = ""
    canonical: str = ""
    aliases: tuple[str, ...] = ()
    subpages: bool | None = None
    content: bool | None = None
    first_letter: bool | None = None
    includable: bool = True
    robots: str = ""
    content_model: str = ""
    protection: tuple[str, ...] = ()


def namespace_entries(
    namespaces: Iterable[NamespaceFacts], code: str, project: str, *, capital_links: bool
) -> Iterator[dict[str, Any]]:
    """Yield the entries of those namespaces that differ from what they are on every wiki.

    Args:
        namespaces: the namespaces.
        code: the content language, in which they have their usual names.
        project: the name of the project namespace.
        capital_links: whether titles begin with a capital unless their namespace says otherwise.
    """
    names = language(code or ENGLISH)
    core = {each.id: each for each in core_namespaces(project, names)}
    by_number = sorted(namespaces, key=lambda each: each.id)
    capitals = {each.id: each.first_letter for each in by_number}
    for each in by_number:
        usual = core.get(each.id)
        usual_name = usual.name if usual else local_name(each.id, project, names)
        if not (each.name or usual_name or each.id == MAIN):
            continue  # No title could be in it.
        values: dict[str, Any] = {"id": each.id}
        if each.name != usual_name and each.name:
            values["name"] = each.name
        elif usual is None:
            values["name"] = each.name or usual_name
        # Without a canonical name, that of an entry is its name.
        if each.canonical and each.canonical != (usual.canonical if usual else each.name):
            values["canonical"] = each.canonical
        taken = {*local_aliases(each.id, project, names), values.get("name", usual_name)}
        if aliases := [alias for alias in each.aliases if alias not in taken]:
            values["aliases"] = aliases
        attributes = (
            ("subpages", each.subpages, usual is not None and usual.subpages),
            ("content", each.content, usual is not None and usual.content),
            ("includable", each.includable, True),
            ("robots", each.robots, ""),
            ("content_model", each.content_model, ""),
            ("protection", list(each.protection), list(usual.protection) if usual else []),
        )
        values |= {
            name: value
            for name, value, default in attributes
            if value not in (None, default) and value != []
        }
        inherited = capitals.get(each.id & ~1) if each.id % 2 else None
        rule = capital_links if inherited is None else inherited
        if each.first_letter not in (None, rule) and each.id not in _ALWAYS_CAPITAL:
            values["first_letter"] = each.first_letter
        if len(values) > 1 and (each.id >= 0 or "name" in values or "aliases" in values):
            yield values
