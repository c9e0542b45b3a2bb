"""``action=opensearch``: suggestions for search boxes, by the OpenSearch suggestion protocol."""

from __future__ import annotations

from wikiapi.api import (
    Action,
    Arr,
    CacheMode,
    Document,
    ErrorFormatter,
    Obj,
    boolean,
    enum,
    limit,
    namespace,
    string,
)
from wikiapi.errors import ApiError
from wikiapi.search import prefix_search
from wikiapi.store.queries import redirects
from wikiapi.title import Title

_KEPT_SECONDS = 1200
"""The default of ``$wgSearchSuggestCacheExpiry``."""
_RESOLVE = "resolve"
_ROOT = "SearchSuggestion"
_ROOT_ATTRIBUTES = {"version": "2.0", "xmlns": "http://opensearch.org/searchsuggest2"}


class OpenSearch(Action):
    """Search the wiki by the OpenSearch protocol."""

    name = "opensearch"
    position = 13
    default_format = "json"
    params = (
        string("search", "The beginning of a title.", required=True),
        namespace("namespace", "Namespaces to search; a namespace prefix in the text takes "
                  "precedence.", multi=True, default="0"),
        limit("Maximum number of suggestions to return."),
        boolean("suggest", "Has no effect any more.", deprecated=True),
        enum("redirects", "return", _RESOLVE,
             help="Whether to return redirects themselves or their targets."),
        enum("format", "json", "jsonfm", "xml", "xmlfm", default="json",
             help="The form of the output."),
        boolean("warningsaserror", "Fail if there are warnings: JSON answers cannot contain them."),
    )  # fmt: skip
    examples = (("action=opensearch&search=Te", "Find titles that begin with Te"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Opensearch",)

    def cache_mode(self) -> CacheMode:
        """Return ``PUBLIC``: the answer is the same for all users."""
        return CacheMode.PUBLIC

    def execute(self) -> None:
        """Answer with the suggestions.

        Raises:
            ApiError: ``warnings``, if there are any and the request has ``warningsaserror``.
        """
        self.context.cache.keep(_KEPT_SECONDS)
        titles = self._titles()
        if self.p.flag("warningsaserror") and self.context.warnings:
            ErrorFormatter(self.context).add_warnings()
            data = {"warnings": self.result.root["warnings"]}
            raise ApiError("warnings", "apierror-opensearch-json-warnings", data=data)
        if self.p.text("format").startswith("xml"):
            items = (
                Obj(
                    {"Text": title.prefixed_text, "Url": self.site.page_url(title)},
                    subelements=("Text", "Url"),
                )
                for title in titles
            )
            fields = {"Query": self.p.text("search"), "Section": Arr(items, "Item")}
            document = Document(_ROOT, fields, attributes=_ROOT_ATTRIBUTES)
            document.subelements = frozenset({"Query"})
            self.result.whole = document
        else:
            self.result.whole = Arr(
                (
                    self.p.text("search"),
                    Arr(title.prefixed_text for title in titles),
                    Arr("" for _ in titles),
                    Arr(map(self.site.page_url, titles)),
                )
            )

    def _titles(self) -> list[Title]:
        p = self.p
        matches = prefix_search(
            self.site, p.text("search"), p.numbers("namespace"), p.number("limit")
        )
        mode = p.text_or_none("redirects")
        # By default, redirects are resolved in XML answers only.
        if mode != _RESOLVE and (mode is not None or not p.text("format").startswith("xml")):
            return [title for title, _ in matches]
        ids = {row.page_id for _, row in matches if row is not None and row.is_redirect}
        targets = redirects.targets(self.db, ids) if ids else {}
        resolved: dict[tuple[int, str], Title] = {}
        for title, row in matches:
            target = targets.get(row.page_id) if row is not None else None
            page = self.site.titles.make(*target.key) if target and not target.interwiki else title
            resolved.setdefault(page.key, page)
        return list(resolved.values())
