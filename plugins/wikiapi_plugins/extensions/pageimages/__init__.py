"""PageImages: which image stands for a page, chosen when it is parsed, and ``prop=pageimages``.

Settings of ``[extensions.pageimages]``:

* ``namespaces``: numbers of the namespaces whose pages get an image, by default the main one alone;
* ``lead_only``: whether only images before the first heading are considered, true by default;
* ``shared_files``: whether links are derived with files of foreign repositories in view, false by
  default, because each page may then have to ask them.
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
    """``prop=pageimages``."""
    return (PageImages,)


@hookimpl
def on_page_parsed(state: ParseState, html: str) -> None:
    """Choose the page's image."""
    if state.output.images:
        state.site.api.derived(PageImageChooser).choose(state, html)


@hookimpl
def on_links_updated(site: Site, pages: Sequence[PageLinkSet]) -> None:
    """Read anew which images are denied, when pages of the interface were written."""
    if any(page.namespace == MEDIAWIKI for page in pages):
        site.api.derived(PageImageChooser).forget_denied()


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """As the extension of that name."""
    return (ExtensionCredits.bundled("PageImages", "api", "Images that stand for pages"),)
