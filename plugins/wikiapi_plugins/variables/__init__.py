"""Variables: ``{{NAME}}``, a family to a file. A ``FUNCTIONS`` tuple holds ``{{NAME:page}}``."""

from __future__ import annotations

from wikiapi_plugins.variables import (
    cascading,
    characters,
    clock,
    pageid,
    pagenames,
    revision,
    siteinfo,
    statistics,
)

DECLARATIONS = (
    *cascading.DECLARATIONS,
    *characters.DECLARATIONS,
    *clock.DECLARATIONS,
    *pageid.DECLARATIONS,
    *pagenames.DECLARATIONS,
    *revision.DECLARATIONS,
    *siteinfo.DECLARATIONS,
    *statistics.DECLARATIONS,
)
FUNCTIONS = (
    *cascading.FUNCTIONS,
    *pageid.FUNCTIONS,
    *revision.FUNCTIONS,
    *statistics.FUNCTIONS,
)
