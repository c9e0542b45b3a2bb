"""The letters after a link that belong to its last word, by the content language of the wiki.

``linktrails.json`` has them as ``siprop=general`` tells clients, each with the languages for which
it holds. In all other languages they are the letters from a to z.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources

from wikiapi.memoize import memoize

USUAL = "/^([a-z]+)(.*)$/sD"
_BEFORE_LETTERS, _AFTER_LETTERS = "/^(", ")(.*)$/"
_NUMBERED = re.compile(r"\\x\{([0-9A-Fa-f]{1,6})\}")


def link_trail(language: str) -> str:
    """Return the pattern of a text after a link: the letters that belong to it, and the rest."""
    return _trails().get(language, USUAL)


@memoize(64)
def trailing_letters(language: str) -> re.Pattern[str]:
    """Return the pattern of the letters that belong to a link."""
    letters = link_trail(language).removeprefix(_BEFORE_LETTERS).rpartition(_AFTER_LETTERS)[0]
    return re.compile(_NUMBERED.sub(lambda match: chr(int(match[1], 16)), letters))


@cache
def _trails() -> Mapping[str, str]:
    source = resources.files(__package__).joinpath("linktrails.json").read_text("utf-8")
    trails: dict[str, str] = json.loads(source)
    return {code: trail for trail, codes in trails.items() for code in codes.split()}
