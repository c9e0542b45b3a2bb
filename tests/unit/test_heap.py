from __future__ import annotations

import gc
from collections.abc import Callable
from weakref import WeakSet

import pytest

from wikiapi.errors import BudgetExceeded
from wikiapi.heap import clear_locals, collected_rarely, give_back
from wikiapi.hookspecs import hookimpl
from wikiapi.http.app import make_app
from wikiapi.site import Site
from wikiapi.testing import ApiClient
from wikiapi.wikitext.state import ParseState


class Loop:
    """An object that only the garbage collector frees."""

    def __init__(self) -> None:
        self.own = self


def test_unused_objects_are_freed() -> None:
    gc.disable()
    try:
        loops = WeakSet([Loop()])
        assert len(loops) == 1
        give_back()
        assert not loops
    finally:
        gc.enable()


def test_an_exception_keeps_no_objects_of_functions_that_have_ended() -> None:
    loops: WeakSet[Loop] = WeakSet()

    def inner() -> None:
        loop = Loop()
        loops.add(loop)
        raise ValueError

    def outer() -> None:
        loop = Loop()
        loops.add(loop)
        try:
            inner()
        except ValueError as error:
            raise BudgetExceeded("steps", 1) from error

    with pytest.raises(BudgetExceeded) as caught:
        outer()
    give_back()
    assert len(loops) == 2
    clear_locals(caught.value)
    give_back()
    assert not loops


class Renderings:
    """A plugin that sees which renderings still exist."""

    def __init__(self) -> None:
        self.states: WeakSet[ParseState] = WeakSet()

    @hookimpl
    def on_rendering_ended(self, state: ParseState) -> None:
        self.states.add(state)


@pytest.mark.parametrize(
    ("limit", "error"), [(0, ""), (26_000_000, "internal_api_error_BudgetExceeded")]
)
def test_memory_of_a_heavy_request_is_free_when_it_is_answered(
    make_site: Callable[..., Site], limit: int, error: str
) -> None:
    renderings = Renderings()
    limits = {"request_bytes": limit or 150_000_000}
    client = ApiClient(make_app(make_site(config={"limits": limits}, plugins=[renderings])))
    gc.disable()
    try:
        answer = client.post(
            action="parse",
            title="X",
            contentmodel="wikitext",
            text="==a==\n" * 6_000,
            prop="displaytitle",
        )
        assert answer.get("error", {}).get("code", "") == error
        assert not renderings.states
    finally:
        gc.enable()


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
