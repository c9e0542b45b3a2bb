"""Which versions of which files an answer tells of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wikiapi.store.files import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wikiapi.filerepo.file import File, FileVersion
    from wikiapi.site import Site


@dataclass(slots=True)
class Asked:
    """A file with the part of its history that is wanted.

    ``newest`` and ``oldest`` are the bounds, both included; they also decide whether the current
    version is shown.
    """

    file: File
    newest: str | None
    oldest: str | None
    versions: list[FileVersion] = field(default_factory=list)
    following: FileVersion | None = None
    """The first version for which there was no place."""


def find_versions(site: Site, asked: Sequence[Asked], limit: int, *, look_ahead: bool) -> None:
    """Fill in up to ``limit`` versions of each file, newest first. At most two queries for a part.

    Without a newest moment but with an oldest one, those nearest to the oldest are taken, as
    MediaWiki does. ``following`` is found only with ``look_ahead``.
    """
    parts: dict[Span, list[Asked]] = {}
    for one in asked:
        if _is_within(one.file.current, one):
            one.versions.append(one.file.current)
        more = limit - len(one.versions) + 1
        if one.file.is_local and one.file.current.exists and (more > 1 or look_ahead):
            from_oldest = one.newest is None and one.oldest is not None
            span = Span(more, one.newest, one.oldest, from_oldest)
            parts.setdefault(span, []).append(one)
    for span, some in parts.items():
        _add_history(site, span, some)


def _add_history(site: Site, span: Span, asked: Iterable[Asked]) -> None:
    asked = list(asked)
    histories = site.files.local.history([one.file for one in asked], span)
    for one in asked:
        history = histories.get(one.file.name, [])
        one.versions += history[: span.limit - 1]
        one.following = history[span.limit - 1] if len(history) == span.limit else None


def _is_within(version: FileVersion, asked: Asked) -> bool:
    moment = version.timestamp
    return (asked.newest is None or moment <= asked.newest) and (
        asked.oldest is None or moment >= asked.oldest
    )
