"""Gadgets: scripts and style sheets that a wiki defines on ``MediaWiki:Gadgets-definition``.

Each line under the heading of a category declares a gadget::

    == browsing ==
    * name[ResourceLoader|default|dependencies=mediawiki.util]|script.js|style.css

The pages of this gadget are ``MediaWiki:Gadget-script.js`` and ``MediaWiki:Gadget-style.css``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from wikiapi.site import Site
from wikiapi.title import MEDIAWIKI, Title

NAME = "gadgets"
"""The table of the configuration that enables gadgets."""
DEFINITION = "Gadgets-definition"
MODULE_PREFIX = "ext.gadget."
_PAGE_PREFIX = "Gadget-"
_NUMBER = re.compile(r"-?[0-9]{1,9}\Z", re.ASCII)
_IDENTIFIER = re.compile(r"[A-Za-z][-_:. 0-9A-Za-z]*\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Gadget:
    """A gadget as its wiki declares it; ``pages`` are names without ``MediaWiki:Gadget-``."""

    name: str
    category: str
    pages: tuple[str, ...]
    flags: frozenset[str] = frozenset()
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def module(self) -> str:
        """The name of the gadget's resource module."""
        return MODULE_PREFIX + self.name

    @property
    def scripts(self) -> tuple[str, ...]:
        """The pages that hold its scripts."""
        return self._pages_of(".js")

    @property
    def styles(self) -> tuple[str, ...]:
        """The pages that hold its style sheets."""
        return self._pages_of(".css")

    @property
    def data(self) -> tuple[str, ...]:
        """The pages that hold its data, which only packages may have."""
        return self._pages_of(".json") if self.is_package else ()

    @property
    def is_default(self) -> bool:
        """Whether readers get it without having chosen it."""
        return "default" in self.flags

    @property
    def is_hidden(self) -> bool:
        """Whether users cannot choose it, because it is only loaded by other gadgets."""
        return "hidden" in self.flags

    @property
    def is_package(self) -> bool:
        """Whether its first script is the entry point, which loads the other files by name."""
        return "package" in self.flags and self.can_load

    @property
    def is_styles_only(self) -> bool:
        """Whether the page only links its style sheets, and no script runs."""
        types = self.options.get("type", ())
        if types:
            return types[0] == "styles"
        has_others = self.scripts or self.options.get("dependencies") or self.data
        return bool(self.styles) and not has_others

    def values(self, option: str) -> tuple[str, ...]:
        """Return the values of an option; empty if it is not given or is ``*`` (all)."""
        values = self.options.get(option, ())
        return () if values == ("*",) else values

    def is_for_visitors(self, skin: str, namespace: int = 0) -> bool:
        """Return whether visitors without an account get it when they view a page."""
        conditions = (("skins", skin), ("namespaces", str(namespace)), ("actions", "view"))
        fits = all(
            not self.values(option) or value in self.values(option) for option, value in conditions
        )
        return self.is_default and fits and not self.values("rights")

    @property
    def can_load(self) -> bool:
        """Whether its scripts can be loaded as a module; otherwise they are not run."""
        return "ResourceLoader" in self.flags

    @property
    def namespaces(self) -> tuple[int, ...]:
        """The namespaces on whose pages it is loaded; empty for all."""
        return tuple(int(name) for name in self.values("namespaces") if _NUMBER.match(name))

    def _pages_of(self, suffix: str) -> tuple[str, ...]:
        # Scripts are run only if the gadget declares that it supports ResourceLoader.
        if suffix == ".js" and not self.can_load:
            return ()
        return tuple(page for page in self.pages if page.endswith(suffix))


def is_on(site: Site) -> bool:
    """Return whether the configuration enables gadgets, by a table ``[extensions.gadgets]``."""
    return NAME in site.config.extensions


def page_title(site: Site, page: str) -> Title | None:
    """Return the title of a gadget's page; ``None`` if it is not valid."""
    title = site.titles.try_parse(f"{_PAGE_PREFIX}{page}", MEDIAWIKI)
    is_usable = title is not None and title.ns == MEDIAWIKI and not title.interwiki
    return title if is_usable else None


def read_definitions(text: str) -> Iterator[Gadget]:
    """Yield the gadgets of a definition page; of several with the same name, the last counts."""
    category = ""
    gadgets: dict[str, Gadget] = {}
    for line in text.split("\n"):
        if line.startswith("==") and line.rstrip().endswith("=="):
            category = line.strip("= \t\r")
        elif line.startswith("*") and (gadget := _gadget_of_line(line.lstrip("*"), category)):
            gadgets[gadget.name] = gadget
    yield from gadgets.values()


def _gadget_of_line(line: str, category: str) -> Gadget | None:
    """Return the gadget that a line declares; ``None`` if it declares none."""
    before, bracket, after = line.partition("[")
    if "|" in before or not bracket:
        before, _, pages = line.partition("|")
        settings = ""
    else:
        settings, _, after = after.partition("]")
        pages = after.partition("|")[2]
    name = before.strip()
    files = tuple(page.replace(" ", "_") for page in _stripped(pages.split("|")))
    if not _IDENTIFIER.match(name) or not files:
        return None
    flags: set[str] = set()
    options: dict[str, tuple[str, ...]] = {}
    for option in _stripped(settings.split("|")):
        key, sign, values = option.partition("=")
        if sign:
            options[key.strip()] = tuple(_stripped(values.split(",")))
        else:
            flags.add(option)
    return Gadget(name.replace(" ", "_"), category, files, frozenset(flags), options)


def _stripped(values: Iterable[str]) -> Iterator[str]:
    return (value.strip() for value in values if value.strip())
