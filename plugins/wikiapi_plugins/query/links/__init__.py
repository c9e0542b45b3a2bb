"""Links between pages of the wiki, from either end: links, transclusions and redirects."""

from __future__ import annotations

from wikiapi.api import QueryModule
from wikiapi_plugins.query.links.alllinks import AllLinks
from wikiapi_plugins.query.links.allredirects import AllRedirects
from wikiapi_plugins.query.links.alltransclusions import AllTransclusions
from wikiapi_plugins.query.links.backlinks import Backlinks
from wikiapi_plugins.query.links.embeddedin import EmbeddedIn
from wikiapi_plugins.query.links.links import Links
from wikiapi_plugins.query.links.linkshere import LinksHere
from wikiapi_plugins.query.links.redirects import Redirects
from wikiapi_plugins.query.links.templates import Templates
from wikiapi_plugins.query.links.transcludedin import TranscludedIn

MODULES: tuple[type[QueryModule], ...] = (
    AllLinks,
    AllRedirects,
    AllTransclusions,
    Backlinks,
    EmbeddedIn,
    Links,
    LinksHere,
    Redirects,
    Templates,
    TranscludedIn,
)
