"""How languages write numbers, from the answers to ``{{formatnum:}}``."""

from __future__ import annotations

from collections.abc import Mapping

from tests.reference.languagefacts.probes import Answers, answers, languages
from tests.reference.languagefacts.tables import Table, by_language, by_value

_ASCII = "0123456789"
_LAST_GROUP = 3
_PLAIN = ",."
_LONG = "{{formatnum:0123456789}}"


def number_facts(unprobed: Table) -> Table:
    """Return the content of ``numberformats.json``.

    Args:
        unprobed: the same for languages that have no answers.
    """
    values: dict[str, dict[str, str]] = by_language(unprobed)
    for code in languages():
        formatted, others = answers(code, "num"), answers(code, "unnum")
        if formatted is not None:
            facts = {**_facts_of_numbers(formatted), **_other_facts(formatted, others or {})}
            for kind, value in facts.items():
                values.setdefault(kind, {})[code] = value
    return by_value(values)


def _facts_of_numbers(formatted: Answers) -> Mapping[str, str]:
    """Return the value of each kind of fact that is not the usual one, by what was written."""
    long = formatted[_LONG]
    groups = "".join(sign if sign.isnumeric() else " " for sign in long).split()
    group = next((sign for sign in long if not sign.isnumeric()), "")
    facts = {"separators": group + _not_digits(formatted["{{formatnum:0.5}}"])}
    if len(groups) == 1 and "e" in formatted["{{formatnum:1e7}}"]:
        facts["grouping"] = "none"
        facts["separators"] = _PLAIN
    elif len(groups) > 1 and len(groups[-2]) != _LAST_GROUP:
        facts["grouping"] = str(len(groups[-2]))
    if group in formatted["{{formatnum:12345}}"] and group not in formatted["{{formatnum:1234}}"]:
        facts["minimum"] = "2"
    if _digits(long) != _ASCII:
        facts["digits"] = _digits(long)
    return facts


def _other_facts(formatted: Answers, others: Answers) -> Mapping[str, str]:
    """Return what differs when a number is read back, or written without groups."""
    facts = {}
    digits = _digits(formatted[_LONG])
    ungrouped = _digits(others.get("{{formatnum:1234567.8|NOSEP}}", digits[1:9]))
    if ungrouped != digits[1:9]:
        zero = ord(ungrouped[0]) - 1
        facts["digits"] = "".join(chr(zero + value) for value in range(10))
        facts["digits of numbers"] = digits
    decimal = _not_digits(formatted["{{formatnum:0.5}}"])
    is_read = others.get("{{formatnum:1.234,5|R}}", "") != "1.2345"
    if others and is_read is not ("," in decimal):
        facts["separators that are read"] = ",," if is_read else _PLAIN
    return facts


def _digits(text: str) -> str:
    return "".join(sign for sign in text if sign.isnumeric())


def _not_digits(text: str) -> str:
    return "".join(sign for sign in text if not sign.isnumeric())
