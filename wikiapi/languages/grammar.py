"""Grammatical cases of names, as in ``{{grammar:genitive|Wikipedia}}``.

``grammar.json`` has the rules of each language that MediaWiki declines: for each case, patterns of
words and what replaces the part that matches. The first pattern that matches counts, and a word
that none matches stays as it is. ``*`` stands for any case, after a letter for those that begin
with it. ``stem`` has rules that prepare the word. The rules are our own, written so that they agree
with MediaWiki's answers; they cover the names of sites, not the whole of a language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from wikiapi.languages.declared import read, same_language

_ANY = "*"
_LONGEST = 1000
"""The most characters of a word that is declined; longer ones are not names."""


class Rule(NamedTuple):
    """A pattern of words, and what replaces the part that matches."""

    pattern: re.Pattern[str]
    replacement: str


class Declension(NamedTuple):
    """The rules of a language."""

    cases: Mapping[str, Sequence[Rule]]
    stem: Sequence[Rule]

    def decline(self, word: str, case: str) -> str:
        """Return a word in a grammatical case."""
        for name in (case, f"{case[:1]}{_ANY}", _ANY):
            if name in self.cases:
                return _changed(_changed(word, self.stem), self.cases[name])
        return word


def decline(word: str, case: str, language: str) -> str:
    """Return a word in a grammatical case, unchanged where the language has no rules for that."""
    declension = same_language(_declensions(), language)
    return word if declension is None or len(word) > _LONGEST else declension.decline(word, case)


def _changed(word: str, rules: Sequence[Rule]) -> str:
    for rule in rules:
        if rule.pattern.search(word):
            return rule.pattern.sub(rule.replacement, word, count=1)
    return word


@cache
def _declensions() -> Mapping[str, Declension]:
    declensions = {}
    for row in read("grammar.json"):
        cases = {
            name: _rules(rules) for names, rules in row["cases"].items() for name in names.split()
        }
        declension = Declension(cases, _rules(row.get("stem", ())))
        declensions.update(dict.fromkeys(row["languages"].split(), declension))
    return declensions


def _rules(rules: Sequence[Sequence[str]]) -> Sequence[Rule]:
    return [Rule(re.compile(pattern), replacement) for pattern, replacement in rules]
