"""Parser functions: ``{{name: argument | argument}}``, one or a family to a file."""

from __future__ import annotations

from wikiapi_plugins import variables
from wikiapi_plugins.parserfunctions import (
    anchorencode,
    conditions,
    contentmodel,
    defaultsort,
    displaytitle,
    expr,
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
    strings,
    switch,
    tag,
    time,
    titleparts,
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
"""The functions of the core."""
EXTENSION = (
    *conditions.DECLARATIONS,
    *switch.DECLARATIONS,
    *expr.DECLARATIONS,
    *time.DECLARATIONS,
    *titleparts.DECLARATIONS,
    *strings.DECLARATIONS,
)
"""The functions of the extension ParserFunctions, a plugin of its own."""
VARIABLES = (*contentmodel.VARIABLES, *language.VARIABLES)
"""Functions that mean something without any argument and colon."""
