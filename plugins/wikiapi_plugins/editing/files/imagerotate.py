"""``action=imagerotate``."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from wikiapi.api import (
    CONTINUE_FROM,
    PAGE_SET,
    TAGS,
    Arr,
    ErrorFormatter,
    Obj,
    Outdated,
    WriteAction,
    enum,
)
from wikiapi.errors import ApiError
from wikiapi.filerepo import File, UploadFolder, extension
from wikiapi.importing.files.mediafile import read_media
from wikiapi.languages import Message, Num, Plain
from wikiapi.store.queries import pages
from wikiapi.title import FILE, Title
from wikiapi.workers import JobFailed, Limits, WorkerPool, WorkerUnavailable
from wikiapi_plugins.editing.files.rotator import Job
from wikiapi_plugins.editing.files.versions import FileVersions, Upload, page_text, publish
from wikiapi_plugins.editing.watchlists.pagesets import load_page_set, non_page_items

_ROTATED = frozenset(
    {f"image/{kind}" for kind in ("bmp", "gif", "jpeg", "png", "tiff", "webp", "x-bmp", "x-ms-bmp")}
)
_MOST_PIXELS = 50_000_000
_BYTES_PER_PIXEL = 12
"""Memory of a decoded picture and its rotated copy: four bytes each, and those of the encoder."""
_ROOM = 128 * 1024 * 1024
"""Bytes of memory for everything else."""
_LARGEST_FILE = 1024 * 1024 * 1024
_SECONDS = 60.0


@cache
def _rotators() -> WorkerPool:
    """Return the worker processes, which all wikis share."""
    limits = Limits(_SECONDS, _ROOM + _BYTES_PER_PIXEL * _MOST_PIXELS, file_bytes=_LARGEST_FILE)
    return WorkerPool(Path(__file__).with_name("rotator.py"), limits, most_idle=1)


class ImageRotate(WriteAction):
    """Rotate pictures."""

    name = "imagerotate"
    position = 43
    params = (
        enum("rotation", "90", "180", "270", required=True, help="Degrees, clockwise."),
        CONTINUE_FROM,
        TAGS,
        *PAGE_SET,
    )
    examples = (
        (
            "action=imagerotate&titles=File:Example.jpg&rotation=90&token=123ABC",
            "Rotate a picture by 90 degrees",
        ),
    )

    def execute(self) -> None:
        """Perform the action."""
        if not self.site.config.files.folder:
            super().execute()
            return
        with UploadFolder(self.site.config.files).incoming() as self._incoming:
            super().execute()

    def prepare(self) -> None:
        """Look for the pages and files, which may ask other servers, and rotate the pictures."""
        self._page_set, self._run = load_page_set(self, FILE)
        titles = dict(self._page_set.good_and_missing())
        files = self.site.files.find(titles.values())
        self._rotated: dict[Title, Upload] = {}
        self._sources: dict[Title, str] = {}
        self._items: dict[Title, Obj] = {}
        for page_id, title in titles.items():
            item: dict[str, Any] = {"id": max(page_id, 0), "ns": title.ns}
            item["title"] = title.prefixed_text
            if page_id < 0:
                item["missing"] = True
                if title in files:
                    item["known"] = True
            self._items[title] = Obj(item)
            reason = self._rotate(title, files.get(title))
            if reason is not None:
                self._fail(title, reason)

    def _rotate(self, title: Title, file: File | None) -> Message | None:
        """Rotate a picture into a file of its own; return why that is not possible."""
        if file is None:
            return Message("apierror-filedoesnotexist")
        if not file.is_local or file.current.mime not in _ROTATED:
            return Message("apierror-filetypecannotberotated")
        row = pages.by_titles(self.db, [title.key]).get(title.key)
        self.check_all_allowed(("edit", "upload"), title, row)
        files = self.site.config.files
        source = UploadFolder(files).find_current(file.name) if files.folder else None
        if source is None:
            return Message("apierror-filenopath")
        degrees = int(self.p.text("rotation"))
        target = self._incoming / f"{len(self._rotated)}.{extension(file.name)}"
        job: Job = {
            "source": str(source.absolute()),
            "target": str(target.absolute()),
            "rotation": degrees,
            "most": _MOST_PIXELS,
        }
        try:
            failure = _rotators().run(job, min(self.site.budgets.current.left, _SECONDS)).result
        except (JobFailed, WorkerUnavailable) as error:
            failure = str(error)
        if failure:
            return Message("thumbnail_error", (Plain(failure),))
        comment = self.site.messages.content_text("rotate-comment", Num(degrees))
        self._rotated[title] = Upload(
            target,
            read_media(target),
            comment,
            page_text(self, title, comment),
            self.p.texts("tags"),
        )
        self._sources[title] = file.current.sha1
        return None

    def perform(self) -> None:
        """Publish the rotated pictures, and put an item for each page into the result.

        Raises:
            Outdated: one of the files has a new version.
        """
        versions = FileVersions(self)
        for title, upload in self._rotated.items():
            page = versions.page(title)
            if page.current is None or page.current.sha1 != self._sources[title]:
                raise Outdated
            try:
                publish(self, page, upload)
            except ApiError as error:
                self._fail(title, error.message)
            else:
                self._items[title]["result"] = "Success"
        items = [*non_page_items(self, self._page_set), *self._items.values()]
        self.result.set((), self.name, Arr(items, "page"))
        self._run.continuation.write(self.result)

    def _fail(self, title: Title, reason: Message) -> None:
        errors = ErrorFormatter(self.context).listed([reason])
        self._items[title] |= {"result": "Failure", "errors": errors}
