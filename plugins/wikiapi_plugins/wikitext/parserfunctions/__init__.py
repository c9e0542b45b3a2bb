"""Parser functions, ``{{name: argument | argument}}``, by subject."""

from __future__ import annotations

from collections.abc import Iterable

from wikiapi.site import Site
from wikiapi.wikitext import ParserFunction
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


def declarations(site: Site) -> Iterable[ParserFunction]:
    """Return the parser functions of MediaWiki itself, as the settings of a wiki allow."""
    slow = site.config.wikitext.slow_functions
    return (
        *urls.DECLARATIONS,
        *formatting.DECLARATIONS,
        *language.DECLARATIONS,
        *pagesincategory.DECLARATIONS,
        *displaytitle.declarations(site),
        *pagefacts.DECLARATIONS,
        *pagenames.DECLARATIONS,
        *variables.FUNCTIONS,
        *(variables.SLOW_FUNCTIONS if slow else ()),
        *tag.DECLARATIONS,
        *formatdate.DECLARATIONS,
    )


EXTENSION = (
    *conditions.DECLARATIONS,
    *expr.DECLARATIONS,
    *time.DECLARATIONS,
    *strings.PARTS_OF_TITLES,
)
"""The parser functions of the extension ParserFunctions, which is a separate plugin."""
STRING_FUNCTIONS = strings.DECLARATIONS
"""Those of the extension that a wiki may do without."""
VARIABLES = (*pagefacts.VARIABLES, *language.VARIABLES)
"""Parser functions that can also be written like variables, without colon and arguments."""
