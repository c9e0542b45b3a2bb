"""Formats: from the response tree to bytes."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Any

from wikiapi.api.module import Module


@dataclass(slots=True)
class Rendered:
    """A serialised answer: its bytes, media type and the headers that belong to the format."""

    body: bytes
    content_type: str
    headers: list[tuple[str, str]] = field(default_factory=list)


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
