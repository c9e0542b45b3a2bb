"""What a generator hands over: the pages it has found, in the cheapest form it has them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikiapi.store.pages import PageRow
    from wikiapi.title.title import Title


@dataclass(slots=True)
class GeneratedPages:
    """The pages found by a generator.

    Rows that a module has read already save a query; titles may name pages that are not stored.
    ``data`` is put beside the title of each page in the answer (``index`` of a search).
    """

    rows: list[PageRow] = field(default_factory=list)
    page_ids: list[int] = field(default_factory=list)
    titles: list[Title] = field(default_factory=list)
    revision_ids: list[int] = field(default_factory=list)
    data: dict[tuple[int, str], Mapping[str, Any]] = field(default_factory=dict)
