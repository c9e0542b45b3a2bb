"""Comparison of two sequences.

Items that occur in only one of the sequences are removed first. The longest common subsequence of
the rest is found from both ends at once (Myers, "An O(ND) Difference Algorithm and Its Variations",
1986). Then each run of changes is moved until it meets other changes, or as far down as possible.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

MAX_STEPS = 1_000_000
"""The limit of steps for comparing two texts by line and word, which take about a second."""


@dataclass(slots=True)
class Effort:
    """The steps left. When there are none, everything not compared so far counts as different."""

    steps: int = MAX_STEPS


@dataclass(frozen=True, slots=True)
class Edit:
    """Items ``a`` to ``a_end`` of one sequence correspond to ``b`` to ``b_end`` of the other.

    Either they are equal, or the former are replaced by the latter. The ends are exclusive.
    """

    is_equal: bool
    a: int
    a_end: int
    b: int
    b_end: int


def compare(one: Sequence[Hashable], other: Sequence[Hashable], effort: Effort) -> list[Edit]:
    """Return the edits from one sequence to the other, alternately equal and different."""
    removed, added = _Comparison(one, other, effort).marks()
    _slide(one, removed, added)
    _slide(other, added, removed)
    return list(_edits(removed, added))


class _Comparison:
    """Marks the items of two sequences that have no counterpart."""

    def __init__(self, one: Sequence[Hashable], other: Sequence[Hashable], effort: Effort) -> None:
        self._one, self._other = one, other
        self._removed = [False] * len(one)
        self._added = [False] * len(other)
        self._effort = effort

    def marks(self) -> tuple[list[bool], list[bool]]:
        start, end_one, end_other = _common_ends(self._one, self._other)
        mine, theirs = self._one[start:end_one], self._other[start:end_other]
        both = set(mine) & set(theirs)
        self._a = [start + n for n, item in enumerate(mine) if item in both]
        self._b = [start + n for n, item in enumerate(theirs) if item in both]
        for marks, end in ((self._removed, end_one), (self._added, end_other)):
            marks[start:end] = [True] * (end - start)
        numbers = {item: number for number, item in enumerate(both)}
        a = [numbers[self._one[n]] for n in self._a]
        b = [numbers[self._other[n]] for n in self._b]
        start, end_a, end_b = _common_ends(a, b)
        self._keep(0, 0, start)
        self._keep(end_a, end_b, len(a) - end_a)
        boxes = [(start, end_a, start, end_b)]
        while boxes:
            low_a, high_a, low_b, high_b = boxes.pop()
            snake = self._middle_snake(a, b, low_a, high_a, low_b, high_b)
            if snake is None:
                continue
            start_a, start_b, length, differences = snake
            self._keep(start_a, start_b, length)
            if differences > 1:
                boxes.append((low_a, start_a, low_b, start_b))
                boxes.append((start_a + length, high_a, start_b + length, high_b))
            else:
                self._keep(low_a, low_b, min(start_a - low_a, start_b - low_b))
        return self._removed, self._added

    def _keep(self, a: int, b: int, length: int) -> None:
        for n in range(length):
            self._removed[self._a[a + n]] = self._added[self._b[b + n]] = False

    def _middle_snake(
        self, a: list[int], b: list[int], low_a: int, high_a: int, low_b: int, high_b: int
    ) -> tuple[int, int, int, int] | None:
        """Find the middle snake of a box: the equal items in the middle of a shortest path.

        Returns:
            Its start in each list, its length, and the number of differences on the path; ``None``
            for an empty box, or if the search takes too many steps.
        """
        size_a, size_b = high_a - low_a, high_b - low_b
        if not size_a or not size_b:
            return None
        delta = size_a - size_b
        forward, backward = {1: 0}, {-1: size_a}
        for d in range((size_a + size_b + 1) // 2 + 1):
            self._effort.steps -= 2 * d + 1
            if self._effort.steps < 0:
                return None
            for k in _diagonals(d, size_b, size_a):
                # The furthest position at which a path can step onto diagonal ``k``.
                below, above = forward.get(k - 1, -1), forward.get(k + 1, -1)
                x = above if k == -d or (k != d and below < above) else below + 1
                start = x
                while x < size_a and x - k < size_b and a[low_a + x] == b[low_b + x - k]:
                    x += 1
                forward[k] = x
                if delta & 1 and abs(k - delta) < d and x >= backward[k - delta]:
                    return low_a + start, low_b + start - k, x - start, 2 * d - 1
            for k in _diagonals(d, size_a, size_b):
                x = _nearest(backward, k, d)
                end, shift = x, k + delta
                while x > 0 and x - shift > 0 and a[low_a + x - 1] == b[low_b + x - shift - 1]:
                    x -= 1
                backward[k] = x
                if not delta & 1 and abs(shift) <= d and x <= forward[shift]:
                    return low_a + x, low_b + x - shift, end - x, 2 * d
        return None


def _common_ends(one: Sequence[Hashable], other: Sequence[Hashable]) -> tuple[int, int, int]:
    """Return the length of the common beginning, and where the common end begins in each."""
    start, end_one, end_other = 0, len(one), len(other)
    while start < min(end_one, end_other) and one[start] == other[start]:
        start += 1
    while min(end_one, end_other) > start and one[end_one - 1] == other[end_other - 1]:
        end_one, end_other = end_one - 1, end_other - 1
    return start, end_one, end_other


def _diagonals(d: int, most_down: int, most_up: int) -> range:
    """Return the diagonals within the box that can be reached with ``d`` differences."""
    low = -d if d <= most_down else d - 2 * most_down
    high = d if d <= most_up else 2 * most_up - d
    return range(low, high + 1, 2)


def _nearest(reached: dict[int, int], k: int, d: int) -> int:
    """Return the same for a path from the other end."""
    far = 1 << 60
    below, above = reached.get(k - 1, far), reached.get(k + 1, far)
    return below if k == d or (k != -d and below < above) else above - 1


def _slide(items: Sequence[Hashable], marks: list[bool], others: list[bool]) -> None:
    """Move each run of marked items, if the items next to it allow that.

    A run is joined with others that it touches when it is moved up and down. Its final position is
    the lowest one next to a run of the other sequence, if there is one. Otherwise it is the highest
    one, or the lowest one if the other sequence ends before.
    """
    size, i, j = len(items), 0, _end_of_run(others, 0)
    while True:
        while i < size and not marks[i]:
            i, j = i + 1, _end_of_run(others, j + 1)
        if i == size:
            return
        run = _Run(items, marks, others, i, _end_of_run(marks, i), j)
        run.settle()
        i, j = run.end, run.place


@dataclass
class _Run:
    """A run of marked items. ``place`` is the item in the other sequence after it."""

    items: Sequence[Hashable]
    marks: list[bool]
    others: list[bool]
    start: int
    end: int
    place: int

    def settle(self) -> None:
        """Move the run to its final position; each run that it meets becomes part of it."""
        length = -1
        while length != self.end - self.start:
            length = self.end - self.start
            while self.start and self.items[self.start - 1] == self.items[self.end - 1]:
                self._step_up()
                while self.start and self.marks[self.start - 1]:
                    self.start -= 1
            size = len(self.items)
            rest = self.end if self.place < len(self.others) else size
            while self.end < size and self.items[self.start] == self.items[self.end]:
                self.marks[self.start], self.marks[self.end] = False, True
                self.start, self.end = self.start + 1, _end_of_run(self.marks, self.end + 1)
                self.place += 1
                if self.place < len(self.others) and self.others[self.place]:
                    rest = self.end
                    self.place = _end_of_run(self.others, self.place)
        while rest < self.end:
            self._step_up()

    def _step_up(self) -> None:
        self.start, self.end = self.start - 1, self.end - 1
        self.marks[self.start], self.marks[self.end] = True, False
        self.place -= 1
        while self.place > 0 and self.others[self.place]:
            self.place -= 1


def _end_of_run(marks: list[bool], position: int) -> int:
    while position < len(marks) and marks[position]:
        position += 1
    return position


def _edits(removed: list[bool], added: list[bool]) -> Iterator[Edit]:
    a = b = 0
    while a < len(removed) or b < len(added):
        start_a, start_b = a, b
        while a < len(removed) and b < len(added) and not removed[a] and not added[b]:
            a, b = a + 1, b + 1
        if a > start_a:
            yield Edit(True, start_a, a, start_b, b)
        start_a, start_b = a, b
        a, b = _end_of_run(removed, a), _end_of_run(added, b)
        if a > start_a or b > start_b:
            yield Edit(False, start_a, a, start_b, b)
