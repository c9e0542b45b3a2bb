"""List modules: one per ``list=`` value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi_plugins.lists.allfileusages import AllFileUsages
from wikiapi_plugins.lists.allimages import AllImages
from wikiapi_plugins.lists.alllinks import AllLinks
from wikiapi_plugins.lists.allpages import AllPages
from wikiapi_plugins.lists.allredirects import AllRedirects
from wikiapi_plugins.lists.alltransclusions import AllTransclusions

if TYPE_CHECKING:
    from wikiapi.api.query.module import QueryModule

MODULES: tuple[type[QueryModule], ...] = (
    AllFileUsages,
    AllImages,
    AllLinks,
    AllPages,
    AllRedirects,
    AllTransclusions,
)
