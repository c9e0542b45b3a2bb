"""The recorded answers of MediaWiki: no group may fall below what it reached before."""

from __future__ import annotations

import pytest

from tests.reference import material, ratchet

pytestmark = pytest.mark.skipif(not material.available(), reason=material.MISSING)


def test_no_group_falls_below_the_ratchet() -> None:
    # Only here: the wikis cannot be configured without the recorded databases.
    from tests.reference.replay import replay
    from tests.reference.wikis import serving

    with serving() as wikis:
        score = replay(wikis.refwiki)
    fallen = [str(drop) for drop in ratchet.drops(ratchet.load(), score.passed)]
    assert fallen == [], "\n".join(fallen)
