"""Imports the files that pages use from other wikis, or from a folder or archive.

Files are imported in batches, each in one transaction. A complete file is never downloaded again,
even if a run was killed before the file was moved to the upload folder.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from peewee import fn

from wikiapi.config import FilesConfig
from wikiapi.errors import DumpError
from wikiapi.importing.files.collection import BadMember, Member, members
from wikiapi.importing.files.download import Downloader, FileFailed, FileGone, ServerSilent
from wikiapi.importing.files.importer import Origin, file_title, has_content, import_files, on_disk
from wikiapi.importing.files.remote import BATCH, RemoteFile, RemoteFiles
from wikiapi.site import Site
from wikiapi.store.database import Database
from wikiapi.store.models import ImageLinks
from wikiapi.store.queries import files as stored_files
from wikiapi.store.queries.files import FileVersion
from wikiapi.store.sql.batches import chunked

_MAX_TIMEOUTS = 3
"""How many files in a row may have no answer from their server before the run ends."""
_MAX_NAMES = 20
_USED_AT_ONCE = 500
_NAMES = (
    ImageLinks.select(ImageLinks.il_to).distinct().order_by(ImageLinks.il_to).limit(_USED_AT_ONCE)
)


def count_used(db: Database) -> int:
    """Return the number of file names that pages use."""
    return int(db.scalar(ImageLinks.select(fn.COUNT(ImageLinks.il_to.distinct()))))


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """The largest size of a file, and of all files of a run together, in bytes."""

    file: int
    total: int


@dataclass(slots=True)
class Names:
    """The number of files with one outcome, and the first of their names, each with a detail."""

    count: int = 0
    first: list[tuple[str, str]] = field(default_factory=list)

    def add(self, name: str, detail: str = "") -> None:
        """Count a file."""
        self.count += 1
        if len(self.first) < _MAX_NAMES:
            self.first.append((name, detail))


@dataclass(slots=True)
class FetchReport:
    """The result of a run: how many of the files that pages use had which outcome.

    ``size`` is the total size in bytes of those fetched. ``is_full`` is true if the run stopped at
    the limit on all files together.
    """

    fetched: int = 0
    size: int = 0
    present: int = 0
    missing: Names = field(default_factory=Names)
    too_large: Names = field(default_factory=Names)
    failed: Names = field(default_factory=Names)
    is_full: bool = False

    @property
    def seen(self) -> int:
        """The number of files that have an outcome."""
        counted = (self.missing, self.too_large, self.failed)
        return self.fetched + self.present + sum(names.count for names in counted)


Progress = Callable[[FetchReport], None]


@contextmanager
def staging_folder(site: Site) -> Iterator[Path]:
    """Create a folder for files not imported yet; if it is empty at the end, it is removed.

    Raises:
        DumpError: no upload folder is configured, or it cannot be written.
    """
    if not site.config.files.folder:
        raise DumpError("there is no folder to put the files in: set files.folder")
    folder = Path(site.config.files.folder) / "temp" / "fetched"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DumpError(f"cannot write {folder}: {error.strerror}") from error
    yield folder
    if not any(folder.iterdir()):
        folder.rmdir()


# From other wikis


@dataclass(frozen=True, slots=True)
class RemoteRun:
    """A run that downloads files from other wikis, which are queried in their order.

    Without a ``downloader`` it is a dry run: nothing is downloaded, and the report counts what
    would be.
    """

    site: Site
    wikis: Sequence[RemoteFiles]
    limits: FetchLimits
    downloader: Downloader | None = None
    on_progress: Progress = lambda _: None

    def run(self) -> FetchReport:
        """Download the files that pages use and the wiki does not have.

        Raises:
            DumpError: a wiki does not answer, or a file cannot be written.
            StoreError: the store cannot be written.
        """
        report = FetchReport()
        for names in chunked(_lacking(self.site, report), BATCH):
            self._fetch(self._find(names, report), report)
            self.on_progress(report)
            if report.is_full and self.downloader:
                break
        return report

    def _find(self, names: Sequence[str], report: FetchReport) -> list[RemoteFile]:
        files: list[RemoteFile] = []
        remaining = dict.fromkeys(names)
        for wiki in self.wikis:
            if not remaining:
                break
            answer = wiki.find(list(remaining))
            files += answer.files
            for name, reason in answer.wrong:
                report.failed.add(name, reason)
            for name in (
                *(file.name for file in answer.files),
                *(name for name, _ in answer.wrong),
            ):
                del remaining[name]
        for name in remaining:
            report.missing.add(name)
        return files

    def _fetch(self, files: Iterable[RemoteFile], report: FetchReport) -> None:
        """Download and import a batch of files.

        Raises:
            DumpError: a server did not answer for several files in a row.
        """
        downloaded: dict[Path, RemoteFile] = {}
        silent = 0
        for file in files:
            if file.size > self.limits.file:
                report.too_large.add(file.name, f"{file.size} bytes")
            elif report.size + file.size > self.limits.total:
                report.is_full = True
                if self.downloader:
                    break
                _count(report, file.size)
            elif self.downloader is None:
                _count(report, file.size)
            else:
                try:
                    downloaded[self._download(self.downloader, file, report)] = file
                    silent = 0
                except ServerSilent as error:
                    report.failed.add(file.name, str(error))
                    silent += 1
                    if silent == _MAX_TIMEOUTS:
                        self._import(downloaded, report)
                        raise DumpError(f"{file.url} did not answer: {error}") from error
                except FileGone as error:
                    report.missing.add(file.name, str(error))
                except FileFailed as error:
                    report.failed.add(file.name, str(error))
        self._import(downloaded, report)

    def _download(self, downloader: Downloader, file: RemoteFile, report: FetchReport) -> Path:
        """Return the path of a file, downloaded unless it is already in the upload folder."""
        path = on_disk(self.site.config.files, file.name)
        before = report.size
        if path is None or not has_content(path, file.size, file.sha1):

            def on_bytes(size: int) -> None:
                report.size = before + size
                self.on_progress(report)

            try:
                path = downloader.download(file, on_bytes)
            except FileFailed:
                report.size = before
                raise
        report.fetched += 1
        report.size = before + file.size
        return path

    def _import(self, downloaded: dict[Path, RemoteFile], report: FetchReport) -> None:
        origins = {path: file.origin for path, file in downloaded.items()}
        _import(self.site, list(downloaded), origins, report, move=True)
        if self.downloader:
            for file in downloaded.values():
                self.downloader.forget(file)


# From a folder or archive


@dataclass(frozen=True, slots=True)
class CollectionRun:
    """A run that imports files from a folder or archive, found by their names.

    ``folder`` is where to unpack files. Without one it is a dry run: nothing is imported, and
    the report counts what would be.
    """

    site: Site
    place: Path
    limits: FetchLimits
    folder: Path | None = None
    on_progress: Progress = lambda _: None

    def run(self) -> FetchReport:
        """Import the files that pages use and the wiki does not have.

        Raises:
            DumpError: the folder or archive cannot be read, or a file cannot be written.
            StoreError: the store cannot be written.
        """
        report = FetchReport()
        names = dict.fromkeys(_lacking(self.site, report))
        for batch in chunked(self._unpacked(names, report), BATCH):
            if self.folder:
                _import(self.site, batch, {}, report, move=not self.place.is_dir())
            self.on_progress(report)
        if not report.is_full:
            for name in names:
                report.missing.add(name)
        return report

    def _unpacked(self, names: dict[str, None], report: FetchReport) -> Iterator[Path]:
        """Yield the paths of the files with these names, and remove the names."""
        for member in members(self.place):
            title = file_title(self.site, member.name)
            if title is None or title.dbkey not in names:
                continue
            if member.size > self.limits.file:
                report.too_large.add(title.dbkey, f"{member.size} bytes")
            elif report.size + member.size > self.limits.total:
                report.is_full = True
                return
            else:
                try:
                    path = self._unpack(member, title.dbkey)
                except BadMember as error:
                    report.failed.add(title.dbkey, str(error))
                else:
                    _count(report, member.size)
                    yield path
            del names[title.dbkey]

    def _unpack(self, member: Member, name: str) -> Path:
        if member.path or self.folder is None:
            return member.path or Path(name)
        target = self.folder / name
        try:
            member.copy(target, member.size)
        except OSError as error:
            raise DumpError(f"cannot write {target}: {error.strerror}") from error
        except BadMember:
            target.unlink()
            raise
        return target


@contextmanager
def unpacking_folder(staging: Path) -> Iterator[Path]:
    """Create a folder to unpack files to, and remove it at the end of the block."""
    folder = staging / "unpacked"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _lacking(site: Site, report: FetchReport) -> Iterator[str]:
    """Yield the names of the used files that the wiki does not have, and count the others.

    The target of a redirect takes its place. There are two queries for every five hundred names.
    """
    last = ""
    while names := [name for (name,) in site.db.execute(_NAMES.where(ImageLinks.il_to > last))]:
        targets = stored_files.redirect_targets(site.db, names)
        own_names = list(dict.fromkeys(targets.get(name, name) for name in names))
        rows = stored_files.by_names(site.db, own_names)
        for name in own_names:
            title, row = file_title(site, name), rows.get(name)
            if title is None or title.dbkey != name:
                report.missing.add(name)
            elif row is not None and _is_here(site.config.files, row):
                report.present += 1
            else:
                yield name
        last = names[-1]


def _is_here(config: FilesConfig, row: FileVersion) -> bool:
    """Return whether the file that a row describes is in the upload folder."""
    if row.media_type in ("BITMAP", "DRAWING") and not row.width:
        return False  # the row comes from a dump, which does not have the size in pixels
    path = on_disk(config, row.name)
    return path is not None and path.stat().st_size == row.size


def _count(report: FetchReport, size: int) -> None:
    report.fetched += 1
    report.size += size


def _import(
    site: Site,
    paths: Sequence[Path],
    origins: dict[Path, Origin],
    report: FetchReport,
    *,
    move: bool,
) -> None:
    imported = import_files(site, paths, origins=origins, move=move)
    for name, reason in imported.refused:
        report.fetched -= 1
        report.failed.add(name, reason)
