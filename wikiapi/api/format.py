"""Formats: from the response tree to bytes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from wikiapi.api.module import Module


@dataclass(slots=True)
class Rendered:
    """A serialised answer: its bytes, media type and the headers that belong to the format.

    A large one may be given by ``pieces`` in place of ``body``: bytes that are made when they are
    requested, after the answer's first bytes have been sent. So nothing may fail in them that could
    have failed before.
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
    """What the ``format`` parameter names."""

    group = "format"

    def prepare(self) -> None:
        """Look at the format's parameters, and warn, before the answer is serialised.

        Raises:
            ApiError: one of them cannot be used.
        """
        _ = self.p

    @abstractmethod
    def render(self, root: Any) -> Rendered:
        """Serialise a finished answer.

        Raises:
            ApiError: one of the format's own parameters cannot be used.
        """

    def stream(self, root: Any) -> Rendered | None:
        """Serialise a large answer in pieces; ``None`` if this format gives it whole.

        All pieces together are the body that :meth:`render` gives. See :mod:`wikiapi.api.pieces`
        for how to come by them without a plain copy of the whole tree.

        Raises:
            ApiError: one of the format's own parameters cannot be used.
        """
        return None
