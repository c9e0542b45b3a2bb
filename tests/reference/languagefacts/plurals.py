"""The plural rules of languages: CLDR's that agree with the answers to ``{{plural:}}``.

MediaWiki has the rules of an older CLDR, and a few of its own. A language without rules has those
of its fallback languages.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from babel import Locale
from babel.localedata import locale_identifiers

from tests.reference.languagefacts.probes import Answers, answers, languages
from wikiapi.languages.codes import cldr_locale
from wikiapi.languages.numbers import parse_formatted
from wikiapi.languages.plural import PLURAL_CATEGORIES, PluralForms

_FORMS = "abcdef"
_NOT_IN_OLD_CLDR = ("e", "c")
"""Operands that MediaWiki's rules do not have."""
_SIGNS = (("not in", "!="), ("in", "="), ("mod", "%"))
Rules = Mapping[str, str]


def plural_facts(supplement: Sequence[Mapping[str, object]]) -> list[Mapping[str, object]]:
    """Return the content of ``plurals.json``: rules, each with its languages.

    Args:
        supplement: the same for languages whose rules are not in CLDR or that have no answers.
    """
    codes: dict[str, list[str]] = {}
    named = {code for row in supplement for code in str(row["languages"]).split()}
    for row in supplement:
        codes[json.dumps(row["forms"])] = str(row["languages"]).split()
    for code in languages():
        answered = answers(code, "plural")
        if answered is not None and code not in named:
            rules = next(rules for rules in _candidates(code) if _agree(rules, answered, code))
            codes.setdefault(json.dumps(rules), []).append(code)
    return [
        {"forms": json.loads(rules), "languages": " ".join(sorted(its))}
        for rules, its in sorted(codes.items())
    ]


def _candidates(code: str) -> Iterator[Rules]:
    if locale := cldr_locale(code):
        yield _rules(locale)
    yield from _rules_of_cldr()


@cache
def _rules_of_cldr() -> Sequence[Rules]:
    """Return all rules of CLDR, those of most languages first."""
    names = sorted({name.partition("_")[0] for name in locale_identifiers()})
    texts = [json.dumps(_rules(Locale.parse(name))) for name in names]
    return [json.loads(text) for text in sorted(set(texts), key=lambda text: -texts.count(text))]


def _rules(locale: Locale) -> Rules:
    rules: Mapping[str, str] = locale.plural_form.rules
    forms = {
        name: _spelt(rules[name])
        for name in PLURAL_CATEGORIES
        if name in rules and not _is_new(rules[name].split())
    }
    return {**forms, "other": ""}


def _is_new(words: Iterable[str]) -> bool:
    return any(word in _NOT_IN_OLD_CLDR for word in words)


def _spelt(rule: str) -> str:
    for word, sign in _SIGNS:
        rule = rule.replace(f" {word} ", f" {sign} ")
    return rule


def _agree(rules: Rules, answered: Answers, code: str) -> bool:
    forms = PluralForms(rules)
    numbers = {text: text[len("{{plural:") :].partition("|")[0] for text in answered}
    return all(
        _FORMS[forms.index(parse_formatted(numbers[text], code))] == form
        for text, form in answered.items()
    )
