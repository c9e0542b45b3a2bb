"""Every route of the REST API keeps what the conformance suite asks of it."""

from __future__ import annotations

import pytest

from wikiapi.site import Site
from wikiapi.testing import Edit
from wikiapi.testing.conformance import ROUTE_CHECKS, RouteCheck, rest_routes_of

pytestmark = pytest.mark.wiki(
    {
        "Jupiter": [
            Edit("A planet.", timestamp="20240101000000"),
            Edit("A large planet. [[de:Jupiter]] [[File:Jupiter.png]]", timestamp="20240102000000"),
        ],
        "File:Jupiter.png": "A picture",
    },
    files=["Jupiter.png"],
)


@pytest.mark.parametrize("check", ROUTE_CHECKS, ids=lambda check: str(check.__name__))
def test_routes(site: Site, check: RouteCheck) -> None:
    assert list(check(site, rest_routes_of(site))) == []
