"""PageImages: the image that represents a page, chosen when it is parsed; ``prop=pageimages``.

Settings of ``[extensions.pageimages]``:

* ``namespaces``: ids of the namespaces whose pages get an image, by default only the main one;
* ``lead_only``: whether only images before the first heading are considered, true by default.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wikiapi.api import QueryModule
from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.site import Site
from wikiapi.store import PageLinkSet
from wikiapi.title import MEDIAWIKI
from wikiapi.wikitext import ParseState
from wikiapi_plugins.extensions.pageimages.choice import PageImageChooser
from wikiapi_plugins.extensions.pageimages.module import PageImages


@hookimpl
def register_query_modules() -> Iterable[type[QueryModule]]:
    """Return ``prop=pageimages``."""
    return (PageImages,)


@hookimpl
def on_page_parsed(state: ParseState, html: str) -> None:
    """Choose the page's image."""
    if state.output.images:
        state.site.derived(PageImageChooser).choose(state, html)


@hookimpl
def on_links_updated(site: Site, pages: Sequence[PageLinkSet]) -> None:
    """Forget the denied images after a page of the MediaWiki namespace has been written."""
    if any(page.namespace == MEDIAWIKI for page in pages):
        site.derived(PageImageChooser).forget_denied()


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """Return the credits of the extension."""
    return (ExtensionCredits.bundled("PageImages", "api", "Images that represent pages"),)
