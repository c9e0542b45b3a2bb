"""The functions of frame objects."""

from __future__ import annotations

from collections.abc import Sequence
from sys import getsizeof

from wikiapi.title import TEMPLATE
from wikiapi.wikitext import Frame, ParseState, WikitextRegistries, nodes
from wikiapi_plugins.extensions.scribunto.errors import HostError
from wikiapi_plugins.extensions.scribunto.host.library import HostFunction, Library

_MAX_FRAMES = 1000
_FRAME_BYTES = 1000
"""Approximate memory of a frame without its arguments."""


def _first_argument(
    name: str, flat_pairs: Sequence[str], positional: int
) -> tuple[str, list[nodes.Part]]:
    """Return the first argument, or an empty text if ``name`` contains it, and the others."""
    plain = list(flat_pairs[1 : 2 * positional : 2])
    pairs = flat_pairs[2 * positional :]
    named = [
        nodes.Part((key,) if key else (), (text,) if text else ())
        for key, text in zip(pairs[::2], pairs[1::2], strict=True)
    ]
    first = ""
    if ":" not in name and plain:
        first, *plain = plain
    return first, [*(nodes.Part(None, (text,) if text else ()) for text in plain), *named]


def _as_dict(flat_pairs: Sequence[str]) -> dict[str, str]:
    return dict(zip(flat_pairs[::2], flat_pairs[1::2], strict=True))


class FrameLibrary(Library):
    """Arguments of frames, and the expansion of wikitext in frames."""

    def __init__(self, state: ParseState, frames: list[Frame]) -> None:
        """Store the frames, which Lua refers to by their index."""
        super().__init__(state)
        self._frames = frames

    def _frame(self, number: int) -> Frame:
        if not 0 <= number < len(self._frames):
            raise HostError("invalid frame ID")
        return self._frames[number]

    def argument(self, number: int, name: str) -> str | None:
        """Return the text of an argument, or ``None``."""
        return self._frame(number).argument(name)

    def arguments(self, number: int, *names: str) -> list[str | None]:
        """Return the texts of several arguments."""
        frame = self._frame(number)
        return [frame.argument(name) for name in names]

    def new_child(self, number: int, title: str | bool, *flat_pairs: str) -> list[int | str]:
        """Create a frame with arguments from the module; return its number and its title."""
        frame = self._frame(number)
        if len(self._frames) >= _MAX_FRAMES:
            raise HostError("newChild: too many frames")
        child_title = frame.title
        if isinstance(title, str):
            parsed = self.site.titles.try_parse(title)
            if parsed is None:
                raise HostError("newChild: not a valid title")
            child_title = parsed
        self.state.budget.keep(_FRAME_BYTES + sum(map(getsizeof, flat_pairs)))
        child = frame.child(child_title, ())
        child.set_arguments(_as_dict(flat_pairs))
        self._frames.append(child)
        return [len(self._frames) - 1, child_title.prefixed_text]

    def preprocess(self, number: int, text: str) -> str:
        """Return wikitext expanded in a frame, as transcluded text if it is a template's."""
        frame = self._frame(number)
        state = self.state
        self._check_size((text,))
        tree = state.expander.tree(text, inclusion=frame.depth > 0)
        return state.expander.expand(tree, frame)

    def expand_template(self, number: int, name: str, *flat_pairs: str) -> str:
        """Return the expansion of a template; the arguments are used as they are."""
        frame = self._frame(number)
        state = self.state
        title = state.site.titles.try_parse(name, TEMPLATE)
        if title is None or not title.dbkey or title.interwiki:
            raise HostError(f'expandTemplate: invalid title "{name}"')
        if frame.depth >= state.usage.ceilings.expansion_depth:
            raise HostError("expandTemplate: template depth limit exceeded")
        if title.namespace.is_virtual or title.namespace.nonincludable:
            raise HostError("expandTemplate: template inclusion denied")
        _, text = state.templates.find(title, frame)
        if text is None:
            raise HostError(f'expandTemplate: template "{name}" does not exist')
        if frame.is_active(text.title):
            raise HostError("expandTemplate: template loop detected")
        self._check_size(flat_pairs)
        child = frame.child(text.title, ())
        child.set_arguments(_as_dict(flat_pairs))
        with state.profile.measure(text.title.prefixed_text):
            return state.expander.expand(state.expander.tree(text.text, inclusion=True), child)

    def _check_size(self, texts: Sequence[str]) -> None:
        """Raise `HostError` if the texts together are longer than a page may be."""
        if sum(map(len, texts)) > self.state.usage.ceilings.article_size:
            raise HostError("text too long")

    def call_parser_function(
        self, number: int, name: str, positional: int, *flat_pairs: str
    ) -> str:
        """Return the result of a parser function.

        The first arguments are positional; for these, the names in ``flat_pairs`` are ignored.
        """
        frame = self._frame(number)
        state = self.state
        self._check_size(flat_pairs)
        first, rest = _first_argument(name, flat_pairs, positional)
        function, colon, more = name.partition(":")
        if state.site.derived(WikitextRegistries).function(function) is None:
            raise HostError(f'callParserFunction: function "{name}" was not found')
        title = f"{function}:{more if colon else first}"
        node = nodes.Template((title,), tuple(rest), at_line_start=True)
        return state.expander.expand((node,), frame)

    functions = (
        HostFunction("argument", argument),
        HostFunction("arguments", arguments),
        HostFunction("newChild", new_child),
        HostFunction("preprocess", preprocess),
        HostFunction("expandTemplate", expand_template),
        HostFunction("callParserFunction", call_parser_function),
    )
