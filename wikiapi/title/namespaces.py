"""Namespaces: their numbers, names, aliases and properties."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from wikiapi.languages.grammar import decline
from wikiapi.languages.language import ENGLISH, GenderedName, Language

MEDIA = -2
SPECIAL = -1
MAIN = 0
TALK = 1
USER = 2
USER_TALK = 3
PROJECT = 4
PROJECT_TALK = 5
FILE = 6
FILE_TALK = 7
MEDIAWIKI = 8
MEDIAWIKI_TALK = 9
TEMPLATE = 10
TEMPLATE_TALK = 11
HELP = 12
HELP_TALK = 13
CATEGORY = 14
CATEGORY_TALK = 15
MODULE = 828
MODULE_TALK = 829


@dataclass(frozen=True, slots=True)
class Namespace:
    """A namespace.

    ``name`` is the local name with spaces, ``canonical`` the English one. Talk namespaces have odd
    numbers; those with negative numbers have no stored pages. ``protection`` has the rights
    required to edit pages of the namespace; ``robots`` is what search engines are told of them.
    ``genders`` are other names for pages of some users.
    """

    id: int
    name: str
    canonical: str
    aliases: tuple[str, ...] = ()
    first_letter: bool = True
    subpages: bool = False
    content: bool = False
    nonincludable: bool = False
    content_model: str | None = None
    protection: tuple[str, ...] = ()
    robots: str = ""
    genders: GenderedName | None = None
    prefix: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Set the prefix: ``Name:``, or empty for the main namespace."""
        object.__setattr__(self, "prefix", f"{self.name}:" if self.name else "")

    @property
    def is_talk(self) -> bool:
        """Whether this is a talk namespace."""
        return self.id > 0 and self.id % 2 == 1

    @property
    def is_virtual(self) -> bool:
        """Whether the namespace has no stored pages (Media and Special)."""
        return self.id < 0


class NamespaceTable:
    """The namespaces of one wiki, found by number or by any of their names."""

    def __init__(self, namespaces: Iterable[Namespace]) -> None:
        """Index the namespaces; a name that two share is that of the one with the higher number."""
        ordered = sorted(namespaces, key=lambda namespace: namespace.id)
        self._by_id = {namespace.id: namespace for namespace in ordered}
        self.content = tuple(namespace.id for namespace in ordered if namespace.content)
        """The numbers of the content namespaces, ascending."""
        self._by_name: dict[str, Namespace] = {}
        for namespace in ordered:
            for name in (*namespace.aliases, namespace.canonical, namespace.name):
                if name or namespace.id == MAIN:
                    self._by_name[_folded(name)] = namespace

    def __iter__(self) -> Iterator[Namespace]:
        """Yield all namespaces by ascending number."""
        return iter(self._by_id.values())

    def __getitem__(self, number: int) -> Namespace:
        """Return the namespace of a number.

        Raises:
            KeyError: the wiki has no such namespace.
        """
        return self._by_id[number]

    def __contains__(self, number: int) -> bool:
        """Return whether the wiki has a namespace of this number."""
        return number in self._by_id

    def get(self, number: int) -> Namespace | None:
        """Return the namespace of a number, or ``None`` if the wiki does not have it."""
        return self._by_id.get(number)

    def find(self, name: str) -> Namespace | None:
        """Return the namespace with a name, canonical name or alias, ignoring case."""
        return self._by_name.get(_folded(name))

    def subject(self, namespace: Namespace) -> Namespace:
        """Return the subject namespace of a talk namespace; any other is returned unchanged."""
        return self._by_id[namespace.id - 1 if namespace.is_talk else namespace.id]

    def talk(self, namespace: Namespace) -> Namespace | None:
        """Return the talk namespace of a namespace, or ``None`` for virtual ones."""
        if namespace.is_virtual or namespace.is_talk:
            return self._by_id[namespace.id] if namespace.is_talk else None
        return self._by_id.get(namespace.id + 1)

    def ids(self, *, virtual: bool = False) -> tuple[int, ...]:
        """Return the numbers in ascending order, with negative ones if ``virtual`` is true."""
        return tuple(number for number in self._by_id if virtual or number >= 0)


def _folded(name: str) -> str:
    return name.replace("_", " ").strip().lower()


ENGLISH_NAMES: Mapping[int, str] = MappingProxyType(
    {
        MEDIA: "Media",
        SPECIAL: "Special",
        MAIN: "",
        TALK: "Talk",
        USER: "User",
        USER_TALK: "User talk",
        PROJECT: "Project",
        PROJECT_TALK: "Project talk",
        FILE: "File",
        FILE_TALK: "File talk",
        MEDIAWIKI: "MediaWiki",
        MEDIAWIKI_TALK: "MediaWiki talk",
        TEMPLATE: "Template",
        TEMPLATE_TALK: "Template talk",
        HELP: "Help",
        HELP_TALK: "Help talk",
        CATEGORY: "Category",
        CATEGORY_TALK: "Category talk",
        MODULE: "Module",
        MODULE_TALK: "Module talk",
    }
)
"""The canonical names of namespaces that a language may name."""

_DECLINED = re.compile(r"\{\{GRAMMAR:([^|{}]+)\|\$1\}\}")
_ENGLISH = Language(ENGLISH)
_ENGLISH_ALIASES = ((FILE, "Image"), (FILE_TALK, "Image talk"))
_WITH_SUBPAGES = frozenset({USER, PROJECT, MEDIAWIKI, TEMPLATE, HELP})
"""The subject namespaces with subpages; all talk namespaces have them."""


def local_name(number: int, project: str, language: Language) -> str:
    """Return the name of a namespace in a language; empty if neither it nor English has one."""
    if number == PROJECT:
        return project
    english = "$1 talk" if number == PROJECT_TALK else ENGLISH_NAMES.get(number, "")
    return _of_project(language.namespaces.get(number, english), project, language.code)


def local_aliases(number: int, project: str, language: Language) -> tuple[str, ...]:
    """Return the aliases of a namespace in a language."""
    aliases = language.aliases or _ENGLISH_ALIASES
    return tuple(
        _of_project(alias, project, language.code) for key, alias in aliases if key == number
    )


def _of_project(name: str, project: str, language: str) -> str:
    """Return a name with the name of the project, declined if need be, in place of ``$1``."""
    name = _DECLINED.sub(lambda match: decline(project, match[1], language), name)
    return name.replace("$1", project)


def core_namespaces(
    project: str, language: Language = _ENGLISH, *, main_subpages: bool = False
) -> list[Namespace]:
    """Return the sixteen namespaces of every wiki, and Media and Special, named in a language."""
    return [
        Namespace(
            number,
            local_name(number, project, language),
            canonical,
            local_aliases(number, project, language),
            subpages=(number % 2 == 1 and number > 0)
            or number in _WITH_SUBPAGES
            or (number == MAIN and main_subpages),
            content=number == MAIN,
            protection=("editinterface",) if number == MEDIAWIKI else (),
            genders=language.genders.get(number),
        )
        for number, canonical in ENGLISH_NAMES.items()
        if number <= CATEGORY_TALK
    ]
