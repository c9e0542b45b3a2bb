"""``prop=langlinks``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wikiapi.api import Obj, boolean, continuation, enum, limit, sort_direction, string
from wikiapi.store.models import LangLinks as Table
from wikiapi.store.queries import externallinks
from wikiapi_plugins.query.external.iwlinks import ForeignLink, ForeignLinks
from wikiapi_plugins.shared.facts import facts


class LangLinks(ForeignLinks):
    """List the links of the pages to other languages."""

    name = "langlinks"
    prefix = "ll"
    element = "ll"
    columns = (Table.ll_from, Table.ll_lang, Table.ll_title)
    prefix_param = "lang"
    ordered = 2
    params = (
        enum("prop", "url", "langname", "autonym", multi=True,
             help="Properties to include besides language and title.",
             value_help=(("url", "The full URL."), ("langname", "The language's name."),
                         ("autonym", "The language's name in that language."))),
        string("lang", "Only links to this language."),
        string("title", "Only links to this title; needs a language."),
        sort_direction(),
        string("inlanguagecode", "The language in which to name languages.",
               default=lambda site: site.language),
        limit(),
        continuation(),
        boolean("url", "Include the full URL.", deprecated=True),
    )  # fmt: skip
    examples = (("action=query&prop=langlinks&titles=Main%20Page", "The links of the main page"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Langlinks",)

    def query_of(self, page_ids: Sequence[int]) -> Any:
        """Return the query for the language links of pages."""
        return externallinks.language(page_ids)

    def item(self, link: ForeignLink, prop: Sequence[str]) -> Obj:
        """Return the language and the title, and the URL and names if they are requested."""
        code = link.prefix
        item = Obj({"lang": code}, content="title")
        title = self.site.titles.try_parse(f"{code}:{link.title}") if "url" in prop else None
        if title is not None:
            item["url"] = self.site.page_url(title)
        # Only autonyms are known here; MediaWiki without extensions has no other names either.
        names = facts("languages")
        if "langname" in prop:
            item["langname"] = names.get(code, "")
        if "autonym" in prop:
            item["autonym"] = names.get(code, "")
        item["title"] = link.title
        return item
