"""Names in languages: of namespaces, magic words and special pages; fallbacks and link trails.

The sources are what MediaWiki answered, each taken where those before it say nothing: the recorded
``meta=siteinfo`` of wikis in other languages, ``languages.json.gz``, and an older MediaWiki in
``language_additions.json``. For each language there is a file in ``wikiapi/languages/facts`` with
what differs from its base, the language from which it takes the rest.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from tests.reference import material
from wikiapi.languages.grammar import decline

ADDITIONS = Path(__file__).parents[1] / "language_additions.json"
ENGLISH = "en"
PROJECT, PROJECT_TALK = "4", "5"
SITE_NAME = "Babelwiki"
"""The name of the recorded wikis, which is that of their project namespaces."""
_TEXTS = ("linktrail", "linkprefix", "linkprefixcharset", "mainpage", "fallback8bitEncoding")
_TABLES = ("namespaces", "magic", "special")
_NAMES = (*_TEXTS, *_TABLES, "aliases")
_MISRECORDED = "fr"
"""The language whose facts the first languages of the alphabet have by an error of recording."""
_CASES = ("genitive", "elative", "partitive", "inessive", "illative")
_ENGLISH_DECLARED = frozenset({"bi", "en-ca", "en-gb", "jam", "pih", "sco"})
"""Languages that name English as a fallback language, as ``meta=languageinfo`` tells. It is the
last one of all languages."""

Facts = dict[str, Any]


class Sources:
    """The recorded facts of all languages, each complete."""

    def __init__(self) -> None:
        """Read the sources."""
        with gzip.open(material.RECORDED / "languages.json.gz") as file:
            self._listed: dict[str, Facts] = json.load(file)
        self.additions: dict[str, Any] = json.loads(ADDITIONS.read_text("utf-8"))
        self._answers = _site_answers()
        self._complete: dict[str, Facts] = {}

    @property
    def codes(self) -> Iterable[str]:
        """The codes of all languages, in order."""
        return sorted(self._listed)

    def fallbacks(self, code: str) -> list[str]:
        """Return the fallback languages that a language declares, best first."""
        listed = self._added(code).get("fallback", self._listed[code]["fallback"])
        omitted = {code} if code in _ENGLISH_DECLARED else {code, ENGLISH}
        return [other for other in listed if other not in omitted]

    def base(self, code: str) -> str:
        """Return the language from which a language takes what its own facts do not say.

        It is the first fallback language if that has facts, unless the additions name another.
        """
        first = next(iter(self.fallbacks(code)), ENGLISH)
        base: str = self._added(code).get("base", first)
        return base if base in self._listed else ENGLISH

    def complete(self, code: str) -> Facts:
        """Return all facts of a language, with those that it takes from its base."""
        if code not in self._complete:
            inherited = {} if code == ENGLISH else self.complete(self.base(code))
            self._complete[code] = _merged(inherited, self.own(code))
        return self._complete[code]

    def _added(self, code: str) -> Facts:
        return self.additions["facts"].get(code, {})

    def own(self, code: str) -> Facts:
        """Return the facts that a language does not take from its base."""
        facts = self._added(code) or ({} if self._is_misrecorded(code) else self._listed[code])
        facts = _merged(facts, self._answers.get(code, {}))
        if code == ENGLISH or "magic" not in facts:
            return facts
        words, base = facts["magic"], self.complete(self.base(code))["magic"]
        if code in self._answers:
            return facts | {"magic": _own_words(words, base)}
        places = self.additions["magic_order"].get(code, ())
        return facts | {"magic": _with_equal_words(words, places, base)}

    def _is_misrecorded(self, code: str) -> bool:
        names = self._listed[code].get("namespaces")
        return code != _MISRECORDED and names == self._listed[_MISRECORDED]["namespaces"]


def _merged(facts: Mapping[str, Any], others: Mapping[str, Any]) -> Facts:
    """Return facts with others in their place; of tables, each entry is a fact."""
    merged = {name: facts[name] for name in _NAMES if name in facts}
    for name in _NAMES:
        if name in others:
            entries = merged.get(name, {}) if name in _TABLES else None
            merged[name] = others[name] if entries is None else _first(others[name], entries)
    return merged


def _first(table: Mapping[str, Any], rest: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entries of a table, then those that only the rest has."""
    return {**table, **{key: value for key, value in rest.items() if key not in table}}


def _own_words(words: Mapping[str, Any], base: Mapping[str, Any]) -> dict[str, Any]:
    """Return the magic words without those at the end that are taken over from the base.

    MediaWiki lists the words that a language declares first, even where they are as in English.
    """
    own, places = list(words), {name: place for place, name in enumerate(base)}
    last = len(places)
    while own and words[own[-1]] == base.get(own[-1]) and places[own[-1]] < last:
        last = places[own.pop()]
    return {name: words[name] for name in own}


