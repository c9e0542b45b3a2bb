"""Parser functions: ``{{name: argument | argument}}``, one or a family to a file."""

from __future__ import annotations

from wikiapi_plugins.parserfunctions import (
    anchorencode,
    defaultsort,
    displaytitle,
    formatnum,
    lettercase,
    ns,
    padding,
    pageaddress,
    pagenames,
    tag,
    urlencode,
)

DECLARATIONS = (
    *anchorencode.DECLARATIONS,
    *defaultsort.DECLARATIONS,
    *displaytitle.DECLARATIONS,
    *formatnum.DECLARATIONS,
    *lettercase.DECLARATIONS,
    *ns.DECLARATIONS,
    *padding.DECLARATIONS,
    *pageaddress.DECLARATIONS,
    *pagenames.DECLARATIONS,
    *tag.DECLARATIONS,
    *urlencode.DECLARATIONS,
)
