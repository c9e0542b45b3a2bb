"""``list=allredirects``."""

from __future__ import annotations

from wikiapi.store.models import Redirect
from wikiapi.store.queries import links
from wikiapi.title import MAIN
from wikiapi_plugins.query.links.alllinks import AllTargets, all_links_params


class AllRedirects(AllTargets):
    """List the redirects to pages of a namespace, in the order of their targets."""

    name = "allredirects"
    prefix = "ar"
    element = "r"
    table = links.REDIRECTS
    columns = {"fragment": Redirect.rd_fragment, "interwiki": Redirect.rd_interwiki}  # noqa: RUF012
    params = all_links_params("fragment", "interwiki", default_namespace=MAIN)
    examples = (
        ("action=query&list=allredirects&arfrom=B&arprop=ids|title",
         "Targets of redirects from B on, with the redirects"),
        ("action=query&list=allredirects&arunique=&arfrom=B", "Each target once"),
        ("action=query&generator=allredirects&garfrom=B", "The redirects"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Allredirects",)
