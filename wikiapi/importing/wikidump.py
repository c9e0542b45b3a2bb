"""Archives of whole wikis as WikiTeam's tools leave them: a folder, or a 7z file with its content.

Such a folder contains the pages (``PREFIX-DATE-history.xml`` or ``-current.xml``, which may be
compressed), the list of their titles (``-titles.txt``), the list of the files (``-images.txt``: a
line each with name, address, uploader and, from newer versions of the tools, size, SHA-1 and time,
between tabs), the files themselves in ``images``, in which ``NAME.desc`` may be the description
page of ``NAME``, and ``siteinfo.json``, the wiki's answer of ``meta=siteinfo``.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from wikiapi.errors import ConfigError, DumpError
from wikiapi.importing.compression import (
    SEVEN_ZIP,
    MemberWriter,
    members_of,
    open_seven_zip,
    unpacked,
)
from wikiapi.importing.files.importer import Origin, file_title, media_paths
from wikiapi.importing.siteinfo import read_interwiki
from wikiapi.importing.source import DumpLimits, limits_for, open_source
from wikiapi.importing.xml.reader import read_records
from wikiapi.importing.xml.records import DumpRevision
from wikiapi.site import Site
from wikiapi.store import Key, chunked
from wikiapi.store.queries import files as stored_files
from wikiapi.store.queries import pages as stored_pages
from wikiapi.store.queries.interwiki import InterwikiRow
from wikiapi.store.write.ids import Person
from wikiapi.timestamps import compact, parse_moment
from wikiapi.title.namespaces import FILE

_KINDS = ("history", "full", "current", "pages")
"""Words in the names of files with pages, those that have all revisions first."""
_WORD_ENDS = re.compile("[-_]")
_COMPRESSIONS = ("", ".7z", ".bz2", ".gz", ".xz", ".zst")
_IMAGES = "images"
_DESCRIPTION = ".desc"
_SITEINFO = "siteinfo.json"
_LISTS = ("-titles.txt", "-images.txt", _SITEINFO)
_END = "--END--"
"""The last line of a complete list."""
_NOTHING = "null"
"""What stands for a value that the tools did not get."""
_OLD_FIELDS = 3
"""How many fields a line of the list of files had in older versions."""
_BATCH = 500
_LONGEST_LINE = 4096
_LONGEST_NAME = 255
_LARGEST_JSON = 1 << 26
_NAMED = 3
"""How many of the missing pages and files are named."""


@dataclass(frozen=True, slots=True)
class WikiDump:
    """The parts of an archive; those that it lacks are ``None``.

    Attributes:
        pages: the file with the pages: with all revisions, if there is such a file.
        images: the folder with the files.
        titles: the list of the titles.
        image_list: the list of the files.
        siteinfo: the wiki's answer of ``meta=siteinfo``.
    """

    pages: Path
    images: Path | None = None
    titles: Path | None = None
    image_list: Path | None = None
    siteinfo: Path | None = None


class Comparison(NamedTuple):
    """How many titles a list of an archive has, and those that the wiki lacks."""

    listed: int
    missing: int
    examples: tuple[str, ...]


def in_folder(folder: Path) -> WikiDump | None:
    """Return the archive in a folder; ``None`` if it contains no file with pages.

    If the name of no file tells that it has pages, the only dump is taken, unless the folder has
    further folders, which may be those of pages as text.

    Raises:
        DumpError: the folder cannot be read.
    """
    paths = media_paths(folder)
    dumps = [path for path in paths if _is_dump(path.name)]
    kinds = {kind: path for path in dumps if (kind := _kind_of(path.name))}
    if kinds:
        pages = kinds[min(kinds, key=_KINDS.index)]
    elif len(dumps) == 1 and not _has_other_folders(folder):
        pages = dumps[0]
    else:
        return None
    images = folder / _IMAGES
    return WikiDump(
        pages,
        images if images.is_dir() else None,
        next((path for path in paths if path.name.endswith("-titles.txt")), None),
        next((path for path in paths if path.name.endswith("-images.txt")), None),
        next((path for path in paths if path.name == _SITEINFO), None),
    )


def _is_dump(name: str) -> bool:
    _, extension, compression = name.rpartition(".xml")
    return bool(extension) and compression in _COMPRESSIONS


def _kind_of(name: str) -> str:
    """Return the kind that the name of a dump tells, ``history`` for ``X-history.xml.7z``."""
    words = _WORD_ENDS.split(name.rpartition(".xml")[0])
    return next((kind for kind in _KINDS if kind in words), "")


def _has_other_folders(folder: Path) -> bool:
    return any(
        path.is_dir() and path.name != _IMAGES and not path.name.startswith(".")
        for path in folder.iterdir()
    )


# A 7z file with the content of a folder


class _Members:
    """Gives each member of an archive its file in ``folder``.

    Only the last part of a member's name is used, and whether the one before is ``images``, so that
    no archive can write elsewhere.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def create(self, member: str) -> MemberWriter:
        path = PurePosixPath(member)
        is_image = path.parent.name == _IMAGES
        if not (is_image or path.name.endswith(_LISTS) or _is_dump(path.name)):
            return MemberWriter(len)
        target = (self._folder / _IMAGES if is_image else self._folder) / path.name
        target.write_bytes(b"")

        def append(data: bytes) -> None:
            # Opened for each piece, because the end of a member is not known.
            with target.open("ab") as file:
                file.write(data)

        return MemberWriter(append)


