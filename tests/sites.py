"""Sites for tests. Those that declare the same content are copies of the first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import wikiapi.testing
from wikiapi.config import Config
from wikiapi.site import Site
from wikiapi.testing import Clock, Declaration
from wikiapi.testing.declaration import History
from wikiapi.testing.shared import SharedParts
from wikiapi.testing.sites import standing_clock

SHARED = SharedParts()


def make_site(pages: Mapping[str, History] | None = None, **options: Any) -> Site:
    """Return what ``wikiapi.testing.make_site`` does, which takes the same options."""
    config, clock = options.get("config") or {}, options.get("clock", standing_clock)
    is_standing = clock is standing_clock or isinstance(clock, Clock)
    if options.keys() & {"path", "manager"} or isinstance(config, Config) or not is_standing:
        return wikiapi.testing.make_site(pages, **options)
    # A declaration is of a writable wiki unless it says otherwise.
    writable = options.get("writable")
    if writable is None:
        writable = config.get("site", {}).get("writable", Config().site.writable)
    declared = options | {"config": config, "clock": clock(), "writable": writable}
    return SHARED.site(Declaration(pages=pages or {}, **declared), clock)
