"""``list=langbacklinks``."""

from __future__ import annotations

from wikiapi.api import continuation, enum, limit, sort_direction, string
from wikiapi.store.models import LangLinks
from wikiapi_plugins.query.external.iwbacklinks import ForeignBacklinks


class LangBacklinks(ForeignBacklinks):
    """List the pages with language links to a language or title."""

    name = "langbacklinks"
    prefix = "lbl"
    element = "ll"
    columns = (LangLinks.ll_lang, LangLinks.ll_title, LangLinks.ll_from)
    prefix_param = "lang"
    no_prefix_code = "nolang"
    attributes = {"lllang": "prefix", "lltitle": "title"}  # noqa: RUF012
    params = (
        string("lang", "Only links to this language."),
        string("title", "Only links to this title; needs a language."),
        continuation(),
        limit(),
        enum("prop", "lllang", "lltitle", multi=True, default="",
             help="Properties to include besides the linking page.",
             value_help=(("lllang", "The language."), ("lltitle", "The title."))),
        sort_direction(),
    )  # fmt: skip
    examples = (
        ("action=query&list=langbacklinks&lbltitle=Test&lbllang=fr",
         "The pages that link to a page of another language"),
        ("action=query&generator=langbacklinks&glbltitle=Test&glbllang=fr&prop=info",
         "Facts about them"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Langbacklinks",)
