"""The protocols of external links on a wiki, and the patterns that are made of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from wikiapi.wikitext.syntax import FIRST_CHARACTER, SPACES, URL_CHARACTERS

RELATIVE = "//"
"""What begins an address with the protocol of the page. Only links in brackets have it."""
LISTED = (
    "bitcoin:",
    "ftp://",
    "ftps://",
    "geo:",
    "git://",
    "gopher://",
    "http://",
    "https://",
    "irc://",
    "ircs://",
    "magnet:",
    "mailto:",
    "matrix:",
    "mms://",
    "news:",
    "nntp://",
    "redis://",
    "sftp://",
    "sip:",
    "sips:",
    "sms:",
    "ssh://",
    "svn://",
    "tel:",
    "telnet://",
    "urn:",
    "wikipedia://",
    "worldwind://",
    "xmpp:",
    RELATIVE,
)
_UNLISTED = {"irc://": "irc:", "ircs://": "ircs:"}
"""Protocols that are recognised without slashes as well, but that MediaWiki does not list so."""


class Protocols:
    """What an external link may begin with.

    Attributes:
        listed: the protocols as MediaWiki lists them, with their colons and slashes, and ``//``.
        recognised: all protocols, sorted, without ``//``.
        named: the pattern of a protocol.
        any: the pattern of a protocol or ``//``.
        start: matches what begins with a protocol or ``//``.
        address: matches a whole address, as of the image option ``link=``.
        bracketed: matches a link in brackets up to its label.
        url_start: matches text that begins like a URL.
    """

    def __init__(self, added: Iterable[str] = (), removed: Iterable[str] = ()) -> None:
        """Compile the patterns of the usual protocols without removed ones, and of added ones."""
        gone = set(removed)
        usual = [protocol for protocol in LISTED if protocol not in gone]
        self.listed = tuple(dict.fromkeys((*usual, *added)))
        unlisted = {_UNLISTED[protocol] for protocol in usual if protocol in _UNLISTED}
        self.recognised = tuple(sorted({*self.listed, *unlisted} - {RELATIVE}))
        self.named = one_of(self.recognised)
        self.any = one_of({*self.recognised, *self.listed})
        self.start = re.compile(self.any)
        self.address = re.compile(rf"\A{self.any}{FIRST_CHARACTER}{URL_CHARACTERS}*\Z")
        self.bracketed = re.compile(rf"\[({self.any}{FIRST_CHARACTER}{URL_CHARACTERS}*)[{SPACES}]*")
        self.url_start = re.compile(rf"{self.any}[^\s]", re.ASCII)


def one_of(texts: Iterable[str]) -> str:
    """Return a pattern that matches one of some texts; nothing, if there are none."""
    alternatives = "|".join(re.escape(text) for text in sorted(texts, reverse=True))
    return f"(?i:{alternatives})" if alternatives else "(?!)"


USUAL_PROTOCOLS = Protocols()
"""The protocols of a wiki that changes none."""


@cache
def protocols(added: tuple[str, ...], removed: tuple[str, ...]) -> Protocols:
    """Return the usual protocols without removed ones, and with added ones."""
    return Protocols(added, removed) if added or removed else USUAL_PROTOCOLS
