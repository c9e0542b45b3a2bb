"""Variables: ``{{NAME}}``, a family to a file."""

from __future__ import annotations

from wikiapi_plugins.variables import characters, clock, pagenames, revision, siteinfo, statistics

DECLARATIONS = (
    *characters.DECLARATIONS,
    *clock.DECLARATIONS,
    *pagenames.DECLARATIONS,
    *revision.DECLARATIONS,
    *siteinfo.DECLARATIONS,
    *statistics.DECLARATIONS,
)
