"""Parser functions: ``{{name: argument | argument}}``, one or a family to a file."""

from __future__ import annotations

from wikiapi_plugins import variables
from wikiapi_plugins.parserfunctions import (
    anchorencode,
    contentmodel,
    defaultsort,
    displaytitle,
    filepath,
    formatdate,
    formatnum,
    gender,
    grammar,
    interface,
    interwikilink,
    language,
    lettercase,
    ns,
    numberingroup,
    padding,
    pageaddress,
    pagenames,
    pagesincategory,
    pagesize,
    plural,
    protection,
    special,
    tag,
    urlencode,
)

DECLARATIONS = (
    *ns.DECLARATIONS,
    *urlencode.DECLARATIONS,
    *lettercase.DECLARATIONS,
    *pageaddress.DECLARATIONS,
    *formatnum.DECLARATIONS,
    *grammar.DECLARATIONS,
    *gender.DECLARATIONS,
    *plural.DECLARATIONS,
    *numberingroup.DECLARATIONS,
    *language.DECLARATIONS,
    *padding.DECLARATIONS,
    *anchorencode.DECLARATIONS,
    *defaultsort.DECLARATIONS,
    *filepath.DECLARATIONS,
    *pagesincategory.DECLARATIONS,
    *pagesize.DECLARATIONS,
    *protection.DECLARATIONS,
    *pagenames.DECLARATIONS,
    *variables.FUNCTIONS,
    *interwikilink.DECLARATIONS,
    *contentmodel.DECLARATIONS,
    *interface.DECLARATIONS,
    *special.DECLARATIONS,
    *tag.DECLARATIONS,
    *formatdate.DECLARATIONS,
    *displaytitle.DECLARATIONS,
)
VARIABLES = (*contentmodel.VARIABLES, *language.VARIABLES)
"""Functions that mean something without any argument and colon."""
