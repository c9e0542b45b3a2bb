"""``list=trackingcategories``."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

from wikiapi.api import GeneratedPages, ListModule, Obj, continuation, enum, integer, limit, string
from wikiapi.languages import Message
from wikiapi.store import CategoryRow
from wikiapi.store.queries import categories
from wikiapi.title import CATEGORY
from wikiapi_plugins.query.categories.categoryinfo import counts
from wikiapi_plugins.shared.facts import facts

_MAGIC_LINKS = "magiclink-tracking-"
"""How the messages for categories of magic links begin. Only enabled kinds have a category."""
_NONE = "-"


class _Tracked(NamedTuple):
    """A category, and the key of the message that names it."""

    key: str
    row: CategoryRow


_continue_value = attrgetter("row.title")


class TrackingCategories(ListModule):
    """Enumerate the categories to which the software itself adds pages, if they have members."""

    name = "trackingcategories"
    prefix = "tc"
    element = "c"
    params = (
        continuation(),
        string("trackingcatname", "Only the category that this message names."),
        integer("min", "Only categories with at least this many members."),
        integer("max", "Only categories with at most this many members."),
        limit(),
        enum("prop", "size", "hidden", multi=True, default="",
             help="Properties to include besides name and message.",
             value_help=(("size", "The number of members."),
                         ("hidden", "Whether the category is hidden by __HIDDENCAT__."))),
    )  # fmt: skip
    examples = (
        ("action=query&list=trackingcategories&tcprop=size", "The categories with their sizes"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Trackingcategories",)

    def execute(self) -> None:
        """List the categories."""
        names = self._names()
        if not names:
            return
        tracked = self._tracked(names)
        self.emit(self._items(tracked), tracked, _continue_value)

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the categories' pages."""
        tracked = self.within_limit(self._tracked(self._names()), _continue_value)
        pages.titles += [self.site.titles.make(CATEGORY, one.row.title) for one in tracked]

    def _items(self, tracked: list[_Tracked]) -> Iterator[Obj]:
        props = self.p.texts("prop")
        titles = [one.row.title for one in tracked]
        hidden = categories.hidden(self.db, titles) if "hidden" in props else set()
        for key, row in tracked:
            name = self.site.titles.make(CATEGORY, row.title).text
            item = Obj({"category": name, "catid": key}, content="category")
            if "size" in props:
                item |= counts(row)
            if "hidden" in props:
                item["hidden"] = row.title in hidden
            yield item

    def _tracked(self, names: dict[str, str]) -> list[_Tracked]:
        """Return all matching categories by name; there are only a few."""
        first, least, most = (
            self.p.text_or_none("continue") or "",
            self.p.number_or_none("min"),
            self.p.number_or_none("max"),
        )
        rows = categories.by_titles(self.db, names)
        return [
            _Tracked(names[title], row)
            for title, row in sorted(rows.items())
            if title >= first
            and (least is None or row.pages >= least)
            and (most is None or row.pages <= most)
        ]

    def _names(self) -> dict[str, str]:
        """Return the message keys by the database keys of the categories."""
        only = self.p.text_or_none("trackingcatname")
        catalog, language = self.site.messages, self.site.language
        kinds = self.site.config.wikitext.magic_links
        magic_links = {f"{_MAGIC_LINKS}{kind.lower()}" for kind in kinds}
        names: dict[str, str] = {}
        for key, text in facts("trackingcategories").items():
            if key.startswith(_MAGIC_LINKS) and key not in magic_links:
                continue
            if catalog.find(key, language) is not None:
                text = catalog.text(Message(key), language)
            title = None if text == _NONE else self.site.titles.try_parse(text, CATEGORY)
            if title is not None and title.ns == CATEGORY and only in (None, key):
                names[title.dbkey] = key
        return names
