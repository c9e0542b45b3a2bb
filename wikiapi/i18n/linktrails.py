"""Link trails: the letters after a link that become part of it, by content language.

``linktrails.json`` has the patterns in the form of ``siprop=general``, each with the codes of its
languages. In all other languages the letters are those from a to z.
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
    """Return MediaWiki's pattern for the text after a link: the link trail, then the rest."""
    return _trails().get(language, USUAL)


@memoize(64)
def trailing_letters(language: str) -> re.Pattern[str]:
    """Return a compiled pattern that matches only the link trail."""
    letters = link_trail(language).removeprefix(_BEFORE_LETTERS).rpartition(_AFTER_LETTERS)[0]
    return re.compile(_NUMBERED.sub(lambda match: chr(int(match[1], 16)), letters))


@cache
def _trails() -> Mapping[str, str]:
    source = resources.files(__package__).joinpath("linktrails.json").read_text("utf-8")
    trails: dict[str, str] = json.loads(source)
    return {code: trail for trail, codes in trails.items() for code in codes.split()}
