"""The extensions of a wiki, and the plugins that cover them."""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

from wikiapi.attach.takeover import NamespaceFacts, Takeover

PARSER_FUNCTIONS = "parserfunctions"
STRING_FUNCTIONS = "string_functions"
_PLACEHOLDERS = "placeholders"
"""The plugin that shows words in place of maps and the like."""
_SEPARATORS = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Installed:
    """What this wikiapi has: its plugins, and the rights of groups by default.

    ``plugins`` are the names of plugins by the folded names of the extensions that they cover.
    Those in ``optional`` are off unless the configuration has a table for them.
    """

    plugins: Mapping[str, str]
    optional: frozenset[str]
    groups: Mapping[str, Sequence[str]]

    def plugin_of(self, extension: str) -> str:
        """Return the plugin that covers an extension, or ""."""
        name = facts().names.get(extension, extension)
        return self.plugins.get(folded(name), "")


class Option(NamedTuple):
    """The setting of a plugin that a variable of its extension sets, and the kind of its value."""

    plugin: str
    name: str
    kind: str


class Facts(NamedTuple):
    """What is known of extensions.

    ``names`` are the names of those that do the same as another, by whose name the plugin is known.
    ``namespaces`` are their numbers, names and constants; ``subpages`` and ``case_sensitive`` are
    numbers of these. ``options`` are by the names of variables. ``without_effect`` tells, by folded
    name, the subject of those that change nothing in pages that are only read; ``replaced`` is the
    tag for which a plugin shows words.
    """

    names: Mapping[str, str]
    namespaces: Mapping[str, Sequence[tuple[int, str, str]]]
    subpages: Container[int]
    case_sensitive: Container[int]
    options: Mapping[str, Option]
    without_effect: Mapping[str, str]
    replaced: Mapping[str, str]


@lru_cache(maxsize=1)
def facts() -> Facts:
    """Return the facts in ``extensions.json``."""
    data = json.loads(resources.files(__package__).joinpath("extensions.json").read_text("utf-8"))
    return Facts(
        names=data["names"],
        namespaces={
            name: [(number, local, constant) for number, local, constant in entries]
            for name, entries in data["namespaces"].items()
        },
        subpages=frozenset(data["subpages"]),
        case_sensitive=frozenset(data["case_sensitive"]),
        options={name: Option(*option) for name, option in data["options"].items()},
        without_effect={
            folded(name): subject
            for subject, names in data["without_effect"].items()
            for name in names
        },
        replaced={folded(name): tag for name, tag in data["replaced"].items()},
    )


def folded(extension: str) -> str:
    """Return a name without case and separators: wikis write both Header Tabs and HeaderTabs."""
    return _SEPARATORS.sub("", extension).lower()


def constants() -> dict[str, int]:
    """Return the constants of the namespaces that extensions bring."""
    return {
        constant: number
        for entries in facts().namespaces.values()
        for number, _, constant in entries
    }


def namespaces_of(extension: str) -> Iterator[NamespaceFacts]:
    """Yield the namespaces that an extension brings."""
    for number, name, _ in facts().namespaces.get(extension, ()):
        yield NamespaceFacts(
            number,
            name,
            subpages=number in facts().subpages,
            first_letter=False if number in facts().case_sensitive else None,
        )


def usual_names(number: int) -> list[str]:
    """Return the names of a namespace of this number in extensions that bring one, with these."""
    return [
        f'name = "{name}" ({extension})'
        for extension, entries in facts().namespaces.items()
        for each, name, _ in entries
        if each == number
    ]


def take_extensions(
    takeover: Takeover, extensions: Mapping[str, str], installed: Installed, *, all_known: bool
) -> frozenset[str]:
    """Take over the extensions of a wiki: switch plugins on and off, and report the others.

    Args:
        takeover: what is taken over.
        extensions: where each extension is loaded, by its name.
        installed: what this wikiapi has.
        all_known: whether these are all extensions, so that plugins for others can be off.

    Returns:
        the plugins that cover the extensions.
    """
    covering: dict[str, None] = {}
    for name, source in extensions.items():
        plugin = installed.plugin_of(name)
        if plugin:
            covering.setdefault(plugin)
            takeover.take_plugin(name, plugin, source, switched_on=plugin in installed.optional)
        elif subject := facts().without_effect.get(folded(name)):
            takeover.leave(f"extensions for {subject}", name)
        elif tag := facts().replaced.get(folded(name)):
            covering.setdefault(_PLACEHOLDERS)
            takeover.missing.append(f"extension {name} ({source}): words stand in place of <{tag}>")
        else:
            takeover.missing.append(f"extension {name} ({source}): no plugin")
    plugins = {*installed.plugins.values(), _PLACEHOLDERS} - installed.optional
    others = sorted(plugins - covering.keys())
    if all_known and others:
        takeover.take("plugins", "disabled", others, "the wiki does not load their extensions")
    return frozenset(covering)
