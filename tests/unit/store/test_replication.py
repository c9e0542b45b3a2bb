"""How the lag of replicas is measured, with a clock and positions of the test."""

from __future__ import annotations

import pytest

from wikiapi.store.replication import INTERVAL, Lags, Progress


class Servers:
    """A primary database and a replica that replays what the test says, when it says so."""

    def __init__(self) -> None:
        self.now, self.position, self.replica = 1000.0, 1, Progress(1, 0.0)
        self.lags = Lags(lambda: self.position, lambda _: self.replica, 1, lambda: self.now)

    def write(self) -> None:
        self.position += 1

    def replay(self, age: float = 0.0) -> None:
        self.replica = Progress(self.position, age)

    def wait(self, seconds: float) -> None:
        """Let time pass, in which the lag is asked for as often as it is measured."""
        for _ in range(int(seconds / INTERVAL)):
            self.now += INTERVAL
            self.lags.now()

    def lag(self) -> float | None:
        self.now += INTERVAL
        return self.lags.now()[0]


@pytest.fixture
def servers() -> Servers:
    return Servers()


def test_a_replica_that_has_everything_does_not_lag(servers: Servers) -> None:
    assert servers.lag() == 0
    servers.wait(100)
    assert servers.lag() == 0


def test_it_does_not_lag_because_nobody_has_written_for_long(servers: Servers) -> None:
    servers.replay(age=86_400)
    assert servers.lag() == 0
    servers.write()
    servers.wait(1)
    assert servers.lag() is not None
    servers.replay()
    assert servers.lag() == 0


def test_it_lags_since_the_first_write_that_it_lacks(servers: Servers) -> None:
    servers.lag()
    servers.write()
    servers.lag()
    servers.wait(4)
    servers.write()
    assert servers.lag() == 5


def test_it_lags_less_when_it_catches_up_by_some(servers: Servers) -> None:
    servers.lag()
    for _ in range(10):
        servers.write()
        servers.lag()
    servers.replica = Progress(servers.position - 3, 0.0)
    assert servers.lag() == 3


def test_what_it_lacked_before_it_was_first_measured_counts(servers: Servers) -> None:
    servers.replica = Progress(0, 3600.0)
    assert servers.lag() == 3600


def test_it_is_measured_once_in_an_interval(servers: Servers) -> None:
    servers.lag()
    servers.write()
    servers.now += INTERVAL / 2
    assert servers.lags.now() == [0.0]


def test_the_lag_of_one_that_is_gone_is_unknown(servers: Servers) -> None:
    servers.lags = Lags(lambda: 1, lambda _: None, 1, lambda: servers.now)
    assert servers.lag() is None


def test_it_is_told_although_the_primary_is_gone(servers: Servers) -> None:
    servers.lags = Lags(lambda: None, lambda _: servers.replica, 1, lambda: servers.now)
    assert servers.lag() == 0
