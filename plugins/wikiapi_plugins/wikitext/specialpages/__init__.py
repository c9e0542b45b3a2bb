"""Special pages that can be transcluded."""

from __future__ import annotations

from wikiapi_plugins.wikitext.specialpages import allpages

DECLARATIONS = (allpages.DECLARATION, allpages.PREFIX_INDEX)