def holds_folder(file: Path, limits: DumpLimits) -> bool:
    """Return whether a file is a 7z archive of several files, which a dump never is.

    Raises:
        DumpError: it is an archive that cannot be unpacked.
    """
    with open_source(str(file)) as source:
        if not source.head.startswith(SEVEN_ZIP):
            return False
        return len(members_of(open_seven_zip(source.seekable(), limits, str(file)))) > 1


def unpacked_folder(file: Path, beside: Path) -> Path:
    """Return the folder in ``beside`` into which :func:`unpack` unpacks an archive."""
    return beside / f".{file.name}.unpacked"


def unpack(file: Path, folder: Path, limits: DumpLimits) -> None:
    """Unpack an archive into a folder, unless an interrupted import has done so before.

    Raises:
        DumpError: the archive is damaged, or needs more memory or space than there is.
    """
    state = file.stat()
    mark, seal = folder / ".complete", f"{state.st_size} {state.st_mtime_ns}"
    if mark.is_file() and mark.read_text("utf-8") == seal:
        return
    shutil.rmtree(folder, ignore_errors=True)
    with open_source(str(file)) as source:
        archive = open_seven_zip(source.seekable(), limits, str(file))
        size, free = archive.archiveinfo().uncompressed, shutil.disk_usage(folder.parent).free
        if size > free:
            sizes = f"{size >> 20} MiB, but {folder.parent} has {free >> 20} MiB left"
            raise DumpError(f"unpacking {file} requires {sizes}")
        try:
            (folder / _IMAGES).mkdir(parents=True)
            archive.extractall(factory=_Members(folder))
            mark.write_text(seal, "utf-8")
        # The exceptions of py7zr for damaged archives have no common base class.
        except Exception as error:
            raise DumpError(f"{file} cannot be unpacked into {folder}: {error}") from error


# What the lists say


def interwiki_of(dump: WikiDump) -> list[InterwikiRow] | None:
    """Return the interwiki map in an archive's ``siteinfo.json``; ``None`` if it has none."""
    if dump.siteinfo is None or dump.siteinfo.stat().st_size > _LARGEST_JSON:
        return None
    try:
        return read_interwiki(dump.siteinfo)
    except ConfigError:
        return None


