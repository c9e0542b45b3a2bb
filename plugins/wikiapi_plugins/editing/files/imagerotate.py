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

    def prepare(self) -> None:
        """Look for the pages and files, which may ask other servers."""
        page_set, self._run = load_page_set(self)
        self._answers = [*non_page_items(self, page_set), *self._items(page_set)]

    def perform(self) -> None:
        """Put an error for each page into the result."""
        self.result.set((), self.name, Arr(self._answers, "page"))
        self._run.continuation.write(self.result)

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
