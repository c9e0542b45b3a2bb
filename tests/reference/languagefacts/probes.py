"""What MediaWiki answered to short texts in wikis of each language, from ``languages.json.gz``."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TypedDict

from tests.reference.material import RECORDED

_FILE = "languages.json.gz"
Answers = Mapping[str, str]
"""Answers by text."""


class Language(TypedDict, total=False):
    """The recorded facts about a language; those that are missing are of the first fallback."""

    fallback: Sequence[str]
    probe: Mapping[str, Answers]


def available() -> bool:
    """Return whether the recorded facts are available."""
    return (RECORDED / _FILE).is_file()


@cache
def languages() -> Mapping[str, Language]:
    """Return the recorded facts by language code."""
    with gzip.open(RECORDED / _FILE, "rt", encoding="utf-8") as file:
        recorded: dict[str, Language] = json.load(file)
    return {code: facts for code, facts in recorded.items() if "probe" in facts}


def answers(code: str, kind: str) -> Answers | None:
    """Return the answers of a kind in a language, or ``None`` if they were not recorded.

    Answers that are missing are those of the first fallback language. Some languages are one
    another's first fallback: what is missing from both is unknown.
    """
    tried: set[str] = set()
    while code in languages() and code not in tried:
        facts = languages()[code]
        if kind in facts["probe"]:
            return facts["probe"][kind]
        tried.add(code)
        code = next(iter(facts.get("fallback", ())), "")
    return None