def _with_equal_words(
    words: Mapping[str, Any], places: Iterable[tuple[str, str | None]], base: Mapping[str, Any]
) -> dict[str, Any]:
    """Return words with those that a language declares although they are as in its base.

    Each place is the name of such a word, and the one before it.
    """
    names: list[str] = list(words)
    for name, before in places:
        if name in base and name not in names and (before is None or before in names):
            names.insert(names.index(before) + 1 if before else 0, name)
    return {name: words.get(name) or base[name] for name in names}


def _site_answers() -> dict[str, Facts]:
    """Return the facts that the recorded wikis say about their content languages."""
    answers: dict[str, Facts] = {}
    with gzip.open(material.RECORDED / "lang.jsonl.gz") as lines:
        for line in lines:
            row = json.loads(line)
            query = row["steps"][0]["json"]
            if row["name"].startswith("query-siteinfo-"):
                answers.setdefault(row["lang"], {}).update(query["query"])
    return {code: _facts_of_answers(parts) for code, parts in answers.items()}


def _facts_of_answers(parts: Mapping[str, Any]) -> Facts:
    facts: Facts = {}
    if general := parts.get("general"):
        facts |= {name: general[name] for name in _TEXTS}
    if rows := parts.get("namespaces"):
        facts["namespaces"] = {number: row["name"] for number, row in rows.items()}
    if rows := parts.get("namespacealiases"):
        facts["aliases"] = [[row["id"], row["alias"]] for row in rows]
    if rows := parts.get("magicwords"):
        facts["magic"] = {
            row["name"]: [int(row["case-sensitive"]), *row["aliases"]] for row in rows
        }
    if rows := parts.get("specialpagealiases"):
        facts["special"] = {row["realname"]: row["aliases"] for row in rows}
    return facts


def shipped(code: str, sources: Sources) -> Facts:
    """Return the content of the file of a language."""
    own, base = sources.own(code), sources.base(code)
    other = sources.complete(base)
    facts: Facts = {"fallbacks": sources.fallbacks(code)}
    if base != ENGLISH:
        facts["base"] = base
    facts |= {name: own[name] for name in _TEXTS if name in own and own[name] != other.get(name)}
    names = {
        number: _pattern(name) if number == PROJECT_TALK else name
        for number, name in own.get("namespaces", {}).items()
        if name != other["namespaces"].get(number) and number != PROJECT
    }
    special = {
        name: aliases
        for name, aliases in own.get("special", {}).items()
        if aliases != other["special"].get(name)
    }
    if PROJECT_TALK in names and code in sources.additions["project_talk"]:
        names[PROJECT_TALK] = _declined(sources.additions["project_talk"][code], code)
    tables = {"namespaces": names, "magic": own.get("magic", {}), "special": special}
    facts |= {name: entries for name, entries in tables.items() if entries}
    if own.get("aliases", other["aliases"]) != other["aliases"]:
        facts["aliases"] = [[number, _pattern(name)] for number, name in own["aliases"]]
    genders: dict[str, Any] | None = sources.additions["genders"].get(code)
    if genders is not None:
        facts["genders"] = {key: [row["male"], row["female"]] for key, row in genders.items()}
    return facts


def _declined(names: Mapping[str, str], code: str) -> str:
    """Return the pattern of the name that a namespace has on wikis of several names.

    A language may decline the name of the wiki.
    """
    pattern = names[SITE_NAME]
    for case in _CASES:
        word = decline(SITE_NAME, case, code)
        pattern = names[SITE_NAME].replace(word, f"{{{{GRAMMAR:{case}|$1}}}}")
        if all(
            pattern.replace(f"{{{{GRAMMAR:{case}|$1}}}}", decline(project, case, code)) == name
            for project, name in names.items()
        ):
            return pattern
    return _pattern(pattern)


def _pattern(name: str) -> str:
    """Return a name with ``$1`` for the name of the wiki."""
    return name.replace(SITE_NAME, "$1")


def as_text(facts: Facts) -> str:
    """Return facts as JSON with one entry of a table in a line."""
    parts = []
    for name, value in facts.items():
        if isinstance(value, dict):
            lines = ",\n".join(f"  {_json(key)}: {_json(entry)}" for key, entry in value.items())
            parts.append(f" {_json(name)}: {{\n{lines}\n }}")
        else:
            parts.append(f" {_json(name)}: {_json(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


@cache
def _encoder() -> json.JSONEncoder:
    return json.JSONEncoder(ensure_ascii=False)


def _json(value: object) -> str:
    return _encoder().encode(value)


def name_facts() -> Mapping[str, Facts]:
    """Return the content of the file of each language but English, by code."""
    sources = Sources()
    return {code: shipped(code, sources) for code in sources.codes if code != ENGLISH}
