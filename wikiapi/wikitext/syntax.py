"""Syntax shared by many modules: white space, URL schemes, and the characters of a URL."""

from __future__ import annotations

import re

TRIMMED = " \t\n\r\0\x0b"
"""What PHP's ``trim`` removes, which MediaWiki applies to names, arguments and saved texts."""
HTML_SPACE = " \t\n\r\f"
"""ASCII whitespace of the HTML standard."""
LINE_SPACE = " \t\r\f\v"
"""What ``\\s`` matches within a line."""


def trim(text: str) -> str:
    """Return the text without white space at its ends, like PHP's ``trim``."""
    return text.strip(TRIMMED)


PROTOCOLS = (
    "bitcoin:",
    "ftp://",
    "ftps://",
    "geo:",
    "git://",
    "gopher://",
    "http://",
    "https://",
    "irc:",
    "irc://",
    "ircs:",
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
)
"""What an external link may begin with; in brackets also ``//``."""

_ALTERNATIVES = "|".join(re.escape(protocol) for protocol in sorted(PROTOCOLS, reverse=True))
PROTOCOL = f"(?i:{_ALTERNATIVES})"
"""Pattern of a scheme."""
PROTOCOL_OR_RELATIVE = f"(?i:{_ALTERNATIVES}|//)"
"""Pattern of a scheme, or ``//``."""
SPACES = "\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
"""Space separators, as the inside of a character class."""
URL_CHARACTERS = f'[^\\][<>"\\x00-\\x20\\x7f{SPACES}\ufffd]'
"""Pattern of a character that a URL may contain."""
FIRST_CHARACTER = r"(?:\[[0-9A-Fa-f:.]+\]|" + URL_CHARACTERS + ")"
"""Pattern of what may follow the scheme: an IPv6 address in brackets, or any such character."""
URL_START = re.compile(rf"{PROTOCOL_OR_RELATIVE}[^\s]", re.ASCII)
"""Matches text that begins like a URL."""
