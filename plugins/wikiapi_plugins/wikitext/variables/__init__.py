"""Variables, ``{{NAME}}``, by subject. ``FUNCTIONS`` are the forms with an argument."""

from __future__ import annotations

from wikiapi_plugins.wikitext.variables import clock, pagenames, revision, siteinfo, statistics

DECLARATIONS = (
    *revision.DECLARATIONS,
    *siteinfo.DECLARATIONS,
    *clock.DECLARATIONS,
    *pagenames.DECLARATIONS,
    *statistics.DECLARATIONS,
)
SLOW_FUNCTIONS = statistics.SLOW_FUNCTIONS
FUNCTIONS = (
    *revision.FUNCTIONS,
    *statistics.FUNCTIONS,
)
