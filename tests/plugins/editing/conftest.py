from __future__ import annotations

import pytest

from tests.plugins.editing.pageactions.actors import Actors


@pytest.fixture
def wiki(request: pytest.FixtureRequest) -> Actors:
    """Return users of a wiki with the pages, users and settings of the marker ``wiki``."""
    declared = request.node.get_closest_marker("wiki")
    return Actors(*declared.args, **declared.kwargs)
