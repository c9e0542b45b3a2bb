"""External links in brackets: ``[URL label]`` and ``[URL]``."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from functools import partial
from ipaddress import AddressValueError, IPv6Address
from typing import TYPE_CHECKING
from urllib.parse import quote, quote_plus

from wikiapi.title.references import decode_references
from wikiapi.wikitext.html.attributes import encode_attributes
from wikiapi.wikitext.inline.quotes import line_quotes
from wikiapi.wikitext.parsoid.links import EXTERNAL_LINK
from wikiapi.wikitext.variants.rendering import exempt_from_conversion

if TYPE_CHECKING:
    from wikiapi.wikitext.state import ParseState

_LABEL_END = re.compile(r"[\]\x00-\x08\x0a-\x1f\ufffd]")
_ESCAPED_END = re.compile(r"&(?:lt|gt|#060|#062);")
_PARTS = re.compile(r"([^:/]*:)(//[^/]+)?(.*)\Z", re.DOTALL)
_IPV6 = re.compile(r"//\[[0-9A-Fa-f:.]+\](?::[0-9]+)?\Z", re.ASCII)
_INVISIBLE = re.compile("[\u00ad\u034f\u1806\u180b-\u180d\u200b-\u200d\u2060\ufeff\ufe00-\ufe0f]")
_AUTONUMBER = "autonumber"
_INVALID = re.compile(r"[\][<>\"\x00-\x20\x7f|]")


def link_external(text: str, state: ParseState) -> str:
    """Return the text with its bracketed URLs as links."""
    if "[" not in text:
        return text
    out: list[str] = []
    position = 0
    for start, end, url, label in _bracketed(text, state.link_rules.protocols.bracketed):
        if cut := _ESCAPED_END.search(url):
            # The rest of the URL joins the label.
            url, label = url[: cut.start()], f"{url[cut.start() :]} {label}"
        out += (text[position:start], _linked(url, label, state))
        position = end
    out.append(text[position:])
    return "".join(out)


def format_labels(text: str, state: ParseState) -> str:
    """Return the text with the apostrophes in the labels of its bracketed URLs as elements.

    For Parsoid's HTML, they have nothing to do with those around the link.
    """
    if "''" not in text or "[" not in text:
        return text
    out: list[str] = []
    position = 0
    for _, end, url, label in _bracketed(text, state.link_rules.protocols.bracketed):
        if "''" in label and "''" not in url:
            out += (text[position : end - 1 - len(label)], line_quotes(label), "]")
            position = end
    out.append(text[position:])
    return "".join(out)


def _bracketed(text: str, opening: re.Pattern[str]) -> Iterator[tuple[int, int, str, str]]:
    """Yield start, end, URL and label of each link. Each end of a label is searched for once."""
    position = 0
    label_end: re.Match[str] | None = None
    while match := opening.search(text, position):
        if label_end is None or label_end.start() < match.end():
            label_end = _LABEL_END.search(text, match.end())
        if label_end is None:
            return
        if label_end[0] == "]":
            yield match.start(), label_end.end(), match[1], text[match.end() : label_end.start()]
            position = label_end.end()
        else:
            position = match.start() + 1


def _linked(url: str, label: str, state: ParseState) -> str:
    kind = "text"
    if not label:
        kind = _AUTONUMBER
        label = f"[{state.links.next_autonumber()}]"
    url = clean_url(url)
    note_external_link(url, state)
    if state.link_rules.shows_image(label):
        return external_link(url, external_image(label, state), kind, state)
    text = protect_urls(label)
    if state.link_rules.protocols.url_start.match(label):
        text = exempt_from_conversion(text, state)
    return external_link(url, text, kind, state)


def protect_urls(text: str) -> str:
    """Return the label of a link with URLs escaped, so that they do not become links."""
    return text.replace("://", "&#58;//") if "://" in text else text


def external_link(url: str, label: str, kind: str, state: ParseState) -> str:
    """Return an ``<a>`` element; ``kind`` is ``free``, ``text`` or ``autonumber``."""
    attributes = {
        **state.link_rules.attributes(url, state.title),
        "class": f"external {kind}",
        "href": decode_references(url),
    }
    if state.options.parsoid:
        attributes["rel"] = f"{EXTERNAL_LINK} {attributes.get('rel', '')}".rstrip()
        if kind == _AUTONUMBER:
            # A style sheet adds the number.
            label = ""
    return f"<a{encode_attributes(attributes)}>{label}</a>"


def external_image(url: str, state: ParseState) -> str:
    """Return an ``<img>`` element with the name of the file as its alternative text."""
    attributes = {"src": url, "alt": url.rpartition("/")[2]}
    if state.sources is not None:
        attributes["rel"] = "mw:externalImage"
    return f"<img{encode_attributes(attributes)} />"


def clean_url(url: str) -> str:
    """Return the URL with invalid characters encoded, and without invisible ones in its host."""
    url = decode_references(url)
    match = _PARTS.match(url)
    if match is None:
        return _encoded(url)
    scheme, host, rest = match.groups(default="")
    host = _INVISIBLE.sub("", host)
    return scheme + (host if _IPV6.match(host) else _encoded(host)) + _encoded(rest)


def _encoded(text: str) -> str:
    """Return the text encoded as in forms: a space, from a character reference, becomes ``+``."""
    return _INVALID.sub(lambda match: quote_plus(match[0], safe=""), text)


def note_external_link(url: str, state: ParseState) -> None:
    """Record the URL of an external link, unless it is on this wiki's server."""
    url = normalise_url(decode_references(url))
    server = state.site.config.site.server
    if not (url == server or url.startswith((f"{server}/", f"{server}?", f"{server}#"))):
        state.output.add_external_link(url)


