"""``action=imagerotate``."""

from __future__ import annotations

from typing import Any

from wikiapi.api import (
    CONTINUE_FROM,
    PAGE_SET,
    TAGS,
    Arr,
    ErrorFormatter,
    Obj,
    WriteAction,
    enum,
)
from wikiapi.languages import Message
from wikiapi_plugins.editing.watchlists.pagesets import load_page_set, non_page_items


class ImageRotate(WriteAction):
    """Rotate pictures."""

    name = "imagerotate"
    position = 43
    params = (
        enum("rotation", "90", "180", "270", required=True, help="Degrees, clockwise."),
        CONTINUE_FROM,
        TAGS,
        *PAGE_SET,
    )
    examples = (
        (
            "action=imagerotate&titles=File:Example.jpg&rotation=90&token=123ABC",
            "Rotate a picture by 90 degrees",
        ),
    )

    def prepare(self) -> None:
        """Look for the pages and files, which may ask other servers."""
        page_set, self._run = load_page_set(self)
        items: list[Obj] = []
        pages = dict(page_set.good_and_missing())
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
            items.append(Obj({**item, "result": "Failure", "errors": errors}))
        self._answers = [*non_page_items(self, page_set), *items]

    def perform(self) -> None:
        """Put an error for each page into the result."""
        self.result.set((), self.name, Arr(self._answers, "page"))
        self._run.continuation.write(self.result)
