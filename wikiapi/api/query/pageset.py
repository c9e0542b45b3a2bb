"""The page set of a query: its pages, and how the requested titles were resolved.

Pages that do not exist get negative ids, so that every page has a key in the answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from wikiapi.languages.message import Message
from wikiapi.store.queries.pages import PageRow
from wikiapi.title.title import Title


class InvalidPage(NamedTuple):
    """A text that is not a valid title, and the reason."""

    text: str
    reason: Message


class ResolvedRedirect(NamedTuple):
    """A redirect that was followed."""

    source: Title
    target: Title


@dataclass(slots=True)
class PageSet:
    """The pages of a query.

    Attributes:
        good: existing pages by id.
        titles: the titles of existing pages by id.
        missing: titles of missing pages, by negative id.
        special: titles in virtual namespaces, by negative id.
        invalid: texts that are not valid titles, by negative id.
        missing_ids: requested page ids that do not exist.
        interwiki: titles on other wikis.
        normalized: normalized titles by requested text, if they differ.
        converted: titles that were found as a language variant, by requested title.
        redirects: the redirects that were followed, in order.
        revisions: page ids by requested revision id.
        deleted_revisions: page ids (negative for missing pages) by requested id of a deleted
            revision. Only for users who may see deleted revisions.
        missing_revisions: requested revision ids that do not exist.
    """

    good: dict[int, PageRow] = field(default_factory=dict)
    titles: dict[int, Title] = field(default_factory=dict)
    missing: dict[int, Title] = field(default_factory=dict)
    special: dict[int, Title] = field(default_factory=dict)
    invalid: dict[int, InvalidPage] = field(default_factory=dict)
    missing_ids: list[int] = field(default_factory=list)
    interwiki: dict[str, Title] = field(default_factory=dict)
    normalized: dict[str, str] = field(default_factory=dict)
    converted: dict[str, str] = field(default_factory=dict)
    redirects: list[ResolvedRedirect] = field(default_factory=list)
    revisions: dict[int, int] = field(default_factory=dict)
    deleted_revisions: dict[int, int] = field(default_factory=dict)
    missing_revisions: list[int] = field(default_factory=list)
    _last_fake_id: int = 0

    def fake_id(self) -> int:
        """Return the next negative id."""
        self._last_fake_id -= 1
        return self._last_fake_id

    def existing(self) -> Iterator[tuple[int, Title]]:
        """Yield id and title of each existing page."""
        return iter(self.titles.items())

    def good_and_missing(self) -> Iterator[tuple[int, Title]]:
        """Yield id and title of each existing or missing page."""
        yield from self.titles.items()
        yield from self.missing.items()

    def ids_by_key(self) -> dict[tuple[int, str], int]:
        """Return the ids of existing and missing pages by (namespace, dbkey)."""
        return {title.key: page_id for page_id, title in self.good_and_missing()}

    @property
    def is_empty(self) -> bool:
        """Whether there are no pages of any kind."""
        return not (self.good or self.missing or self.special or self.invalid or self.missing_ids)

    @property
    def wanted_revisions(self) -> bool:
        """Whether revisions were requested, rather than pages."""
        return bool(self.revisions or self.deleted_revisions or self.missing_revisions)


@dataclass(slots=True)
class GeneratedPages:
    """The pages found by a generator.

    ``rows`` are of pages that the module has read, which saves a query. ``titles`` may be of
    missing pages. ``data`` is added to each page in the answer, such as ``index`` of a search.
    """

    rows: list[PageRow] = field(default_factory=list)
    page_ids: list[int] = field(default_factory=list)
    titles: list[Title] = field(default_factory=list)
    revision_ids: list[int] = field(default_factory=list)
    data: dict[tuple[int, str], Mapping[str, Any]] = field(default_factory=dict)
