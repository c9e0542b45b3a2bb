"""Letters whose other case depends on the language, from ``{{ucfirst:}}`` and ``{{lcfirst:}}``."""

from __future__ import annotations

from tests.reference.languagefacts.probes import answers, languages
from tests.reference.languagefacts.tables import Table, by_language, by_value

_QUESTIONS = (
    ("upper", "{{ucfirst:istanbul}}", "istanbul", "Istanbul"),
    ("lower", "{{lcfirst:IJS}}", "IJS", "iJS"),
)
"""Kind of fact, text, its argument, and its usual answer."""


def casing_facts(supplement: Table) -> Table:
    """Return the content of ``casing.json``: languages by pairs of letters, by case.

    Args:
        supplement: the same for languages that have no answers.
    """
    values = by_language(supplement)
    for code in languages():
        answered = answers(code, "case")
        for kind, text, argument, usual in _QUESTIONS:
            if answered is not None and answered[text] != usual:
                values.setdefault(kind, {})[code] = argument[0] + answered[text][0]
    return by_value(values)
