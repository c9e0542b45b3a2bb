"""Facts of languages: fallbacks, link trails, and the names of magic words, namespaces and pages.

``facts/`` has a file for each of MediaWiki's languages but English, with what differs from its
base, another language or English. A file is read when its language is first needed, so that a wiki
in English reads none. English names are those that the declarations in the code have.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib import resources
from types import MappingProxyType
from typing import Any, NamedTuple

from wikiapi.languages.codes import is_language_code
from wikiapi.memoize import memoize

ENGLISH = "en"
MAX_LANGUAGES = 32
"""The number of languages kept in memory, some 50 kB each."""

_EMPTY: Mapping[Any, Any] = MappingProxyType({})


def _empty() -> Mapping[Any, Any]:
    return _EMPTY


class MagicWord(NamedTuple):
    """The words of a magic word, as ``siprop=magicwords`` lists them."""

    case_sensitive: bool
    words: tuple[str, ...]


class GenderedName(NamedTuple):
    """The names of a namespace of users for those who have told their gender."""

    male: str
    female: str


@dataclass(frozen=True, slots=True)
class Language:
    """The facts of a language; the defaults are those of English.

    Attributes:
        code: the code of the language.
        fallbacks: codes of the languages whose texts stand in for missing ones, best first. English
            is the last one even where it is not among them.
        link_trail: MediaWiki's pattern for the letters after a link that become part of it.
        link_prefix: the pattern for letters before a link, empty if they never become part of it.
        link_prefix_characters: the content of a character class that matches those letters.
        main_page: the title of the main page of a new wiki.
        legacy_encoding: the encoding of texts that are not UTF-8.
        namespaces: local names by number; ``$1`` in that of the project's talk namespace is the
            name of the project.
        aliases: numbers and further local names of namespaces.
        genders: names of namespaces for male and female users.
        magic_words: local and English words by MediaWiki's name of the magic word, in its order;
            those that are as in English may be missing.
        special_pages: local names, then English ones, by the canonical names of special pages.
    """

    code: str
    fallbacks: tuple[str, ...] = ()
    link_trail: str = "/^([a-z]+)(.*)$/sD"
    link_prefix: str = ""
    link_prefix_characters: str = ""
    main_page: str = "Main Page"
    legacy_encoding: str = "windows-1252"
    namespaces: Mapping[int, str] = field(default_factory=_empty)
    aliases: tuple[tuple[int, str], ...] = ()
    genders: Mapping[int, GenderedName] = field(default_factory=_empty)
    magic_words: Mapping[str, MagicWord] = field(default_factory=_empty)
    special_pages: Mapping[str, tuple[str, ...]] = field(default_factory=_empty)

    @property
    def chain(self) -> tuple[str, ...]:
        """The code of the language, and those of its fallbacks, English last."""
        return tuple(dict.fromkeys((self.code, *self.fallbacks, ENGLISH)))


_NAMES = MappingProxyType(
    {
        "linktrail": "link_trail",
        "linkprefix": "link_prefix",
        "linkprefixcharset": "link_prefix_characters",
        "mainpage": "main_page",
        "fallback8bitEncoding": "legacy_encoding",
    }
)
"""The attributes whose values stand in the files as they are, by their names there."""


@memoize(MAX_LANGUAGES)
def language(code: str) -> Language:
    """Return the facts of a language.

    One that MediaWiki does not have is as the language of the first part of its code, or English.
    """
    if code == ENGLISH:
        return Language(ENGLISH)
    facts = _stored(code) if is_language_code(code) else {}
    base = language(facts.get("base", ENGLISH))
    changes = {_NAMES[name]: value for name, value in facts.items() if name in _NAMES}
    if "genders" in facts:
        names = _numbered(facts["genders"])
        changes["genders"] = {number: GenderedName(*pair) for number, pair in names.items()}
    if "aliases" in facts:
        changes["aliases"] = tuple((number, name) for number, name in facts["aliases"])
    return replace(
        base,
        code=code,
        fallbacks=tuple(facts.get("fallbacks", ())),
        namespaces=_merged(_numbered(facts.get("namespaces", _EMPTY)), base.namespaces),
        magic_words=_merged(
            {
                name: MagicWord(bool(case), tuple(words))
                for name, (case, *words) in facts.get("magic", _EMPTY).items()
            },
            base.magic_words,
        ),
        special_pages=_merged(
            {name: tuple(names) for name, names in facts.get("special", _EMPTY).items()},
            base.special_pages,
        ),
        **changes,
    )


def language_codes() -> Iterator[str]:
    """Yield the codes of MediaWiki's languages, in no particular order."""
    yield ENGLISH
    for file in (resources.files(__package__) / "facts").iterdir():
        yield file.name.removesuffix(".json")


def _stored(code: str) -> dict[str, Any]:
    """Return the content of the file of a language, or facts taken from a shorter code."""
    file = resources.files(__package__) / "facts" / f"{code}.json"
    if file.is_file():
        stored: dict[str, Any] = json.loads(file.read_text("utf-8"))
        return stored
    prefix = code.rpartition("-")[0]
    if not prefix:
        return {}
    return {"base": prefix, "fallbacks": (prefix, *language(prefix).fallbacks)}


def _numbered(table: Mapping[str, Any]) -> dict[int, Any]:
    return {int(number): value for number, value in table.items()}


def _merged(own: Mapping[Any, Any], inherited: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """Return the own entries, then those inherited for other keys."""
    others = {key: value for key, value in inherited.items() if key not in own}
    return MappingProxyType({**own, **others})
