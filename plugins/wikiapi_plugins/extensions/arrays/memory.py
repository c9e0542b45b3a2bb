"""The arrays of one rendering, and their limits."""

from __future__ import annotations

from collections.abc import Iterable

from wikiapi.wikitext import ParseState, PluginState

_ELEMENT_BYTES = 60
"""Approximate memory of an element besides its characters."""
_MAX_ELEMENTS = 500_000
_MAX_CHARACTERS = 20_000_000
"""Limits of all definitions of a page together; elements beyond them are dropped."""

Array = list[str]


class Arrays:
    """The arrays of one rendering, by name."""

    def __init__(self, state: ParseState) -> None:
        """Start without arrays."""
        self._state = state
        self._arrays: dict[str, Array] = {}
        self._elements_left = _MAX_ELEMENTS
        self._characters_left = _MAX_CHARACTERS

    def get(self, name: str) -> Array | None:
        """Return an array, which must not be changed, or ``None`` if it is not defined."""
        self._state.expander.note_place_dependent()
        return self._arrays.get(name)

    def named(self, names: Iterable[str]) -> list[Array]:
        """Return the arrays of these names, leaving out those that are not defined."""
        return [array for name in names if (array := self.get(name)) is not None]

    def define(self, name: str, elements: Iterable[str]) -> None:
        """Set an array to the elements, up to the limits of the page."""
        self._state.expander.note_place_dependent()
        budget = self._state.budget
        budget.keep(name)
        array: Array = []
        for element in elements:
            self._elements_left -= 1
            self._characters_left -= len(element)
            if self._elements_left < 0 or self._characters_left < 0:
                break
            budget.keep(_ELEMENT_BYTES + len(element))
            array.append(element)
        budget.step(len(array))
        self._arrays[name] = array

    def reset(self, names: Iterable[str]) -> None:
        """Remove arrays."""
        self._state.expander.note_place_dependent()
        for name in names:
            self._arrays.pop(name, None)

    def reset_all(self) -> None:
        """Remove all arrays."""
        self.reset(list(self._arrays))


ARRAYS: PluginState[Arrays] = PluginState(Arrays)


def fits(state: ParseState, size: int) -> bool:
    """Return whether a text of this size may go into the page; add a warning if not."""
    if size <= state.usage.ceilings.article_size:
        return True
    state.notices.add_tracking_category("post-expand-template-inclusion-category")
    state.notices.warn("post-expand-template-inclusion-warning")
    return False