def pictures_of(site: Site, dump: WikiDump) -> dict[Path, Origin]:
    """Return the files of an archive, with their uploaders, times and description pages."""
    if dump.images is None:
        return {}
    paths = media_paths(dump.images)
    names = {path.name for path in paths}
    entries = {entry.name: entry for entry in _listed_images(dump)}
    longest = limits_for(site.config.limits.article_size)
    origins = {}
    for path in paths:
        if path.name.endswith(_DESCRIPTION) and path.name.removesuffix(_DESCRIPTION) in names:
            continue
        description = f"{path.name}{_DESCRIPTION}"
        text = _description(path.with_name(description), longest) if description in names else ""
        origin = Origin(text=text)
        if entry := entries.get(path.name.replace(" ", "_")):
            origin = replace(origin, timestamp=entry.timestamp)
            if entry.uploader:
                origin = replace(origin, uploader=Person(0, entry.uploader))
        origins[path] = origin
    return origins


def _description(path: Path, limits: DumpLimits) -> str:
    """Return the wikitext of a description: an export of the page, or the wikitext itself.

    It is empty if it cannot be read or is longer than a page may be.
    """
    try:
        with open_source(str(path)) as source:
            if not source.head.lstrip().startswith(b"<mediawiki"):
                content = source.head.decode("utf-8", "replace")
                return content if len(source.head) == source.size else ""
            records = read_records(unpacked(source, limits), limits)
            texts = [
                record.slots[0].text
                for record in records
                if isinstance(record, DumpRevision) and record.slots
            ]
    except DumpError:
        return ""
    return texts[-1] if texts else ""


class _Image(NamedTuple):
    name: str
    uploader: str
    timestamp: str


def _listed_images(dump: WikiDump) -> Iterator[_Image]:
    for line in _lines(dump.image_list):
        fields = [field if field != _NOTHING else "" for field in line.split("\t")]
        if len(fields) < _OLD_FIELDS:
            continue
        uploader = fields[2].removeprefix("User:").replace("_", " ")
        moment = parse_moment(fields[5]) if len(fields) > _OLD_FIELDS + 2 else None
        yield _Image(
            fields[0].replace(" ", "_"),
            uploader if uploader.isprintable() and len(uploader.encode()) <= _LONGEST_NAME else "",
            compact(moment) if moment else "",
        )


def missing_titles(site: Site, dump: WikiDump) -> Comparison | None:
    """Return which of the listed pages the wiki lacks; ``None`` if the archive has no list."""
    if dump.titles is None:
        return None
    titles = (site.titles.try_parse(line) for line in _lines(dump.titles))
    keys = (title.key for title in titles if title and not title.interwiki and title.ns >= 0)
    return _missing(site, keys, lambda some: stored_pages.existing(site.db, some))


def missing_images(site: Site, dump: WikiDump) -> Comparison | None:
    """Return which of the listed files the wiki lacks; ``None`` if the archive has no list."""
    if dump.image_list is None:
        return None
    titles = (file_title(site, image.name) for image in _listed_images(dump))
    keys = (title.key for title in titles if title)

    def existing(some: Iterable[Key]) -> set[Key]:
        rows = stored_files.by_names(site.db, [name for _, name in some])
        return {(FILE, name) for name in rows}

    return _missing(site, keys, existing)


def _missing(
    site: Site, keys: Iterable[Key], existing: Callable[[Sequence[Key]], set[Key]]
) -> Comparison:
    listed, missing, examples = 0, 0, list[str]()
    for some in chunked(keys, _BATCH):
        present = existing(some)
        absent = [key for key in some if key not in present]
        listed, missing = listed + len(some), missing + len(absent)
        more = absent[: _NAMED - len(examples)]
        examples += (site.titles.make(*key).prefixed_text for key in more)
    return Comparison(listed, missing, tuple(examples))


def _lines(path: Path | None) -> Iterator[str]:
    """Yield the lines of a list, up to the one that marks its end; none without a list."""
    if path is None:
        return
    with path.open(encoding="utf-8", errors="replace", newline="\n") as file:
        while line := file.readline(_LONGEST_LINE):
            line = line.rstrip("\r\n")
            if line == _END:
                return
            if line:
                yield line
