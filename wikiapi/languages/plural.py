"""Plural forms: which form of a word goes with a number, in each language.

``plurals.json`` has the forms of MediaWiki's languages in the order of ``{{plural:}}``, each with
CLDR's rule for its numbers. The rule of ``other`` is empty: it stands for all other numbers.
Languages that MediaWiki does not have follow CLDR.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import cache

from babel.plural import PluralRule

from wikiapi.languages.codes import cldr_locale
from wikiapi.languages.declared import nearest, read
from wikiapi.memoize import memoize

PLURAL_CATEGORIES = ("zero", "one", "two", "few", "many", "other")
"""CLDR's names of plural forms, in its order."""
_OTHER = "other"
_ONE_NUMBER = re.compile(r"[0-9]=")
_USUAL = {"one": "n = 1", _OTHER: ""}


class PluralForms:
    """The plural forms of a language."""

    def __init__(self, rules: Mapping[str, str]) -> None:
        """Use CLDR's rules by the names of the forms, in the order of the forms."""
        self.names: Sequence[str] = tuple(rules)
        """CLDR's names of the forms, in their order."""
        self._rule = PluralRule({name: rule for name, rule in rules.items() if name != _OTHER})

    def index(self, number: str) -> int:
        """Return the index of a number's form. What is not a number has the form ``other``.

        As in MediaWiki, zeros at the end of the decimal places do not count.
        """
        try:
            value = float(number)
            exact = int(value) if value == round(value) else Decimal(repr(value))
        except (ValueError, OverflowError):
            return self.names.index(_OTHER)
        return self.names.index(self._rule(exact))


def plural_categories(language: str) -> Sequence[str]:
    """Return CLDR's names of the plural forms of a language, in the order of the forms."""
    return plural_forms(language).names


def plural_index(number: str, language: str) -> int:
    """Return the index of a number's plural form among the forms of its language."""
    return plural_forms(language).index(number)


def plural_form(number: str, forms: Iterable[str], language: str) -> str:
    """Return the form for a number, or "" if there is none.

    A form that begins with ``12=`` is only for that number, however it is written. Another one
    with an equals sign after a digit is for none. The last of the others stands for those that are
    missing.
    """
    others: list[str] = []
    for form in forms:
        exact, mark, text = form.partition("=")
        if not mark or not _ONE_NUMBER.search(form):
            others.append(form)
        elif exact == _shortest(number):
            return text
    return others[min(plural_index(number, language), len(others) - 1)] if others else ""


def _shortest(number: str) -> str:
    """Return the shortest way to write a number: ``1`` for ``01`` and ``1.0``."""
    try:
        value = float(number)
        return str(int(value)) if value == int(value) else repr(value)
    except (ValueError, OverflowError):
        return number


@memoize(64)
def plural_forms(language: str) -> PluralForms:
    """Return the plural forms of a language."""
    rules = nearest(_declared(), language)
    if rules is None and (locale := cldr_locale(language)):
        own = locale.plural_form.rules
        rules = {name: own.get(name, "") for name in PLURAL_CATEGORIES if name in {*own, _OTHER}}
    return PluralForms(rules or _USUAL)


@cache
def _declared() -> Mapping[str, Mapping[str, str]]:
    return {code: row["forms"] for row in read("plurals.json") for code in row["languages"].split()}
