"""The interface of file repositories."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from wikiapi.errors import WikiapiError
from wikiapi.filerepo.thumbnail import Thumbnail, ThumbRequest

if TYPE_CHECKING:
    from wikiapi.filerepo.file import Description, File


class RepositoryUnavailable(WikiapiError):
    """A repository cannot answer at the moment; the wiki continues without it and logs a warning.

    ``answer`` is the part of the answer that is available, in the form that the method returns, or
    ``None`` if there is none.
    """

    def __init__(self, reason: str, answer: Any = None) -> None:
        """Store the reason, and the available part of the answer."""
        super().__init__(reason)
        self.answer = answer


class FileRepository(Protocol):
    """A source of files.

    The methods work on batches. They may raise RepositoryUnavailable, and must not raise other
    exceptions for invalid answers of a remote repository.
    """

    @property
    def name(self) -> str:
        """The name, which is ``imagerepository`` in answers."""

    @property
    def is_local(self) -> bool:
        """Whether this is the repository of the wiki's own files."""

    @property
    def is_remote(self) -> bool:
        """Whether finding a file may take a request over the network."""

    def find(self, names: Iterable[str]) -> Mapping[str, File]:
        """Return the files that exist, by requested name; redirects are followed.

        Names have underscores and no namespace.
        """

    def by_sha1(self, hashes: Iterable[str]) -> Mapping[str, Sequence[File]]:
        """Return the files with each SHA-1 in base 36, sorted by name."""

    def thumbnails(self, requests: Sequence[ThumbRequest]) -> Sequence[Thumbnail | None]:
        """Return a thumbnail for each request, in order; ``None`` if there can be none."""

    def descriptions(self, files: Sequence[File]) -> Sequence[Description]:
        """Return the description pages of the files, in order."""

    def info(self) -> Mapping[str, Any]:
        """Return the entry of the repository in ``meta=filerepoinfo``."""
