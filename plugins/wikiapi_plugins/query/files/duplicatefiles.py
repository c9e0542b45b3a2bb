"""``prop=duplicatefiles``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from wikiapi.api import (
    GeneratedPages,
    Obj,
    PropModule,
    boolean,
    continuation,
    iso,
    limit,
    sort_direction,
)
from wikiapi.filerepo import File
from wikiapi.title import FILE, Title


class _Duplicate(NamedTuple):
    """A requested file, the id of its page, and a file with the same content."""

    title: Title
    page_id: int
    duplicate: File


class DuplicateFiles(PropModule):
    """List the files with the same content as the requested ones."""

    name = "duplicatefiles"
    prefix = "df"
    element = "df"
    params = (
        limit(),
        continuation(),
        sort_direction(),
        boolean("localonly", "Only look for files of the wiki itself."),
    )
    examples = (
        ("action=query&titles=File:Example.jpg&prop=duplicatefiles", "Duplicates of a file"),
        ("action=query&generator=duplicatefiles&titles=File:Example.jpg", "Their pages"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Duplicatefiles",)

    def execute(self) -> None:
        """List the duplicates of each file."""
        rows = list(self._duplicates())
        self.emit(((row.page_id, _item(row.duplicate)) for row in rows), rows, _continue_value)

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the duplicates."""
        rows = self.within_limit(list(self._duplicates()), _continue_value)
        pages.titles += [row.duplicate.title for row in rows]

    def _duplicates(self) -> Iterator[_Duplicate]:
        """Yield the duplicates of each requested file, by name in the requested direction."""
        backwards = self.p.text("dir") == "descending"
        ids = {title: i for i, title in self.page_set.good_and_missing() if title.ns == FILE}
        if not ids:
            return
        parts = self.continue_parts(2)
        local_only = self.p.flag("localonly")
        files = self.site.files.find(ids, local_only=local_only)
        hashes = {file.current.sha1 for file in files.values()}
        same = self.site.files.by_sha1(hashes, local_only=local_only)
        for title in sorted(files, key=lambda title: title.dbkey, reverse=backwards):
            file = files[title]
            duplicates = same.get(file.current.sha1, [])
            for other in sorted(duplicates, key=lambda other: other.name, reverse=backwards):
                place = [title.dbkey, other.name]
                is_early = parts and (place > parts if backwards else place < parts)
                is_itself = file.is_local and other.is_local and file.name == other.name
                if not is_early and not is_itself:
                    yield _Duplicate(title, ids[title], other)


def _continue_value(row: _Duplicate) -> str:
    return f"{row.title.dbkey}|{row.duplicate.name}"


def _item(file: File) -> Obj:
    uploader = file.current.uploader
    item = Obj({"name": file.name, "timestamp": iso(file.current.timestamp)})
    item["shared"] = not file.is_local
    if uploader:
        item["user"] = uploader.name
    return item
