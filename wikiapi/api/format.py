"""The base class of output formats, which serialise results."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from wikiapi.api.module import Module


@dataclass(slots=True)
class Rendered:
    """A serialised answer: its bytes, its media type and the headers of the format.

    A large answer may have ``pieces`` instead of ``body``, an iterator that generates its bytes
    while they are sent. By then errors can no longer be reported, so all checks must be done
    before.
    """

    body: bytes
    content_type: str
    headers: list[tuple[str, str]] = field(default_factory=list)
    pieces: Iterator[bytes] | None = None

    def whole(self) -> Rendered:
        """Return the same answer with all of its bytes in ``body``."""
        if self.pieces is None:
            return self
        return Rendered(b"".join(self.pieces), self.content_type, self.headers)


class Format(Module):
    """An output format, a value of the parameter ``format``."""

    group = "format"

    def prepare(self) -> None:
        """Check the format's parameters and add warnings, before the answer is serialised.

        Raises:
            ApiError: a parameter of the format is invalid.
        """
        _ = self.p

    @abstractmethod
    def render(self, root: Any) -> Rendered:
        """Serialise a complete answer.

        Raises:
            ApiError: a parameter of the format is invalid.
        """

    def stream(self, root: Any) -> Rendered | None:
        """Serialise a large answer in pieces; ``None`` if this format does not support it.

        All pieces joined are the body that :meth:`render` returns. See :mod:`wikiapi.api.pieces`
        for ways to generate them without a plain copy of the whole tree.

        Raises:
            ApiError: a parameter of the format is invalid.
        """
        return None
