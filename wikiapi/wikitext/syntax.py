"""Syntax shared by many modules: white space, and the characters of a URL."""

from __future__ import annotations

HTML_SPACE = " \t\n\r\f"
"""ASCII whitespace of the HTML standard."""
LINE_SPACE = " \t\r\f\v"
"""What ``\\s`` matches within a line."""
SPACES = "\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
"""Space separators, as the inside of a character class."""
URL_CHARACTERS = f'[^\\][<>"\\x00-\\x20\\x7f{SPACES}\ufffd]'
"""Pattern of a character that a URL may contain."""
FIRST_CHARACTER = r"(?:\[[0-9A-Fa-f:.]+\]|" + URL_CHARACTERS + ")"
"""Pattern of what may follow the scheme: an IPv6 address in brackets, or any such character."""
