"""Namespaces of a wiki as entries of ``[[namespaces]]``, without what every wiki has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from wikiapi.languages.language import ENGLISH, language
from wikiapi.title.namespaces import (
    MAIN,
    MEDIAWIKI,
    MEDIAWIKI_TALK,
    SPECIAL,
    USER,
    USER_TALK,
    Namespace,
    core_namespaces,
    local_aliases,
    local_name,
)

_ALWAYS_CAPITAL = frozenset({SPECIAL, USER, USER_TALK, MEDIAWIKI, MEDIAWIKI_TALK})


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


def entries(
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
    capitals = {each.id: each.first_letter for each in namespaces_list(namespaces)}
    for each in namespaces_list(namespaces):
        usual = core.get(each.id)
        usual_name = usual.name if usual else local_name(each.id, project, names)
        if not (each.name or usual_name or each.id == MAIN):
            continue  # No title could be in it.
        values: dict[str, Any] = {"id": each.id}
        if each.name != usual_name and each.name:
            values["name"] = each.name
        elif usual is None:
            values["name"] = each.name or usual_name
        if each.canonical and each.canonical != _canonical(each, usual):
            values["canonical"] = each.canonical
        taken = {*local_aliases(each.id, project, names), values.get("name", usual_name)}
        if aliases := [alias for alias in each.aliases if alias not in taken]:
            values["aliases"] = aliases
        values |= _flags(each, usual)
        inherited = capitals.get(each.id & ~1) if each.id % 2 else None
        rule = capital_links if inherited is None else inherited
        if each.first_letter not in (None, rule) and each.id not in _ALWAYS_CAPITAL:
            values["first_letter"] = each.first_letter
        if len(values) > 1 and (each.id >= 0 or "name" in values or "aliases" in values):
            yield values


def namespaces_list(namespaces: Iterable[NamespaceFacts]) -> list[NamespaceFacts]:
    """Return the namespaces by number."""
    return sorted(namespaces, key=lambda each: each.id)


def _canonical(facts: NamespaceFacts, usual: Namespace | None) -> str:
    """Return the canonical name that an entry has without one."""
    return usual.canonical if usual else facts.name


def _flags(facts: NamespaceFacts, usual: Namespace | None) -> Iterator[tuple[str, Any]]:
    has_subpages, is_content = (usual.subpages, usual.content) if usual else (False, False)
    values = (
        ("subpages", facts.subpages, has_subpages),
        ("content", facts.content, is_content),
        ("includable", facts.includable, True),
        ("robots", facts.robots, ""),
        ("content_model", facts.content_model, ""),
    )
    return ((name, value) for name, value, before in values if value not in (None, before))
