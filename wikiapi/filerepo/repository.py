"""What a file repository is: the protocol that the wiki's own and foreign ones follow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from wikiapi.errors import WikiapiError
from wikiapi.filerepo.thumbnail import Thumbnail, ThumbRequest

if TYPE_CHECKING:
    from wikiapi.filerepo.file import Description, File


class RepositoryUnavailable(WikiapiError):
    """A repository cannot answer now. The wiki answers without it and logs a warning.

    ``answer`` is the part of the answer that is known all the same, in the form that the method
    returns; ``None`` for nothing.
    """

    def __init__(self, reason: str, answer: Any = None) -> None:
        """Take the reason, and the available part of the answer."""
        super().__init__(reason)
        self.answer = answer


class FileRepository(Protocol):
    """A place that files come from.

    Every method takes a whole batch. Each may raise RepositoryUnavailable, and no other exception
    for what a repository answers.
    """

    @property
    def name(self) -> str:
        """The name that clients see as ``imagerepository``."""

    @property
    def is_local(self) -> bool:
        """Whether these are the wiki's own files."""

    @property
    def is_remote(self) -> bool:
        """Whether finding a file may take a request over the network."""

    def find(self, names: Iterable[str]) -> Mapping[str, File]:
        """Return the files that exist, by the name requested; redirects are followed.

        Names have underscores and no namespace.
        """

    def by_sha1(self, hashes: Iterable[str]) -> Mapping[str, Sequence[File]]:
        """Return the files with each content, sorted by name. Hashes are in base 36."""

    def thumbnails(self, requests: Sequence[ThumbRequest]) -> Sequence[Thumbnail | None]:
        """Return a picture for each request, in order; ``None`` where none can be made."""

    def descriptions(self, files: Sequence[File]) -> Sequence[Description]:
        """Return the description pages of the files, in order."""

    def info(self) -> Mapping[str, Any]:
        """Return the repository's part of the answer of ``meta=filerepoinfo``."""
