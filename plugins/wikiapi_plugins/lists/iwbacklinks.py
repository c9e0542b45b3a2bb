"""``list=iwbacklinks``."""

from __future__ import annotations

from wikiapi.api.params.declaration import continuation, enum, limit, sort_direction, string
from wikiapi.store.models import IwLinks
from wikiapi_plugins.families.foreignbacklinks import ForeignBacklinks


class IwBacklinks(ForeignBacklinks):
    """Find all pages that link to the given interwiki link."""

    name = "iwbacklinks"
    prefix = "iwbl"
    element = "iw"
    columns = (IwLinks.iwl_prefix, IwLinks.iwl_title, IwLinks.iwl_from)
    where_param = "prefix"
    shown = {"iwprefix": 0, "iwtitle": 1}  # noqa: RUF012
    params = (
        string("prefix", "Only links with this prefix."),
        string("title", "Only links to this title; needs a prefix."),
        continuation(),
        limit(),
        enum("prop", "iwprefix", "iwtitle", multi=True, default="",
             help="What to tell beside the linking page.",
             value_help=(("iwprefix", "The prefix."), ("iwtitle", "The title."))),
        sort_direction(),
    )  # fmt: skip
    examples = (
        ("action=query&list=iwbacklinks&iwbltitle=Test&iwblprefix=wikibooks", "Who links there"),
        ("action=query&generator=iwbacklinks&giwbltitle=Test&giwblprefix=wikibooks&prop=info",
         "Facts about them"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Iwbacklinks",)
