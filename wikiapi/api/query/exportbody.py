"""An export that stands for the whole answer, held or read while it is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.api.pieces import gathered
from wikiapi.api.rawpieces import RawPieces
from wikiapi.api.result import RawBody

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikiapi.api.query.export import Export

_CONTENT_TYPE = "text/xml; charset=utf-8"
_FILE = "export.xml"


def exported(export: Export, stream_above: int) -> RawBody:
    """The answer; in pieces if the texts are more than so many bytes (0 for never).

    Of those the first has been made already: a database that does not answer is noticed while the
    client can still be told.
    """
    if not stream_above or export.size <= stream_above:
        return RawBody(_encoded(export.whole()), _CONTENT_TYPE, _FILE)
    pieces = gathered(export.parts())
    return RawPieces(b"", _CONTENT_TYPE, _FILE, _begun(next(pieces), pieces))


def _begun(first: str, pieces: Iterator[str]) -> Iterator[bytes]:
    yield _encoded(first)
    for piece in pieces:
        yield _encoded(piece)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")
