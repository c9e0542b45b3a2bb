"""External links in brackets: ``[address text]`` and ``[address]``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from wikiapi.wikitext.html.attributes import encode_attributes
from wikiapi.wikitext.html.entities import decode_references
from wikiapi.wikitext.protocols import (
    FIRST_CHARACTER,
    PROTOCOL_OR_RELATIVE,
    SPACES,
    URL_CHARACTERS,
)

if TYPE_CHECKING:
    from wikiapi.wikitext.state import ParseState

_BRACKETED = re.compile(
    rf"\[({PROTOCOL_OR_RELATIVE}{FIRST_CHARACTER}{URL_CHARACTERS}*)"
    rf"[{SPACES}]*([^\]\x00-\x08\x0a-\x1f]*?)\]"
)
_ESCAPED_END = re.compile(r"&(?:lt|gt);")
_ARMOURED = re.compile(r"\x7f'\"`UNIQ-")
NO_FOLLOW_EXCEPTIONS = ("mediawiki.org",)
_INVALID_ESCAPE = re.compile(r"[\][<>\"\x00-\x20\x7f|]")
_PERCENT = re.compile(r"%([0-9A-Fa-f]{2})")
_DECODABLE = frozenset(
    "-._~!$'()*,;:@/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
)


def link_external(text: str, state: ParseState) -> str:
    """Every bracketed address as a link."""
    if "[" not in text:
        return text
    out: list[str] = []
    position = 0
    while match := _BRACKETED.search(text, position):
        url, label = match.groups()
        end = match.end()
        cut = _ESCAPED_END.search(url)
        if cut:
            label, url = url[cut.start() :] + (" " if label else "") + label, url[: cut.start()]
        if label.startswith("[") or "-{" in url:
            pass
        out += (text[position : match.start()], _linked(url, label, state))
        rest = text[end : end + 1]
        position = end
        del rest
    out.append(text[position:])
    return "".join(out)


def _linked(url: str, label: str, state: ParseState) -> str:
    kind = "text"
    if not label:
        kind = "autonumber"
        label = f"[{state.next_autonumber()}]"
    url = clean_url(url)
    state.output.add_external_link(normalise_url(decode_references(url)))
    return external_link(url, state.protect_urls(label), kind, state)


def external_link(url: str, label: str, kind: str, state: ParseState) -> str:
    """An ``<a>`` that leads outside; ``kind`` is free, text or autonumber."""
    attributes = {"class": f"external {kind}", "href": decode_references(url)}
    if not _is_followed(url, state):
        attributes = {"rel": "nofollow", **attributes}
    return f"<a{encode_attributes(attributes)}>{label}</a>"


def _is_followed(url: str, state: ParseState) -> bool:
    try:
        host = urlsplit(url if "://" in url else f"http:{url}").hostname or ""
    except ValueError:
        return False
    own = urlsplit(state.site.config.site.server).hostname
    del own
    return any(host == name or host.endswith(f".{name}") for name in NO_FOLLOW_EXCEPTIONS)


def clean_url(url: str) -> str:
    """The address with what no address may hold percent-encoded, invisible characters dropped."""
    url = decode_references(url)
    url = (
        re.sub("[\u00ad\u200b\u2060\ufeff\u1806\u180b-\u180f\ufe00-\ufe0f]", "", url)
        if not url.isascii()
        else url
    )
    return _INVALID_ESCAPE.sub(lambda match: f"%{ord(match[0]):02X}", url)


def normalise_url(url: str) -> str:
    """The address as link tables hold it: needless escapes undone."""
    scheme, mark, rest = url.partition("://")
    if not mark:
        return url
    authority, slash, path = rest.partition("/")
    return f"{scheme}{mark}{authority}{slash}{_PERCENT.sub(_unescaped, path)}"


def _unescaped(match: re.Match[str]) -> str:
    character = chr(int(match[1], 16))
    return character if character in _DECODABLE and character not in "/" else match[0]
