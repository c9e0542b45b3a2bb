"""What a setting may be besides its type, and what MediaWiki calls it: data of its annotation."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from wikiapi.languages.codes import is_existing_language

_YEAR = 31_536_000
_LAST_PORT = 65_535


@dataclass(frozen=True)
class Permitted:
    """The values that a setting may have: a description for people, and a check."""

    text: str
    accepts: Callable[[Any], bool]


@dataclass(frozen=True)
class Range:
    """The smallest and the largest number that a setting may have."""

    least: float
    most: float = math.inf

    @property
    def text(self) -> str:
        """The range for people to read."""
        if math.isinf(self.most):
            return f"{self.least:,} or more"
        return f"{self.least:,} to {self.most:,}"

    def accepts(self, value: float) -> bool:
        """Return whether a number is permitted; infinity and NaN never are."""
        return math.isfinite(value) and self.least <= value <= self.most


@dataclass(frozen=True)
class Index(Permitted):
    """The indices, from 0, in a list that is another setting of the same table."""

    list_name: str

    @classmethod
    def of(cls, list_name: str) -> Index:
        """Return the indices in the list of this name."""
        return cls(f"an index in {list_name}", lambda value: value >= 0, list_name)


class Counterpart(tuple[str, ...]):
    """The names of the variables of ``LocalSettings.php`` that say what a setting says."""

    __slots__ = ()

    def __new__(cls, *names: str) -> Counterpart:
        """Return the counterpart made of the names of variables, without ``$``."""
        return super().__new__(cls, names)


class Linking:
    """Marks a setting on which the stored links, categories and sort keys of pages depend."""


def is_address(listen: str) -> bool:
    """Return whether a text is ``HOST:PORT`` with a port of at most 16 bits."""
    _, colon, port = listen.rpartition(":")
    # The resolver silently truncates larger numbers.
    return bool(colon and port.isascii() and port.isdigit() and int(port[:6]) <= _LAST_PORT)


def _is_time_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


_COLLATION = re.compile(
    r"uppercase|identity|numeric"
    r"|uca-(?:default|(?P<language>[a-z]{2,3})(?:-[A-Za-z]+)*?(?:@collation=[a-z]+)?)(?:-u-kn)?"
)
_PROTOCOL = re.compile(r"[a-z][a-z0-9+.-]{0,62}:(?://)?|//")
_ROBOTS = re.compile(r"[a-z][a-z0-9:_-]*(?:,\s*[a-z][a-z0-9:_-]*)*")
_SCRIPTS = re.compile(r"(?:java|vb|live)script:|data:|blob:|view-source:")
"""Protocols whose links run what they contain."""


def _is_collation(name: str) -> bool:
    match = _COLLATION.fullmatch(name)
    return bool(match and (match["language"] is None or is_existing_language(match["language"])))


def _all(pattern: re.Pattern[str]) -> Callable[[tuple[str, ...]], bool]:
    return lambda values: all(map(pattern.fullmatch, values))


def _are_safe(protocols: tuple[str, ...]) -> bool:
    return _all(_PROTOCOL)(protocols) and not any(map(_SCRIPTS.match, protocols))


NUMBER = Range(0)
POSITIVE = Range(1)
SECONDS = Range(0, _YEAR)
ADDRESS = Permitted(f"HOST:PORT, with a port from 0 to {_LAST_PORT}", is_address)
LANGUAGE = Permitted(
    "the code of a language, such as en or pt-br",
    lambda code: not code or is_existing_language(code),
)
TIME_ZONE = Permitted("an IANA name, such as UTC or Europe/Berlin", _is_time_zone)
COLLATION = Permitted(
    "uppercase, identity, numeric, or uca-default or uca- with the code of a language, each also "
    "with -u-kn",
    _is_collation,
)
PROTOCOLS = Permitted("beginnings of addresses such as steam:// or xmpp:", _all(_PROTOCOL))
SAFE_PROTOCOLS = Permitted(
    "beginnings of addresses such as steam:// or xmpp:, none that runs scripts", _are_safe
)
ROBOTS = Permitted(
    "directives for search engines, such as noindex or noindex,nofollow",
    lambda text: not text or _ROBOTS.fullmatch(text) is not None,
)
SIZES = Permitted(
    "one or more pairs of a width and a height from 1 to 32,767",
    lambda sizes: bool(sizes) and all(len(size) == 2 and _are_lengths(size) for size in sizes),
)
FRAGMENT_MODE = Permitted(
    "one or both of html5 and legacy, first the one that links use",
    lambda modes: 1 <= len(modes) == len(set(modes)),
)
WIDTHS = Permitted(
    "one or more widths from 1 to 32,767", lambda widths: bool(widths) and _are_lengths(widths)
)


def _are_lengths(numbers: tuple[int, ...]) -> bool:
    return all(1 <= number <= 32_767 for number in numbers)
