"""What a test declares of a wiki: edits, users and files, each with a sensible default."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

VISITOR = "192.0.2.1"
"""Who makes an edit for which nobody is named: an address kept for documentation."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One revision of a page.

    ``user`` is a declared user, an address, or a name this wiki does not know. ``timestamp`` has 14
    digits; without one, edits follow each other by a minute. ``model`` is a content model; without
    one, the namespace's.
    """

    text: str
    user: str = VISITOR
    comment: str = ""
    timestamp: str = ""
    minor: bool = False
    model: str = ""


@dataclass(frozen=True, slots=True)
class DeclaredUser:
    """An account; its edits are counted. ``registration`` has 14 digits."""

    name: str
    groups: tuple[str, ...] = ()
    registration: str = "20240101000000"


@dataclass(frozen=True, slots=True)
class DeclaredFile:
    """The current version of a file; nothing lies on disk. ``name`` is without namespace.

    ``size`` is in bytes, ``width`` and ``height`` in pixels, ``sha1`` 31 digits of base 36.
    """

    name: str
    width: int = 640
    height: int = 480
    size: int = 1234
    mime: str = "image/png"
    media_type: str = "BITMAP"
    bits: int = 8
    sha1: str = "0" * 31
    user: str = VISITOR
    comment: str = ""
    timestamp: str = "20240101000000"
    metadata: str = ""


History = str | Edit | Sequence[str | Edit]
"""A page: its text, or its edits from the first to the last."""


def edits_of(history: History) -> list[Edit]:
    """The edits of a page, however they were declared."""
    listed = [history] if isinstance(history, str | Edit) else list(history)
    return [Edit(entry) if isinstance(entry, str) else entry for entry in listed]
