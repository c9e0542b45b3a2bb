"""Reads tables of what MediaWiki declares for languages.

Each is a JSON file in ``tables``. For each kind of fact it has the values, each with the codes of
its languages, also of those that inherit it. ``python -m tests.reference.languagefacts`` generates
most of them from the answers that MediaWiki gave in a wiki of each language; ``grammar.json`` and
``separators.json`` are written by hand.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, TypeVar

from wikiapi.languages.codes import html_code, internal_code

Value = TypeVar("Value")


def read(name: str) -> Any:
    """Return the content of a JSON file in ``tables``."""
    return json.loads(resources.files(__package__).joinpath("tables", name).read_text("utf-8"))


def same_language(values: Mapping[str, Value], language: str) -> Value | None:
    """Return the value of a language, or of the same language by another code."""
    for code in (language, html_code(language).lower(), internal_code(language)):
        if code in values:
            return values[code]
    return None


def nearest(values: Mapping[str, Value], language: str) -> Value | None:
    """Return the value of a language, or else of the language of which it is a variety."""
    while language:
        if (value := same_language(values, language)) is not None:
            return value
        language = language.rpartition("-")[0]
    return None


def declared(name: str, kind: str, language: str) -> str | None:
    """Return the value of a kind of fact in a table, or ``None`` if it does not have the language.

    Varieties of a language do not have its value, unless the table has them.
    """
    return same_language(tables(name).get(kind, {}), language)


@cache
def tables(name: str) -> Mapping[str, Mapping[str, str]]:
    """Return the tables of a file: values by language code, by kind of fact."""
    return {
        kind: {code: value for value, codes in values.items() for code in codes.split()}
        for kind, values in read(name).items()
    }
