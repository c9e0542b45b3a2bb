"""The files of one rendering, or of several, each looked up once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from wikiapi.filerepo.file import File
from wikiapi.filerepo.group import RepositoryGroup
from wikiapi.title.title import Title


class FileLookups:
    """Looks up files in the repositories of a site, and remembers what they answer.

    Renderings that share an object ask for each file once. Not to be used by several threads.
    """

    def __init__(self, repositories: RepositoryGroup) -> None:
        """Look up files in these repositories."""
        self.repositories = repositories
        self.deferred: dict[str, Title] = {}
        """The files that were not asked of foreign repositories in :meth:`deferring`, by name."""
        self._files: dict[str, File] = {}
        self._names: set[str] = set()
        self._unknown: set[str] = set()
        self._defers = False

    def load(self, titles: Iterable[Title]) -> None:
        """Look up files, all at once, unless they were looked up before."""
        missing = {title.dbkey: title for title in titles if title.dbkey not in self._names}
        if not missing:
            return
        answer = self.repositories.look_up(missing.values(), local_only=self._defers)
        self._files |= {title.dbkey: file for title, file in answer.files.items()}
        if self._defers:
            deferred = {name: missing[name] for name in missing if name not in self._files}
            self.deferred |= deferred
            self._names |= missing.keys() - deferred.keys()
        else:
            self._unknown |= {title.dbkey for title in answer.unknown}
            self._names |= missing.keys()

    def file(self, title: Title) -> File | None:
        """Return the file of a title that was looked up, after following redirects."""
        return self._files.get(title.dbkey)

    def is_unknown(self, title: Title) -> bool:
        """Return whether no repository that answered has a file that was looked up, but one failed.

        Files that are deferred are unknown, too.
        """
        return title.dbkey in self._unknown or title.dbkey in self.deferred

    @contextmanager
    def deferring(self) -> Iterator[None]:
        """Ask no foreign repositories in the block for files that were not looked up before."""
        self._defers = bool(self.repositories.foreign)
        try:
            yield
        finally:
            self._defers = False

    def load_deferred(self) -> dict[str, Title]:
        """Look up the deferred files, all at once, and return them by name."""
        deferred, self.deferred = self.deferred, {}
        if deferred:
            self.load(deferred.values())
        return deferred
