"""The counts of a category, as every module that tells of categories has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.api.result import Obj

if TYPE_CHECKING:
    from wikiapi.store.categories import CategoryRow


def counts(row: CategoryRow) -> Obj:
    """All members, and how many of them are pages of no special kind, files and categories."""
    return Obj(
        {
            "size": row.pages,
            "pages": row.pages - row.subcats - row.files,
            "files": row.files,
            "subcats": row.subcats,
        }
    )
