"""How the load benchmark judges a server's memory."""

from __future__ import annotations

import pytest

from bench.memory import Memory, Sample, slope


def test_a_peak_does_not_change_the_slope() -> None:
    points = [(float(x), 3.0 + 0.5 * x) for x in range(20)]
    points[7] = (7.0, 90.0)
    assert slope(points) == pytest.approx(0.5)
    assert slope(points[:1]) == 0


def verdict(*megabytes: float) -> bool | None:
    samples = [Sample(2.0 * number, size, 0) for number, size in enumerate(megabytes)]
    return next(Memory(samples).figures()).met


def test_growth_of_the_first_half_does_not_count() -> None:
    warming = [80.0 + number for number in range(50)]
    assert verdict(*warming, *[130.0] * 50)


def test_growth_of_the_second_half_misses_the_target() -> None:
    assert verdict(*[130.0] * 50, *(130.0 + number * 0.1 for number in range(50))) is False
    assert verdict(*[130.0] * 50, *(130.0 + number * 0.04 for number in range(50)))


def test_processes_that_a_server_started_count() -> None:
    samples = [Sample(2.0 * number, 100, number) for number in range(50)]
    assert next(Memory(samples).figures()).met is False
