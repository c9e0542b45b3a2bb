"""``action=watch``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from wikiapi.api import (
    CONTINUE_FROM,
    PAGE_SET,
    Arr,
    Obj,
    WriteAction,
    boolean,
    expiry,
    iso,
    parse_title,
    string,
    watch_period,
)
from wikiapi.errors import ApiError
from wikiapi.expiry import INFINITY
from wikiapi.languages import Num, plain_list
from wikiapi.pages import Watcher
from wikiapi.title import Title
from wikiapi_plugins.editing.watchlists.pagesets import (
    load_page_set,
    non_page_items,
    page_set_params,
)


class Watch(WriteAction):
    """Watch pages, or stop watching them."""

    name = "watch"
    position = 37
    params = (
        string("title", "The page; use ``titles`` instead.", deprecated=True),
        expiry("expiry", "Until when the pages are watched."),
        boolean("unwatch", "Stop watching the pages."),
        CONTINUE_FROM,
        *PAGE_SET,
    )
    needs_token = "watch"
    examples = (("action=watch&titles=Main_Page&token=123ABC", "Watch a page"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Watch",)

    def prepare(self) -> None:
        """Look up the pages.

        Raises:
            ApiError: ``notloggedin``, ``permissiondenied``, or the parameters are not valid.
        """
        if self.context.user.is_anonymous:
            raise ApiError("notloggedin", "watchlistanontext")
        self.require_right("editmywatchlist")
        if not self.p.is_given("title"):
            self._pages, self._run = load_page_set(self)

    def perform(self) -> None:
        """Change the list, and put the outcome for each page into the result.

        Raises:
            ApiError: ``title`` is not valid, or another parameter names pages as well.
        """
        if self.p.is_given("title"):
            self.result.set((), self.name, self._watch_title())
            return
        items = list(non_page_items(self, self._pages))
        missing = list(self._pages.missing.values())
        items += [Obj(item | {"missing": True}) for item in self._change(missing)]
        items += self._change(self._pages.titles.values())
        self.result.set((), self.name, Arr(items, "w"))
        self._run.continuation.write(self.result)

    def _watch_title(self) -> Obj:
        """Watch or unwatch the page in ``title``, a deprecated parameter, and return its item."""
        others = page_set_params(self)
        if others:
            names = [self.full("title"), *others]
            params = (plain_list(names), Num(len(names)))
            raise ApiError("invalidparammix", "apierror-invalidparammix", *params)
        title = parse_title(self, self.p.text("title"))
        self.result.set((), "batchcomplete", True)
        if title.namespace.is_virtual:
            return Obj({"title": title.prefixed_text, "ns": title.ns, "watchable": False})
        return self._change([title])[0]

    def _change(self, titles: Iterable[Title]) -> list[Obj]:
        titles = list(titles)
        is_end, expiry = self.p.flag("unwatch"), watch_period(self, "expiry")
        watcher = Watcher(self.context.performer)
        if is_end:
            watcher.unwatch(titles)
        else:
            watcher.watch(titles, expiry)
        done: dict[str, Any] = {"unwatched" if is_end else "watched": True}
        if expiry and not is_end:
            done = {"expiry": INFINITY if expiry == INFINITY else iso(expiry)} | done
        return [Obj({"title": t.prefixed_text, "ns": t.ns} | done) for t in titles]
