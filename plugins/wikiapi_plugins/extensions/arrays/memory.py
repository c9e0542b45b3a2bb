"""The arrays of a rendering, and what they may take."""

from __future__ import annotations

from collections.abc import Iterable

from wikiapi.wikitext import ParseState, PluginState

_ELEMENT_BYTES = 60
"""What an element takes in memory beside its characters, about."""
_MOST_ELEMENTS = 500_000
_MOST_CHARACTERS = 20_000_000
"""What the definitions of a page may hold together. What exceeds it is left out."""

Array = list[str]


class Arrays:
    """The arrays of one rendering, by name."""

    def __init__(self, state: ParseState) -> None:
        """Begin without any."""
        self._state = state
        self._arrays: dict[str, Array] = {}
        self._elements_left = _MOST_ELEMENTS
        self._characters_left = _MOST_CHARACTERS

    def get(self, name: str) -> Array | None:
        """Return an array, ``None`` if it has not been defined. It must not be changed."""
        self._state.expander.note_place_dependent()
        return self._arrays.get(name)

    def named(self, names: Iterable[str]) -> list[Array]:
        """Return those of the arrays that have been defined."""
        return [array for name in names if (array := self.get(name)) is not None]

    def define(self, name: str, elements: Iterable[str]) -> None:
        """Set an array to as many elements as there is room for."""
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
    """Return whether a text may be made that goes into the page; if not, warn of it."""
    if size <= state.usage.ceilings.article_size:
        return True
    state.notices.add_tracking_category("post-expand-template-inclusion-category")
    state.notices.warn("post-expand-template-inclusion-warning")
    return False
