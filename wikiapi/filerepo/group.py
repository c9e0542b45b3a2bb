"""All file repositories of a site, queried in order, the wiki's own first."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

from wikiapi.errors import PluginError
from wikiapi.filerepo import paths
from wikiapi.filerepo.file import (
    Description,
    File,
    FileRepository,
    RepositoryUnavailable,
    Thumbnail,
    ThumbRequest,
)
from wikiapi.filerepo.local import NAME, LocalRepository
from wikiapi.registry import Registry, collect, own_name
from wikiapi.title.namespaces import FILE, MEDIA
from wikiapi.title.title import Title
from wikiapi.wiki import Wiki

logger = logging.getLogger("wikiapi.filerepo")

Argument = TypeVar("Argument")
Item = TypeVar("Item")
Answer = TypeVar("Answer")


class LookedUp(NamedTuple):
    """The files that exist by requested title, and the titles for which a repository failed."""

    files: dict[Title, File]
    unknown: frozenset[Title]


class RepositoryGroup:
    """Finds files by title.

    A foreign repository that does not answer is skipped, and a warning is written to the log
    ``wikiapi.filerepo``.
    """

    def __init__(self, site: Wiki) -> None:
        """Collect the foreign repositories of plugins.

        Raises:
            PluginError: two repositories have the same name.
        """
        self._server = site.config.site.server
        self.local = LocalRepository(site)
        foreign: Registry[FileRepository] = collect(
            site.plugins, "register_file_repositories", own_name, site=site
        )
        if NAME in foreign:
            raise PluginError(f"no foreign repository can be named {NAME!r}")
        self.foreign = tuple(foreign.values())
        self._next_line: dict[str, float] = {}
        self.outages = 0
        """How many queries a repository could not answer."""

    def find(self, titles: Iterable[Title], *, local_only: bool = False) -> dict[Title, File]:
        """Return the files that exist under the titles, each from the first repository that has it.

        Redirects are followed, so the file can have another title. Titles in namespaces other than
        File and Media are ignored.
        """
        return self.look_up(titles, local_only=local_only).files

    def look_up(self, titles: Iterable[Title], *, local_only: bool = False) -> LookedUp:
        """Return the same files as :meth:`find`, and which of the others may exist after all."""
        requested = [title for title in titles if title.ns in (FILE, MEDIA) and not title.interwiki]
        by_name = self.local.find(title.dbkey for title in requested)
        names = {title.dbkey for title in requested} - by_name.keys()
        is_complete = True
        if not local_only:
            elsewhere, is_complete = self._find_elsewhere(names)
            by_name |= elsewhere
        files = {title: by_name[title.dbkey] for title in requested if title.dbkey in by_name}
        missing = () if is_complete else (title for title in requested if title not in files)
        return LookedUp(files, frozenset(missing))

    def existing(self, titles: Iterable[Title]) -> set[Title]:
        """Return the titles that are files, in any repository."""
        requested = list(titles)
        if not requested:
            return set()
        names = {title.dbkey for title in requested}
        existing = self.local.existing(names)
        existing |= self._find_elsewhere(names - existing)[0].keys()
        return {title for title in requested if title.dbkey in existing}

    def by_sha1(self, hashes: Iterable[str], *, local_only: bool = False) -> dict[str, list[File]]:
        """Return the files with each SHA-1 in base 36, the wiki's own first, then by name."""
        requested = sorted(set(hashes) - {""})
        by_hash = self.local.by_sha1(requested) if requested else {}
        for repository in self.foreign if requested and not local_only else ():
            elsewhere = self._ask(repository, repository.by_sha1, requested)
            for sha1, files in (elsewhere or {}).items():
                by_hash.setdefault(sha1, []).extend(files)
        return by_hash

    def thumbnails(self, requests: Sequence[ThumbRequest]) -> list[Thumbnail | None]:
        """Return a thumbnail for each request, in order; ``None`` if there can be none."""
        return self._by_repository(
            requests, lambda request: request.file, lambda repository: repository.thumbnails
        )

    def descriptions(self, files: Sequence[File]) -> list[Description | None]:
        """Return the description of each file, in order; ``None`` if its repository failed."""
        return self._by_repository(
            files, lambda file: file, lambda repository: repository.descriptions
        )

    def full_url(self, url: str) -> str:
        """Return the full URL of a file or thumbnail from an address, which may be a path."""
        return paths.expand(url, self._server)

    def _find_elsewhere(self, names: set[str]) -> tuple[dict[str, File], bool]:
        """Return files of foreign repositories, and whether all repositories answered."""
        by_name: dict[str, File] = {}
        outages = 0
        for repository in self.foreign:
            if missing := sorted(names - by_name.keys()):
                answer, is_complete = self._answer(repository, repository.find, missing)
                by_name |= answer or {}
                outages += not is_complete
        return by_name, not outages

    def _by_repository(
        self,
        items: Sequence[Item],
        file_of: Callable[[Item], File],
        method: Callable[[FileRepository], Callable[[Sequence[Item]], Sequence[Answer]]],
    ) -> list[Answer | None]:
        """Return the answers in the order of the items, calling each repository once."""
        parts: dict[int, tuple[FileRepository, list[int]]] = {}
        for index, item in enumerate(items):
            repository = file_of(item).repository
            parts.setdefault(id(repository), (repository, []))[1].append(index)
        answers: list[Answer | None] = [None] * len(items)
        for repository, indexes in parts.values():
            some = [items[index] for index in indexes]
            batch = self._ask(repository, method(repository), some)
            if batch is not None:
                for index, answer in zip(indexes, batch, strict=True):
                    answers[index] = answer
        return answers

    def _ask(
        self, repository: FileRepository, method: Callable[[Argument], Answer], argument: Argument
    ) -> Answer | None:
        """Return the answer of a repository; if it failed, the available part or ``None``."""
        return self._answer(repository, method, argument)[0]

    def _answer(
        self, repository: FileRepository, method: Callable[[Argument], Answer], argument: Argument
    ) -> tuple[Answer | None, bool]:
        """Return the answer of a repository as :meth:`_ask` does, and whether it is complete."""
        try:
            return method(argument), True
        except RepositoryUnavailable as error:
            self.outages += 1
            # Logged at most once a second per repository, since a page can cause thousands.
            now = time.monotonic()
            if now >= self._next_line.get(repository.name, now):
                self._next_line[repository.name] = now + 1
                logger.warning("file repository %s cannot be reached: %s", repository.name, error)
            partly: Answer | None = error.answer
            return partly, False
