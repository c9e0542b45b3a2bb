"""What a dump holds, record by record, in the order of the file."""

from __future__ import annotations

from enum import IntFlag
from typing import NamedTuple


class Hidden(IntFlag):
    """Parts of a revision that are suppressed; the bits of ``rev_deleted``."""

    NOTHING = 0
    TEXT = 1
    COMMENT = 2
    USER = 4


class DumpNamespace(NamedTuple):
    """A namespace as the dump names it; the name is empty for the main one."""

    id: int
    name: str
    first_letter: bool


class SiteInfo(NamedTuple):
    """The head of a dump: which wiki it was made from. Absent parts are empty."""

    name: str
    wiki_id: str
    base: str
    generator: str
    language: str
    first_letter: bool
    namespaces: tuple[DumpNamespace, ...]


class PageHead(NamedTuple):
    """A page begins. ``title`` is the full title as people read it.

    ``redirect`` is the full title of a redirect's target (without a fragment), ``restrictions`` the
    protection in MediaWiki's older form ``edit=sysop:move=sysop``.
    """

    id: int
    ns: int
    title: str
    redirect: str | None = None
    restrictions: str = ""


class Contributor(NamedTuple):
    """Who did it. ``user_id`` is 0 for IP addresses and for names that are no account here."""

    name: str
    user_id: int = 0


class DumpSlot(NamedTuple):
    """One slot of a revision.

    ``size`` is in bytes of UTF-8 and None where the dump does not say; ``sha1`` is MediaWiki's
    base-36 form or empty. ``origin`` is the revision that the content comes from. ``absent`` tells
    a text that is not in the dump from an empty one.
    """

    role: str
    model: str
    text: str
    size: int | None = None
    sha1: str = ""
    origin: int = 0
    absent: bool = False


class DumpRevision(NamedTuple):
    """A revision of the page that began last. ``timestamp`` has 14 digits."""

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
        """The slot that every revision has."""
        return self.slots[0]


class PageEnd(NamedTuple):
    """The page that began last is complete. ``line`` is where it ends."""

    line: int


class LogItem(NamedTuple):
    """An entry of a log. ``title`` is a full title, empty where the dump withholds it."""

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
    """A version of a file, belonging to the page that began last; its bytes are not read.

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
