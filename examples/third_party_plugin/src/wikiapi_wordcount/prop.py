"""``prop=wordcount``."""

from __future__ import annotations

from operator import itemgetter

from wikiapi.api import PropModule, continuation, integer
from wikiapi.store.queries import texts
from wikiapi_wordcount.words import count_words


class WordCount(PropModule):
    """Count the words of each page."""

    name = "wordcount"
    prefix = "wc"
    params = (
        integer("shortest", "Count words with at least this many letters.", minimum=1, default=1),
        continuation(),
    )
    examples = (
        ("action=query&prop=wordcount&titles=Main Page", "Count the words of the main page"),
    )

    def execute(self) -> None:
        """Count the words of all existing pages, with one database query."""
        start, titles = self._start(), self.page_set.titles
        keys = {page_id: titles[page_id].key for page_id in sorted(titles) if page_id >= start}
        stored = texts.current(self.db, keys.values())
        counts = [
            (page_id, self._count(text))
            for page_id, key in keys.items()
            # Suppressed texts are None, and pages deleted a moment ago are missing.
            if key in stored and (text := stored[key].text) is not None
        ]
        self.emit_values(counts, counts, itemgetter(0))

    def _count(self, text: str) -> int:
        return count_words(text, self.p.number("shortest"))

    def _start(self) -> int:
        parts = self.continue_parts(1)
        return self.continue_int(parts[0]) if parts else 0
