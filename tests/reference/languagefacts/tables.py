"""Tables of facts about languages: for each kind, the codes of the languages by their value."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

Table = Mapping[str, Mapping[str, str]]
"""Language codes, separated by spaces, by value, by kind of fact."""


def by_language(table: Table) -> dict[str, dict[str, str]]:
    """Return the values of a table by language, by kind of fact."""
    return {
        kind: {code: value for value, codes in values.items() for code in codes.split()}
        for kind, values in table.items()
    }


def by_value(facts: Mapping[str, Mapping[str, str]]) -> Table:
    """Return a table of values by language, by kind of fact."""
    return {kind: _codes_by_value(values) for kind, values in sorted(facts.items())}


def _codes_by_value(values: Mapping[str, str]) -> Mapping[str, str]:
    codes = defaultdict(list)
    for code, value in sorted(values.items()):
        codes[value].append(code)
    return {value: " ".join(codes[value]) for value in sorted(codes)}
