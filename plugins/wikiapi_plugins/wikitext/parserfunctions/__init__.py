"""Parser functions: ``{{name: argument | argument}}``, by what they are about."""

from __future__ import annotations

from wikiapi_plugins.wikitext import variables
from wikiapi_plugins.wikitext.parserfunctions import (
    conditions,
    displaytitle,
    expr,
    formatting,
    language,
    pageaddress,
    pagenames,
    pagesincategory,
    pagewords,
    strings,
    tag,
)
from wikiapi_plugins.wikitext.parserfunctions.dates import formatdate, time

DECLARATIONS = (
    *pageaddress.DECLARATIONS,
    *formatting.DECLARATIONS,
    *language.DECLARATIONS,
    *pagesincategory.DECLARATIONS,
    *displaytitle.DECLARATIONS,
    *pagewords.DECLARATIONS,
    *pagenames.DECLARATIONS,
    *variables.FUNCTIONS,
    *tag.DECLARATIONS,
    *formatdate.DECLARATIONS,
)
"""The functions of the core."""
EXTENSION = (
    *conditions.DECLARATIONS,
    *expr.DECLARATIONS,
    *time.DECLARATIONS,
    *strings.DECLARATIONS,
)
"""The functions of the extension ParserFunctions, a plugin of its own."""
VARIABLES = (*pagewords.VARIABLES, *language.VARIABLES)
"""Functions that mean something without any argument and colon."""
