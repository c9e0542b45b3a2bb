"""Parser functions, ``{{name: argument | argument}}``, by subject."""

from __future__ import annotations

from wikiapi_plugins.wikitext import variables
from wikiapi_plugins.wikitext.parserfunctions import (
    conditions,
    displaytitle,
    expr,
    formatting,
    language,
    pagefacts,
    pagenames,
    pagesincategory,
    strings,
    tag,
    urls,
)
from wikiapi_plugins.wikitext.parserfunctions.dates import formatdate, time

DECLARATIONS = (
    *urls.DECLARATIONS,
    *formatting.DECLARATIONS,
    *language.DECLARATIONS,
    *pagesincategory.DECLARATIONS,
    *displaytitle.DECLARATIONS,
    *pagefacts.DECLARATIONS,
    *pagenames.DECLARATIONS,
    *variables.FUNCTIONS,
    *tag.DECLARATIONS,
    *formatdate.DECLARATIONS,
)
"""The parser functions of MediaWiki itself."""
EXTENSION = (
    *conditions.DECLARATIONS,
    *expr.DECLARATIONS,
    *time.DECLARATIONS,
    *strings.DECLARATIONS,
)
"""The parser functions of the extension ParserFunctions, which is a separate plugin."""
VARIABLES = (*pagefacts.VARIABLES, *language.VARIABLES)
"""Parser functions that can also be written like variables, without colon and arguments."""
