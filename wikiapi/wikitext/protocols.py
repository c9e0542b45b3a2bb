"""Address schemes that links may use, and the characters an address may hold."""

from __future__ import annotations

import re

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
"""What an external link may begin with; ``//`` as well, in brackets."""

_ALTERNATIVES = "|".join(re.escape(protocol) for protocol in sorted(PROTOCOLS, reverse=True))
PROTOCOL = f"(?i:{_ALTERNATIVES})"
"""Pattern of a scheme."""
PROTOCOL_OR_RELATIVE = f"(?i:{_ALTERNATIVES}|//)"
"""Pattern of a scheme, or ``//``."""
SPACES = "\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
"""Space separators, as the inside of a character class."""
URL_CHARACTERS = f'[^\\][<>"\\x00-\\x20\\x7f{SPACES}\ufffd]'
"""Pattern of a character that an address may hold."""
FIRST_CHARACTER = r"(?:\[[0-9A-Fa-f:.]+\]|" + URL_CHARACTERS + ")"
"""Pattern of what may follow the scheme: an address in brackets (IPv6) or any character."""
URL_START = re.compile(rf"{PROTOCOL_OR_RELATIVE}[^\s]", re.ASCII)
"""Matches text that begins like an address."""
