"""Locks that are granted in the order in which they were asked for."""

from __future__ import annotations

import multiprocessing
import threading
import time
from multiprocessing.synchronize import Event
from pathlib import Path

import pytest

from wikiapi.errors import StoreBusy
from wikiapi.store.turns import Turns, Turnstile


def _waiting(turns: Turns, count: int) -> None:
    """Return when ``count`` threads wait."""
    while len(turns._waiting) < count:
        time.sleep(0.001)


def test_threads_get_their_turn_in_order() -> None:
    turns, order = Turns(), []

    def write(number: int) -> None:
        with turns.turn():
            order.append(number)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(20)]
    with turns.turn():
        for number, thread in enumerate(threads):
            thread.start()
            _waiting(turns, number + 1)
    for thread in threads:
        thread.join()
    assert order == list(range(20))


def test_a_thread_that_asks_again_waits_behind_the_others() -> None:
    turns, order = Turns(), []

    def write() -> None:
        with turns.turn():
            order.append("other")

    thread = threading.Thread(target=write)
    with turns.turn():
        thread.start()
        _waiting(turns, 1)
    with turns.turn():
        order.append("again")
    thread.join()
    assert order == ["other", "again"]


def test_who_waits_too_long_loses_the_place() -> None:
    turns = Turns()
    with turns.turn():
        with pytest.raises(StoreBusy):
            _ask_from_another_thread(turns)
        assert not turns._waiting
    with turns.turn(time.monotonic()):
        pass


def test_who_is_interrupted_leaves_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = Turns()

    class Interrupted:
        def acquire(self, timeout: float = -1) -> bool:
            if timeout >= 0:
                raise KeyboardInterrupt
            return True

    with turns.turn():
        with monkeypatch.context() as context:
            context.setattr(threading, "Lock", Interrupted)
            with pytest.raises(KeyboardInterrupt), turns.turn():
                pass
        assert not turns._waiting
    with turns.turn(time.monotonic()):
        pass


def test_a_folder_that_is_gone_keeps_nobody_waiting(tmp_path: Path) -> None:
    with Turnstile(tmp_path / "gone").turn(time.monotonic()):
        pass


def test_an_error_releases_the_lock() -> None:
    turns = Turns()
    with pytest.raises(ZeroDivisionError), turns.turn():
        raise ZeroDivisionError
    with turns.turn(time.monotonic()):
        pass


def _ask_from_another_thread(turns: Turns) -> None:
    errors: list[BaseException] = []

    def ask() -> None:
        try:
            with turns.turn(time.monotonic() + 0.01):
                pass
        except StoreBusy as error:
            errors.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    for error in errors:
        raise error


def _hold(folder: Path, held: Event, leave: Event) -> None:
    with Turnstile(folder).turn():
        held.set()
        leave.wait(60)


def test_one_process_passes_the_turnstile_at_a_time(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    held, leave = context.Event(), context.Event()
    process = context.Process(target=_hold, args=(tmp_path, held, leave))
    process.start()
    assert held.wait(60)
    turnstile = Turnstile(tmp_path)
    with pytest.raises(StoreBusy), turnstile.turn(time.monotonic()):
        pass
    leave.set()
    with turnstile.turn():
        pass
    process.join()
    turnstile.close()


def test_threads_that_share_the_lock_hold_it_together() -> None:
    turns, order = Turns(), []

    def write() -> None:
        with turns.turn():
            order.append("alone")

    def share() -> None:
        with turns.turn(shares=True):
            order.append("shared")

    with turns.turn(shares=True):
        share()
        alone = threading.Thread(target=write)
        alone.start()
        _waiting(turns, 1)
        # Who comes after one that waits for all to end waits behind it.
        behind = threading.Thread(target=share)
        behind.start()
        _waiting(turns, 2)
        assert order == ["shared"]
    alone.join()
    behind.join()
    assert order == ["shared", "alone", "shared"]


def test_who_gives_up_lets_in_those_behind_that_share() -> None:
    turns = Turns()
    with turns.turn(shares=True):
        shared = threading.Event()

        def give_up() -> None:
            with pytest.raises(StoreBusy), turns.turn(time.monotonic() + 0.05):
                pass

        def share() -> None:
            with turns.turn(shares=True):
                shared.set()

        threads = [threading.Thread(target=work) for work in (give_up, share)]
        for number, thread in enumerate(threads, 1):
            thread.start()
            if number == 1:
                _waiting(turns, 1)
        assert shared.wait(10)
        for thread in threads:
            thread.join()