_SAFE = "!#$%&'()*+,-./:;=?@_~"
"""Characters that are not encoded, besides letters and digits."""
_URL_PARTS = re.compile(r"((?:[^/?#]*//)?[^/?#]*)([^?#]*)([^#]*)(.*)\Z", re.DOTALL)
_IPV6_HOST = re.compile(
    r"(?:[a-z][a-z0-9+.-]*:)?//(?:[^/?#\[\]@]*@)?\[([0-9a-f:]+)\]", re.IGNORECASE
)
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_PRINTABLE = frozenset(string.digits + string.ascii_letters + string.punctuation)
_NEVER = frozenset('"#%<>[\\]^`{|}')
_RESERVED = {"path": frozenset("/?"), "query": frozenset("&=+;"), "fragment": frozenset()}
"""Characters with a special meaning in each part, which they lose when they are encoded."""


def normalise_url(url: str) -> str:
    """Return the URL with as few escapes as possible, and ``.`` and ``..`` resolved."""
    match = _IPV6_HOST.match(url)
    address = match[1] if match and _is_ipv6(match[1]) else ""
    parts = _URL_PARTS.match(quote(url, safe=_SAFE, errors="replace"))
    if parts is None:
        return url
    host, path, query, fragment = parts.groups()
    host = _unescaped(host, "path")
    if address:
        host = host.replace(f"%5B{address}%5D", f"[{address}]", 1)
    path = _without_dots(_unescaped(path, "path"))
    return host + path + _unescaped(query, "query") + _unescaped(fragment, "fragment")


def _is_ipv6(text: str) -> bool:
    try:
        IPv6Address(text)
    except AddressValueError:
        return False
    return True


def _unescaped(text: str, part: str) -> str:
    return _ESCAPE.sub(partial(_character, _RESERVED[part]), text) if "%" in text else text


def _character(reserved: frozenset[str], match: re.Match[str]) -> str:
    character = chr(int(match[0][1:], 16))
    if character in _PRINTABLE and character not in _NEVER and character not in reserved:
        return character
    return match[0].upper()


def _without_dots(path: str) -> str:
    """Return the path with its ``.`` and ``..`` segments resolved, as in RFC 3986, 5.2.4."""
    if "/." not in path:
        return path
    resolved: list[str] = []
    segments = path.split("/")
    for segment in segments:
        if segment == "..":
            del resolved[max(1, len(resolved) - 1) :]
        elif segment != ".":
            resolved.append(segment)
    if segments[-1] in (".", ".."):
        resolved.append("")
    return "/".join(resolved)
