"""The languages that are written from right to left, from the answers to ``{{#dir}}``."""

from __future__ import annotations

from tests.reference.languagefacts.probes import answers, languages
from tests.reference.languagefacts.tables import Table, by_value

_USUAL = "ltr"


def direction_facts() -> Table:
    """Return the content of ``directions.json``."""
    directions = {
        code: (answers(code, "dir") or {}).get("{{#dir}}", _USUAL) for code in languages()
    }
    unusual = {code: direction for code, direction in directions.items() if direction != _USUAL}
    return by_value({"direction": unusual})
