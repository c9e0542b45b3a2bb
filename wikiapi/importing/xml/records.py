"""The records that a dump is read as, in the order of the file."""

from __future__ import annotations

from enum import IntFlag
from typing import NamedTuple

__all__ = ["Contributor", "DumpRevision", "PageEnd", "PageHead"]


class Hidden(IntFlag):
    """Parts of a revision that are suppressed; the bits of ``rev_deleted``."""

    NOTHING = 0
    TEXT = 1
    COMMENT = 2
    USER = 4


class DumpNamespace(NamedTuple):
    """A namespace that the dump declares; the name of the main namespace is empty."""

    id: int
    name: str
    first_letter: bool


class SiteInfo(NamedTuple):
    """The head of a dump, which describes the wiki that it was made from.

    Fields that the dump lacks are empty.
    """

    name: str
    wiki_id: str
    base: str
    generator: str
    language: str
    first_letter: bool
    namespaces: tuple[DumpNamespace, ...]


class PageHead(NamedTuple):
    """The start of a page. ``title`` is the full title with spaces.

    ``redirect`` is the full title of a redirect's target (without a fragment), ``restrictions`` the
    protection in MediaWiki's older form ``edit=sysop:move=sysop``.
    """

    id: int
    ns: int
    title: str
    redirect: str | None = None
    restrictions: str = ""


class Contributor(NamedTuple):
    """The author of a revision, upload or log entry.

    ``user_id`` is 0 for IP addresses and for names that are not an account of the wiki.
    """

    name: str
    user_id: int = 0


class DumpSlot(NamedTuple):
    """One slot of a revision.

    ``size`` is in bytes of UTF-8. It and ``model`` are None if the dump does not have them.
    ``sha1`` is in base 36, or empty. ``origin`` is the revision that the content was first saved
    in. ``absent`` is true if the text is missing from the dump, rather than empty.
    """

    role: str
    model: str | None
    text: str
    size: int | None = None
    sha1: str = ""
    origin: int = 0
    absent: bool = False


class DumpRevision(NamedTuple):
    """A revision of the page of the last :class:`PageHead`. ``timestamp`` has 14 digits."""

    id: int
    parent_id: int
    timestamp: str
    contributor: Contributor
    comment: str
    minor: bool
    hidden: int
    slots: tuple[DumpSlot, ...]

    @property
    def main(self) -> DumpSlot:
        """The main slot, which every revision has."""
        return self.slots[0]


class PageEnd(NamedTuple):
    """The end of a page. ``line`` is its line number in the dump."""

    line: int


class LogItem(NamedTuple):
    """A log entry. ``title`` is a full title, or empty if it is suppressed."""

    id: int
    timestamp: str
    contributor: Contributor
    comment: str
    type: str
    action: str
    title: str
    params: str
    hidden: int


class Upload(NamedTuple):
    """A version of the file of the last :class:`PageHead`, without its content.

    ``archive_name`` is empty for the current version.
    """

    timestamp: str
    contributor: Contributor
    comment: str
    file_name: str
    size: int
    sha1: str
    archive_name: str


Record = SiteInfo | PageHead | DumpRevision | PageEnd | LogItem | Upload
