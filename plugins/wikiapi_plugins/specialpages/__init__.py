"""Special pages that may be transcluded, one to a file."""

from __future__ import annotations

from wikiapi_plugins.specialpages import allpages, prefixindex

DECLARATIONS = (allpages.DECLARATION, prefixindex.DECLARATION)
