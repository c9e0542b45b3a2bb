"""The functions of frame objects."""

from __future__ import annotations

from collections.abc import Sequence
from sys import getsizeof

from wikiapi.title import TEMPLATE
from wikiapi.wikitext import Frame, ParseState
from wikiapi.wikitext.preprocess.nodes import Part, Template
from wikiapi_plugins.extensions.scribunto.errors import Refusal
from wikiapi_plugins.extensions.scribunto.host.library import HostFunction, Library

_MAX_FRAMES = 1000
_FRAME_BYTES = 1000
"""Memory that a frame takes in addition to its arguments, about."""


def _first_argument(name: str, values: Sequence[str], positional: int) -> tuple[str, list[Part]]:
    """Return the text before the first ``|`` of a call, and the arguments after it."""
    plain = list(values[1 : 2 * positional : 2])
    pairs = values[2 * positional :]
    named = [
        Part((key,) if key else (), (text,) if text else ())
        for key, text in zip(pairs[::2], pairs[1::2], strict=True)
    ]
    first = ""
    if ":" not in name and plain:
        first, *plain = plain
    return first, [*(Part(None, (text,) if text else ()) for text in plain), *named]


def _paired(listed: Sequence[str]) -> dict[str, str]:
    return dict(zip(listed[::2], listed[1::2], strict=True))


class FrameLibrary(Library):
    """Arguments, and wikitext expanded in a frame."""

    def __init__(self, state: ParseState, frames: list[Frame]) -> None:
        """Take the frames that Lua refers to by their index."""
        super().__init__(state)
        self._frames = frames

    def _frame(self, number: int) -> Frame:
        if not 0 <= number < len(self._frames):
            raise Refusal("invalid frame ID")
        return self._frames[number]

    def argument(self, number: int, name: str) -> str | None:
        """Return the text of an argument."""
        return self._frame(number).argument(name)

    def arguments(self, number: int, *names: str) -> list[str | None]:
        """Return the texts of several arguments."""
        frame = self._frame(number)
        return [frame.argument(name) for name in names]

    def new_child(self, number: int, title: str | bool, *listed: str) -> list[int | str]:
        """Make a frame with arguments from the module; return its number and its title."""
        frame = self._frame(number)
        if len(self._frames) >= _MAX_FRAMES:
            raise Refusal("newChild: too many frames")
        named = frame.title
        if isinstance(title, str):
            parsed = self.site.titles.try_parse(title)
            if parsed is None:
                raise Refusal("newChild: not a valid title")
            named = parsed
        self.state.budget.keep(_FRAME_BYTES + sum(map(getsizeof, listed)))
        child = frame.child(named, ())
        child.set_arguments(_paired(listed))
        self._frames.append(child)
        return [len(self._frames) - 1, named.prefixed_text]

    def preprocess(self, number: int, text: str) -> str:
        """Return wikitext expanded in a frame; in the frame of a template, as its text is."""
        frame = self._frame(number)
        state = self.state
        self._check_size((text,))
        tree = state.expander.tree(text, inclusion=frame.depth > 0)
        return state.expander.expand(tree, frame)

    def expand_template(self, number: int, name: str, *listed: str) -> str:
        """Return a template expanded with arguments that are not expanded again."""
        frame = self._frame(number)
        state = self.state
        title = state.site.titles.try_parse(name, TEMPLATE)
        if title is None or not title.dbkey or title.interwiki:
            raise Refusal(f'expandTemplate: invalid title "{name}"')
        if frame.depth >= state.usage.ceilings.expansion_depth:
            raise Refusal("expandTemplate: template depth limit exceeded")
        if title.namespace.is_virtual or title.namespace.nonincludable:
            raise Refusal("expandTemplate: template inclusion denied")
        _, text = state.expander.find_template(title, frame)
        if text is None:
            raise Refusal(f'expandTemplate: template "{title.prefixed_text}" does not exist')
        if frame.is_active(text.title):
            raise Refusal("expandTemplate: template loop detected")
        self._check_size(listed)
        child = frame.child(text.title, ())
        child.set_arguments(_paired(listed))
        with state.profile.measure(text.title.prefixed_text):
            return state.expander.expand(state.expander.tree(text.text, inclusion=True), child)

    def _check_size(self, texts: Sequence[str]) -> None:
        """Raise `Refusal` if texts are longer together than a page may be."""
        if sum(map(len, texts)) > self.state.usage.ceilings.article_size:
            raise Refusal("text too long")

    def call_parser_function(self, number: int, name: str, positional: int, *listed: str) -> str:
        """Return the result of a parser function; the first arguments have no names."""
        frame = self._frame(number)
        state = self.state
        self._check_size(listed)
        first, rest = _first_argument(name, listed, positional)
        function, colon, more = name.partition(":")
        if state.registries.function(function) is None:
            raise Refusal(f'callParserFunction: function "{name}" was not found')
        title = f"{function}:{more if colon else first}"
        node = Template((title,), tuple(rest), at_line_start=True)
        return state.expander.expand((node,), frame)

    functions = (
        HostFunction("argument", argument),
        HostFunction("arguments", arguments),
        HostFunction("newChild", new_child),
        HostFunction("preprocess", preprocess),
        HostFunction("expandTemplate", expand_template),
        HostFunction("callParserFunction", call_parser_function),
    )
