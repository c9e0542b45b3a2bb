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
