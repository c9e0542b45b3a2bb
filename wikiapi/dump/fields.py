"""Texts of a dump to values, strictly: what is no number, timestamp or hash is refused."""

from __future__ import annotations

import re
from collections.abc import Mapping

from wikiapi.api.params.types.timestamp import is_real
from wikiapi.dump.records import Contributor, DumpNamespace, DumpSlot, Hidden
from wikiapi.dump.schema import Node

_TIMESTAMP = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d+)?Z", re.ASCII)
_SHA1 = re.compile(r"[0-9a-z]{31}", re.ASCII)
_DIGITS = 18
_INTEGER = re.compile(r"-?[0-9]{1,18}", re.ASCII)
_HIDDEN: dict[str, int] = {
    "text": Hidden.TEXT.value,
    "comment": Hidden.COMMENT.value,
    "contributor": Hidden.USER.value,
}
_LONGEST_NAME = 255
_LARGEST_TEXT = 2**32 - 1
_LARGEST_FILE = 2**40
_UNKNOWN_USER = "Unknown user"
_EPOCH = "19700101000000"


class BadField(ValueError):
    """A field holds what its element must not hold."""


def integer(text: str, name: str) -> int:
    """A decimal number of up to 18 digits."""
    if text.isdecimal() and text.isascii() and len(text) <= _DIGITS:
        return int(text)
    stripped = text.strip(" \t\r\n")
    if not _INTEGER.fullmatch(stripped):
        raise BadField(f"<{name}> holds no number: {text[:40]!r}")
    return int(stripped)


def identifier(node: Node, name: str) -> int:
    """A required number greater than zero."""
    text = node.texts.get(name)
    number = integer(text, name) if text is not None else 0
    if number < 1:
        raise BadField(f"a <{node.element.name}> without <{name}>")
    return number


def optional(node: Node, name: str) -> int:
    """A number, 0 where the element is absent or empty."""
    text = node.texts.get(name)
    return integer(text, name) if text else 0


def timestamp(node: Node) -> str:
    """The 14 digits of ``<timestamp>``; the epoch where there is none."""
    text = node.texts.get("timestamp")
    if text is None:
        return _EPOCH
    digits = digits_of(text.strip())
    if digits is None:
        raise BadField(f"<timestamp> holds no timestamp: {text[:40]!r}")
    return digits


def digits_of(text: str) -> str | None:
    """The 14 digits of a time as MediaWiki writes it, ``2026-01-31T23:59:59Z``; None for others.

    A time that no clock shows is none either: what is stored must be readable ever after.
    """
    match = _TIMESTAMP.fullmatch(text)
    digits = "".join(match.groups()) if match else ""
    return digits if is_real(digits) else None


def contributor(node: Node) -> Contributor:
    """Who made a revision, an upload or a log entry."""
    children = node.children.get("contributor")
    if not children:
        return Contributor(_UNKNOWN_USER)
    texts = children[0].texts
    if (ip := texts.get("ip")) is not None:
        return Contributor(_user_name(ip))
    return Contributor(_user_name(texts.get("username")), optional(children[0], "id"))


def _user_name(text: str | None) -> str:
    if text and len(text) > _LONGEST_NAME // 4 and len(text.encode()) > _LONGEST_NAME:
        raise BadField(f"a <contributor> with a name of more than {_LONGEST_NAME} bytes")
    return text or _UNKNOWN_USER


def hidden(node: Node) -> int:
    """Which parts of a revision or log entry are marked ``deleted="deleted"``."""
    flags = 0
    for name, attributes in node.attributes.items():
        if "deleted" in attributes:
            flags |= _HIDDEN.get(name, 0)
    return flags


def slot(node: Node, revision: int) -> DumpSlot:
    """The slot that a ``<revision>`` or ``<content>`` describes."""
    texts = node.texts
    text = texts.get("text", "")
    attributes = node.attributes.get("text", {})
    size = _size(attributes["bytes"], "text bytes") if "bytes" in attributes else None
    return DumpSlot(
        texts.get("role") or "main",
        texts.get("model") or "",
        text,
        size,
        sha1(attributes.get("sha1") or texts.get("sha1") or ""),
        optional(node, "origin") or revision,
        absent=not text and bool(size or "text" not in texts),
    )


def file_size(node: Node) -> int:
    """How large a file is, 0 where that is not said."""
    return _size(node.texts.get("size") or "0", "size", _LARGEST_FILE)


def _size(text: str, name: str, most: int = _LARGEST_TEXT) -> int:
    number = integer(text, name)
    if not 0 <= number <= most:
        raise BadField(f"<{name}> is the size of nothing: {number}")
    return number


def sha1(text: str) -> str:
    """A hash in base 36, 31 digits; empty for what is none."""
    return text if _SHA1.fullmatch(text) else ""


def namespace(attributes: Mapping[str, str], name: str) -> DumpNamespace:
    """One ``<namespace key= case=>``."""
    number = integer(attributes.get("key", ""), "namespace")
    return DumpNamespace(number, name, attributes.get("case") != "case-sensitive")
