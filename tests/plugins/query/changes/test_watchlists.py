"""``list=watchlist`` and ``list=watchlistraw``."""

from __future__ import annotations

import pytest

from wikiapi.site import Site
from wikiapi.testing import ask

MODULES = {"watchlist": "wl", "watchlistraw": "wr"}


@pytest.mark.parametrize("module", MODULES)
def test_visitors_have_none(module: str, history_site: Site) -> None:
    assert ask(history_site, {"action": "query", "list": module}).codes == "notloggedin"
    assert ask(history_site, {"action": "query", "generator": module}).codes == "notloggedin"


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize(("owner", "code"), [("Ada", "bad_wltoken"), ("Nobody", "bad_wlowner")])
def test_no_token_opens_the_watchlist_of_another_user(
    module: str, owner: str, code: str, history_site: Site
) -> None:
    prefix = MODULES[module]
    given = {f"{prefix}owner": owner, f"{prefix}token": ""}
    assert ask(history_site, {"action": "query", "list": module, **given}).codes == code


@pytest.mark.parametrize("module", MODULES)
def test_values_are_checked_first(module: str, history_site: Site) -> None:
    params = {"action": "query", "list": module, f"{MODULES[module]}limit": "many"}
    assert ask(history_site, params).codes == "badinteger"
