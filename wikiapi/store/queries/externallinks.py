"""External, interwiki and language links.

An external link is stored in two parts, with the labels of its host in reverse order so that an
index finds all hosts of a domain: ``https://www.example.org:81/a`` is stored as
``https://org.example.www.:81`` and ``/a``.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce
from operator import and_, or_
from typing import Any

from wikiapi.memoize import LONGEST
from wikiapi.store.models import ExternalLinks, IwLinks, LangLinks
from wikiapi.store.sql.bounds import with_prefix

_URL = re.compile(r"(?P<scheme>[a-z][a-z0-9+.-]*:)(?P<slashes>//)?(?P<rest>.*)", re.I | re.S)
_INDEX = re.compile(r"([a-z][a-z0-9+.-]*:(?://)?)(.*)", re.I | re.S)
_PATTERN = re.compile(r"(?P<any>\*\.?)?(?P<host>[^*/?#]*)(?P<path>[/?#][^*]*)?\*?", re.S)
_HOST = re.compile(r"(?P<user>.*@)?+(?P<host>\[[^\]]*\]|[^:]*)(?P<port>:\d*)?", re.S | re.A)


_SELECT_EXTERNAL = ExternalLinks.select(
    ExternalLinks.el_from,
    ExternalLinks.el_id,
    ExternalLinks.el_to_domain_index,
    ExternalLinks.el_to_path,
)
_SELECT_INTERWIKI = IwLinks.select(IwLinks.iwl_from, IwLinks.iwl_prefix, IwLinks.iwl_title)
_SELECT_LANGUAGE = LangLinks.select(LangLinks.ll_from, LangLinks.ll_lang, LangLinks.ll_title)


def external(page_ids: Sequence[int], *more: Any) -> Any:
    """Return a query for external links: (page id, link id, domain index, path, *more)."""
    return _SELECT_EXTERNAL.select_extend(*more).where(ExternalLinks.el_from.in_(page_ids))


def interwiki(page_ids: Sequence[int]) -> Any:
    """Return a query for links to other wikis: (page id, prefix, title)."""
    return _SELECT_INTERWIKI.where(IwLinks.iwl_from.in_(page_ids))


def language(page_ids: Sequence[int]) -> Any:
    """Return a query for links to other languages: (page id, language, title)."""
    return _SELECT_LANGUAGE.where(LangLinks.ll_from.in_(page_ids))


DOMAIN = ExternalLinks.el_to_domain_index
"""The column that :func:`of_protocol` and :func:`matching` compare, unless they are given an
expression instead."""


def of_protocol(protocol: str, domain: Any = DOMAIN) -> Any:
    """Return the condition that a link begins with a protocol, including its colon and slashes."""
    return reduce(and_, with_prefix(domain, protocol))


def matching(pattern: str, protocols: Iterable[str], domain: Any = DOMAIN) -> Any:
    """Return the condition that a link matches a pattern with one of the protocols.

    A pattern is a host and the beginning of a path: ``www.example.org/wiki/``. ``*.example.org``
    matches the domain and all its hosts, and ``*`` any host; an asterisk at the end has no effect.
    Returns None if the pattern is invalid.
    """
    match = _PATTERN.fullmatch(pattern.strip())
    if match is None or not (match["any"] or match["host"]):
        return None
    path = with_prefix(ExternalLinks.el_to_path, match["path"] or "")
    hosts = (_host_condition(protocol, match, domain) for protocol in protocols)
    return reduce(and_, path, reduce(or_, hosts))


def _host_condition(protocol: str, match: re.Match[str], column: Any) -> Any:
    if protocol == "mailto:":
        index = _split_address(match["host"])[0]
        return column == index if "@" in index else reduce(and_, with_prefix(column, index))
    if not match["host"]:
        return of_protocol(protocol, column)
    parts = _HOST.fullmatch(match["host"])
    host, port = (parts["host"], parts["port"] or "") if parts else (match["host"], "")
    index = protocol + (reversed_host(host) if protocol.endswith("/") else host) + port
    return reduce(and_, with_prefix(column, index)) if match["any"] else column == index


def url_of(domain_index: str, path: str | None) -> str:
    """Return the URL of a link from the two parts in which it is stored."""
    # Not with ``memoize``, which would take twice as long: this is called for every link of a list.
    origin_of = _origin if len(domain_index) <= LONGEST else _origin.__wrapped__
    origin, has_path = origin_of(domain_index)
    return origin + path if path and has_path else origin


@lru_cache(1024)
def _origin(domain_index: str) -> tuple[str, bool]:
    """Return the beginning of a URL, which many links share, and whether a path may follow."""
    match = _INDEX.fullmatch(domain_index)
    if match is None:
        return domain_index, True
    scheme, host = match[1], match[2]
    if scheme == "mailto:":
        domain, _, user = host.partition("@")
        return (f"{scheme}{user}@{_turned(domain)}", True) if user else (domain_index, False)
    host, colon, port = host.partition(":")
    return f"{scheme}{_turned(host)}{colon}{port}", True


def split_url(url: str) -> tuple[str, str]:
    """Return the two parts in which a link is stored; protocol-relative URLs become https."""
    match = _URL.fullmatch(f"https:{url}" if url.startswith("//") else url)
    if match is None:
        return "", url
    scheme, rest = match["scheme"].lower(), match["rest"]
    if scheme == "mailto:":
        return _split_address(rest)
    if not match["slashes"]:
        return scheme, rest
    end = re.search(r"[/?#]", rest)
    cut = end.start() if end else len(rest)
    parts = _HOST.fullmatch(rest[:cut])
    if parts is None:
        return f"{scheme}//{rest[:cut]}", rest[cut:] or "/"
    index = f"{scheme}//{reversed_host(parts['host'])}{parts['port'] or ''}"
    return index, rest[cut:] or "/"


def reversed_host(host: str) -> str:
    """Return a host's labels from last to first, each followed by a dot.

    IP addresses are not reversed; they are prefixed with ``V4.`` or ``V6.``.
    """
    plain = host.strip("[]").lower()
    try:
        address = ipaddress.ip_address(plain)
    except ValueError:
        return ".".join(reversed(plain.strip(".").split("."))) + "."
    if address.version == 4:
        return f"V4.{plain}."
    return f"V6.{'.'.join(str(address.exploded).upper().split(':'))}."


def _split_address(rest: str) -> tuple[str, str]:
    address, mark, query = rest.partition("?")
    user, at, domain = address.partition("@")
    index = f"mailto:{reversed_host(domain)}@{user}" if at else f"mailto:{address}"
    return index, mark + query


def _turned(index: str) -> str:
    if index.startswith("V4."):
        return index[3:].rstrip(".")
    if index.startswith("V6."):
        return f"[{index[3:].rstrip('.').replace('.', ':')}]"
    return ".".join(reversed(index.rstrip(".").split(".")))
