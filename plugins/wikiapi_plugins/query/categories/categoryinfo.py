"""``prop=categoryinfo``."""

from __future__ import annotations

from operator import attrgetter

from wikiapi.api import Obj, PropModule, continuation
from wikiapi.store import CategoryRow
from wikiapi.store.queries import categories
from wikiapi.title import CATEGORY


class CategoryInfo(PropModule):
    """Count the members of categories."""

    name = "categoryinfo"
    prefix = "ci"
    params = (continuation(),)
    examples = (
        ("action=query&prop=categoryinfo&titles=Category:Foo|Category:Bar", "Two categories"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Categoryinfo",)

    def execute(self) -> None:
        """Add the counts of each category that has some."""
        pages = self.page_set.good_and_missing()
        ids = {title.dbkey: page_id for page_id, title in pages if title.ns == CATEGORY}
        first = self.p.text_or_none("continue")
        names = sorted(name for name in ids if first is None or name >= first)
        by_title = categories.by_titles(self.db, names)
        hidden = categories.hidden(self.db, by_title)
        rows = [by_title[name] for name in names if name in by_title]
        self.emit_values(
            ((ids[row.title], counts(row) | {"hidden": row.title in hidden}) for row in rows),
            rows,
            attrgetter("title"),
        )


def counts(row: CategoryRow) -> Obj:
    """Return the counts of all members, and of ordinary pages, files and subcategories."""
    return Obj(
        {
            "size": row.pages,
            "pages": row.pages - row.subcats - row.files,
            "files": row.files,
            "subcats": row.subcats,
        }
    )
