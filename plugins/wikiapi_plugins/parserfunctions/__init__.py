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
    special,
    tag,
    urlencode,
)
from wikiapi_plugins.variables import statistics

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
    *special.DECLARATIONS,
    *statistics.FUNCTIONS,
    *tag.DECLARATIONS,
    *urlencode.DECLARATIONS,
)
