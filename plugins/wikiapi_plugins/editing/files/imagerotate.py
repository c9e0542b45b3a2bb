"""``action=imagerotate``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wikiapi.api import Arr, Obj, PageSet
from wikiapi.api.errorformat import ErrorFormatter
from wikiapi.i18n import Message
from wikiapi_plugins.editing.action import WriteAction
from wikiapi_plugins.editing.watchlists.pagesets import load_page_set, non_page_items


class ImageRotate(WriteAction):
    """Refuses to rotate pictures, as a MediaWiki without the tools for it does."""

    def perform(self) -> None:
        """Put an error for each page into the result."""
        found, run = load_page_set(self)
        items = [*non_page_items(self, found), *self._items(found)]
        self.result.set((), self.name, Arr(items, "page"))
        run.continuation.write(self.result)

    def _items(self, found: PageSet) -> Iterator[Obj]:
        pages = dict(found.good_and_missing())
        files = self.site.files.find(pages.values())
        for page_id, title in pages.items():
            item: dict[str, Any] = {"id": max(page_id, 0), "ns": title.ns}
            item["title"] = title.prefixed_text
            if page_id < 0:
                item["missing"] = True
                if title in files:
                    item["known"] = True
            key = "filetypecannotberotated" if title in files else "filedoesnotexist"
            errors = ErrorFormatter(self.context).listed([Message(f"apierror-{key}")])
            yield Obj({**item, "result": "Failure", "errors": errors})
