"""Attacks every pattern, in a process that can be ended: run as a module.

Writes lines of JSON: how many patterns there are, the name of each before it is measured, and those
that grow faster than their texts. Arguments are parts of names, to measure no others.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Callable
from typing import Any, cast

from tests.security.growth import Make, Run, Stopwatch
from tests.security.patternattacks import attacks
from tests.security.patterncollector import Pattern, collect

READ_IN_STEPS = frozenset(
    {
        "plugins/wikiapi_plugins/extensions/math/__init__.py:_PIECE",
        "wikiapi/importing/tables/sql.py:_ANY_ROW",
        "wikiapi/importing/tables/sql.py:_BLANK",
        "wikiapi/importing/tables/sql.py:_INSERT",
        "wikiapi/importing/tables/sql.py:_STATEMENT",
        "wikiapi/importing/tables/sql.py:_row_pattern",
    }
)
"""Each match begins where the last one ended, and the first place without one ends the reading."""
PATIENCE = 1.0
"""Seconds of the processor, many times what the longest text takes a harmless pattern."""
_TINY, _SHORT, _LONG, _LONGEST = 30, 500, 4000, 64_000
"""Sizes of attacks: what is exponential hangs at the first or second already."""
_SUSPICIOUS = 11.0
"""The long text takes 8 times as long as the short one if all is well, 64 times if it is not."""


def measure(pattern: Pattern, watch: Stopwatch) -> dict[str, Any] | None:
    """The attack under which a pattern grows faster than its text, and the times; None is good."""
    run = _runner(pattern)
    for attack in attacks(pattern.text, pattern.flags):
        make = _typed(attack, pattern.text)
        if any(watch.seconds(run, make(size)) == math.inf for size in (_TINY, _SHORT)):
            return {"attack": attack(_TINY), "times": []}
        if not all(_is_suspicious(run, make, rounds, watch) for rounds in (1, 2, 3)):
            continue
        if times := watch.growth(run, make, _LONG // 2, _LONGEST):
            return {"attack": attack(_TINY), "times": times}
    return None


def _typed(attack: Callable[[int], str], like: str | bytes) -> Make:
    """Return a maker of texts of the type for which a pattern is used."""
    if isinstance(like, str):
        return attack
    return lambda size: attack(size).encode("latin-1", "replace")


def _is_suspicious(run: Run, make: Make, rounds: int, watch: Stopwatch) -> bool:
    """Return whether a pattern has to be measured again."""
    short, long = (watch.seconds(run, make(size), rounds) for size in (_SHORT, _LONG))
    return long > _SUSPICIOUS * short


def _runner(pattern: Pattern) -> Run:
    """Return a function that applies a pattern to a text as the project does."""
    compiled: re.Pattern[Any] = re.compile(pattern.text, pattern.flags)

    def find_all(text: Any) -> None:
        for _ in compiled.finditer(text):
            pass

    def read_on(text: Any) -> None:
        position = -1
        while (match := compiled.match(text, max(0, position))) and match.end() > position:
            position = match.end()

    if pattern.name in READ_IN_STEPS:
        return read_on
    return find_all if pattern.mode == "finditer" else cast("Run", getattr(compiled, pattern.mode))


def main(words: list[str]) -> None:
    """Collect and measure."""
    patterns, unknown = collect()
    _tell(patterns=len(patterns), unknown=unknown)
    with Stopwatch(PATIENCE) as watch:
        for pattern in patterns:
            if not words or any(word in pattern.name for word in words):
                _tell(begun=pattern.name)
                if figures := measure(pattern, watch):
                    _tell(slow=pattern.name, mode=pattern.mode, **figures)
    _tell(finished=True)


def _tell(**facts: Any) -> None:
    print(json.dumps(facts), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
