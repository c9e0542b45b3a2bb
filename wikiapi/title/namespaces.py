"""Namespaces: their numbers, names, aliases and properties."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

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
    numbers; those with negative numbers have no stored pages. ``protection`` is the right required
    to edit pages of the namespace, if any.
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
    protection: str | None = None
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
        return self._by_id[namespace.id - 1] if namespace.is_talk else namespace

    def talk(self, namespace: Namespace) -> Namespace | None:
        """Return the talk namespace of a namespace, or ``None`` for virtual ones."""
        if namespace.is_virtual or namespace.is_talk:
            return namespace if namespace.is_talk else None
        return self._by_id.get(namespace.id + 1)

    def ids(self, *, virtual: bool = False) -> tuple[int, ...]:
        """Return the numbers in ascending order, with negative ones if ``virtual`` is true."""
        return tuple(number for number in self._by_id if virtual or number >= 0)


def _folded(name: str) -> str:
    return name.replace("_", " ").strip().lower()


def core_namespaces(project: str, *, main_subpages: bool = False) -> list[Namespace]:
    """Return the sixteen namespaces of every wiki, and Media and Special, with English names."""
    talk = f"{project} talk"
    return [
        Namespace(MEDIA, "Media", "Media"),
        Namespace(SPECIAL, "Special", "Special"),
        Namespace(MAIN, "", "", content=True, subpages=main_subpages),
        Namespace(TALK, "Talk", "Talk", subpages=True),
        Namespace(USER, "User", "User", subpages=True),
        Namespace(USER_TALK, "User talk", "User talk", subpages=True),
        Namespace(PROJECT, project, "Project", subpages=True),
        Namespace(PROJECT_TALK, talk, "Project talk", subpages=True),
        Namespace(FILE, "File", "File", ("Image",)),
        Namespace(FILE_TALK, "File talk", "File talk", ("Image talk",), subpages=True),
        Namespace(MEDIAWIKI, "MediaWiki", "MediaWiki", subpages=True, protection="editinterface"),
        Namespace(MEDIAWIKI_TALK, "MediaWiki talk", "MediaWiki talk", subpages=True),
        Namespace(TEMPLATE, "Template", "Template", subpages=True),
        Namespace(TEMPLATE_TALK, "Template talk", "Template talk", subpages=True),
        Namespace(HELP, "Help", "Help", subpages=True),
        Namespace(HELP_TALK, "Help talk", "Help talk", subpages=True),
        Namespace(CATEGORY, "Category", "Category"),
        Namespace(CATEGORY_TALK, "Category talk", "Category talk", subpages=True),
    ]
