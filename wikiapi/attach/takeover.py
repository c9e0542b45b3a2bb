"""What is taken over from a wiki: settings that were checked, and what is said about the rest."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from wikiapi.config import FilesConfig, check_setting, parse_config
from wikiapi.errors import ConfigError

Tables = dict[str, Any]
"""Settings as in a TOML file: tables by name, and lists of tables."""

LISTS = {"namespaces": "id", "repositories": "name"}
"""The lists of tables, and the setting that tells the entries of each apart."""
_PASSWORD = re.compile(r"(://[^:/@\s]*:)[^@/\s\"]*@")
_LONGEST = 100


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

    def take(self, table: str, name: str, value: object, source: str) -> None:
        """Add a setting, unless it has a value that is not permitted."""
        try:
            check_setting(table, name, value)
        except ConfigError as error:
            self.missing.append(f"{source}: {error}")
            return
        self.settings.setdefault(table, {})[name] = value
        self._say(f"{table}.{name}", f" = {shown(value)}", source)

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
        others = ", ".join(f"{k} = {shown(v)}" for k, v in entry.items() if k != key)
        self._say(f"{table} {entry[key]}", f": {others}", source)

    def take_option(self, plugin: str, name: str, value: object, source: str) -> None:
        """Add a setting of a plugin."""
        self.settings.setdefault("extensions", {}).setdefault(plugin, {})[name] = value
        self._say(f"extensions.{plugin}.{name}", f" = {shown(value)}", source)

    def take_plugin(self, extension: str, plugin: str, source: str, *, switched_on: bool) -> None:
        """Add an extension that a plugin covers; an empty table switches some of them on."""
        if switched_on:
            self.settings.setdefault("extensions", {}).setdefault(plugin, {})
        self._say(f"extension {extension}", f": plugin {plugin}", source)

    def _say(self, setting: str, value: str, source: str) -> None:
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


def shown(value: object) -> str:
    """Return a value as in TOML, shortened, without the password of a URL."""
    text = json.dumps(value, ensure_ascii=False)
    text = without_password(text)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def without_password(text: str) -> str:
    """Return a text in which stars replace the passwords of database URLs."""
    return _PASSWORD.sub(r"\1***@", text)
