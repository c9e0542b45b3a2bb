"""The recorded answers of MediaWiki: no group may fall below what it reached before."""

from __future__ import annotations

import pytest

from tests.reference import material, ratchet

SHOWS_THE_PORT = "query/filerepoinfo"
"""Its answers hold the repository's address, which is another one when its port is taken."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not material.available(), reason=material.MISSING),
]


def test_no_group_falls_below_the_ratchet() -> None:
    # Only here: the wikis cannot be configured without the recorded databases.
    from tests.reference import parsoid, rest, writing
    from tests.reference.replay import WILD, replay
    from tests.reference.run import replay_variations
    from tests.reference.wikis import serving

    recorded = ratchet.load()
    with serving() as wikis:
        score = replay(wikis.refwiki)
        score += replay(wikis.wildwiki, WILD)
        score += rest.replay_rest(wikis.refwiki)
        score += parsoid.replay_parsoid(wikis.refwiki)
        score += writing.play_all()
        score += replay_variations()
        if wikis.is_moved:
            recorded.pop(SHOWS_THE_PORT, None)
    fallen = [str(drop) for drop in ratchet.drops(recorded, score.passed)]
    assert fallen == [], "\n".join(fallen)
