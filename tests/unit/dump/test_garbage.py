"""The collector looks seldom within the block, and as usual behind it, however it ends."""

from __future__ import annotations

import gc

import pytest

from wikiapi.dump.garbage import collected_rarely


def test_thresholds_are_high_within_the_block() -> None:
    usual = gc.get_threshold()
    with collected_rarely():
        assert gc.get_threshold()[0] >= 100 * usual[0]
        assert gc.get_freeze_count() > 0
    assert gc.get_threshold() == usual
    assert gc.get_freeze_count() == 0


def test_an_error_restores_them_too() -> None:
    usual = gc.get_threshold()
    with pytest.raises(KeyError), collected_rarely():
        raise KeyError
    assert gc.get_threshold() == usual
