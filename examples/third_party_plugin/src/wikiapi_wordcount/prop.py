"""``prop=wordcount``."""

from __future__ import annotations

from wikiapi.api.params.declaration import continuation, integer
from wikiapi.api.query.module import PropModule
from wikiapi.store import texts
from wikiapi_wordcount.words import count_words


class WordCount(PropModule):
    """Tell how many words each page has."""

    name = "wordcount"
    prefix = "wc"
    params = (
        integer("shortest", "Count words of at least so many letters.", minimum=1, default=1),
        continuation(),
    )
    examples = (
        ("action=query&prop=wordcount&titles=Main Page", "Count the words of the main page"),
    )

    def execute(self) -> None:
        """Count each page that is stored. One database query for all of them."""
        start = self._start()
        pages = sorted(self.page_set.titles.items(), key=lambda page: page[0])
        wanted = [(page_id, title.key) for page_id, title in pages if page_id >= start]
        found = texts.current(self.db, [key for _, key in wanted])
        for page_id, key in wanted:
            # A text that is suppressed is None, a page deleted a moment ago is not there.
            text = found[key].text if key in found else None
            if text is None:
                continue
            if not self.add_page_value(page_id, self.name, self._count(text)):
                self.set_continue(page_id)
                return

    def _count(self, text: str) -> int:
        return count_words(text, self.p["shortest"])

    def _start(self) -> int:
        parts = self.continue_parts(1)
        return self.continue_int(parts[0]) if parts else 0
