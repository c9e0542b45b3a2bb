"""Sizes; those of Foobar.jpg, 1941 by 220, are recorded answers of MediaWiki."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis.strategies import integers

from wikiapi.filerepo.scaling import Size, ThumbParams, fit

FOOBAR = Size(1941, 220)
PIXELS = integers(min_value=1, max_value=100_000)


@pytest.mark.parametrize(
    ("width", "height", "size"),
    [
        (300, None, (300, 34)),
        (180, None, (180, 20)),
        (1941, 100, (883, 100)),
        (1941, 50, (442, 50)),
        (1941, 0, (1, 1)),
        (3, None, (3, 1)),
        (100, 5000, (100, 11)),
    ],
)
def test_foobar(width: int, height: int | None, size: tuple[int, int]) -> None:
    scaled = fit(ThumbParams(width, height), FOOBAR)
    assert scaled is not None
    assert scaled.display == size


@pytest.mark.parametrize(
    ("width", "height"), [(None, None), (None, 100), (0, None), (-5, None), (100, -2)]
)
def test_no_size(width: int | None, height: int | None) -> None:
    assert fit(ThumbParams(width, height), FOOBAR) is None


@given(width=PIXELS, height=PIXELS, box_width=PIXELS, box_height=PIXELS)
def test_it_fits_into_the_box(width: int, height: int, box_width: int, box_height: int) -> None:
    scaled = fit(ThumbParams(box_width, box_height), Size(width, height))
    assert scaled is not None
    assert scaled.display.width <= box_width
    assert scaled.display.height <= box_height or scaled.display.width == 1


def test_an_image_without_size() -> None:
    scaled = fit(ThumbParams(100, 50), Size(0, 0))
    assert scaled is not None
    assert scaled.display == (100, 1)
