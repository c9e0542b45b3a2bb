"""``prop=pageprops``."""

from __future__ import annotations

from operator import itemgetter

from wikiapi.api import Obj, PropModule, continuation, string
from wikiapi.store.queries import pages


class PageProps(PropModule):
    """Return the properties that pages set in their text, such as a sort key."""

    name = "pageprops"
    prefix = "pp"
    params = (
        continuation(),
        string("prop", "Only list these properties.", multi=True),
    )
    examples = (
        ("action=query&prop=pageprops&titles=Main%20Page|MediaWiki", "The properties of two pages"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Pageprops",)

    def execute(self) -> None:
        """Add the properties of each page that has some."""
        parts = self.continue_parts(1)
        first = self.continue_int(parts[0]) if parts else 0
        page_ids = sorted(page_id for page_id in self.page_set.good if page_id >= first)
        props = pages.page_props(self.db, page_ids, self.p.texts("prop") or None)
        values = [(page_id, Obj(props[page_id])) for page_id in page_ids if page_id in props]
        self.emit_values(values, values, itemgetter(0))
