"""What frame objects ask."""

from __future__ import annotations

from collections.abc import Sequence
from sys import getsizeof
from types import MappingProxyType
from typing import TYPE_CHECKING

from wikiapi.title import TEMPLATE, Title
from wikiapi.wikitext import Frame
from wikiapi.wikitext.expand.loader import TemplateText
from wikiapi.wikitext.preprocess.nodes import Part, Template
from wikiapi_plugins.extensions.scribunto.errors import Refusal
from wikiapi_plugins.extensions.scribunto.host.basics import Operations

if TYPE_CHECKING:
    from wikiapi_plugins.extensions.scribunto.session import Session

_MAX_FRAMES = 1000
_FRAME_BYTES = 1000
"""What a frame takes in memory beside its arguments, about."""
_MAX_REDIRECTS = 2


def frame_of(session: Session, number: int) -> Frame:
    """A frame that Lua knows by a number."""
    frames = session.frames
    if not (isinstance(number, int) and 0 <= number < len(frames)):
        raise Refusal("invalid frame ID")
    return frames[number]


def argument(session: Session, number: int, name: str) -> str | None:
    """The text of an argument."""
    return frame_of(session, number).argument(name)


def arguments(session: Session, number: int, *names: str) -> list[str | None]:
    """The texts of several arguments."""
    frame = frame_of(session, number)
    return [frame.argument(name) for name in names]


def new_child(session: Session, number: int, title: str | bool, *listed: str) -> list[int | str]:
    """A frame with arguments of the module's own: its number and the text of its title."""
    frame = frame_of(session, number)
    if len(session.frames) >= _MAX_FRAMES:
        raise Refusal("newChild: too many frames")
    named = frame.title
    if isinstance(title, str):
        parsed = session.state.site.titles.try_parse(title)
        if parsed is None:
            raise Refusal("newChild: not a valid title")
        named = parsed
    session.state.budget.keep(_FRAME_BYTES + sum(map(getsizeof, listed)))
    child = frame.child(named, ())
    child.set_arguments(_paired(listed))
    session.frames.append(child)
    return [len(session.frames) - 1, named.prefixed_text]


def preprocess(session: Session, number: int, text: str) -> str:
    """Wikitext expanded in a frame; within a template, as a template's text is."""
    frame = frame_of(session, number)
    state = session.state
    _check_size(session, (text,))
    tree = state.tree(text, inclusion=frame.depth > 0)
    return state.expander.expand(tree, frame)


def expand_template(session: Session, number: int, name: str, *listed: str) -> str:
    """A template with arguments that are finished texts."""
    frame = frame_of(session, number)
    state = session.state
    title = state.site.titles.try_parse(name, TEMPLATE)
    if title is None or not title.dbkey or title.interwiki:
        raise Refusal(f'expandTemplate: invalid title "{name}"')
    if frame.depth >= state.usage.ceilings.expansion_depth:
        raise Refusal("expandTemplate: template depth limit exceeded")
    if title.namespace.is_virtual or title.namespace.nonincludable:
        raise Refusal("expandTemplate: template inclusion denied")
    text = _template_text(session, title, frame)
    if text is None:
        raise Refusal(f'expandTemplate: template "{title.prefixed_text}" does not exist')
    if frame.is_active(text.title):
        raise Refusal("expandTemplate: template loop detected")
    _check_size(session, listed)
    child = frame.child(text.title, ())
    child.set_arguments(_paired(listed))
    with state.profile.measure(text.title.prefixed_text):
        return state.expander.expand(state.tree(text.text, inclusion=True), child)


def _check_size(session: Session, texts: Sequence[str]) -> None:
    """No text of a module may be longer than a page."""
    if sum(map(len, texts)) > session.state.usage.ceilings.article_size:
        raise Refusal("text too long")


def _template_text(session: Session, title: Title, frame: Frame) -> TemplateText | None:
    """A template's text; a redirect is followed, and counts as used."""
    state = session.state
    text = None
    for _ in range(_MAX_REDIRECTS):
        text = state.template_text(title, frame)
        state.output.add_template(title, *((text.page_id, text.revision_id) if text else ()))
        if text is None or text.redirect is None:
            return text
        title = text.redirect
    return text


def call_parser_function(
    session: Session, number: int, name: str, positional: int, *listed: str
) -> str:
    """A parser function called with finished texts, of which so many have no name."""
    frame = frame_of(session, number)
    state = session.state
    _check_size(session, listed)
    first, rest = _first_argument(name, listed, positional)
    function, colon, more = name.partition(":")
    if state.registries.function(function) is None:
        raise Refusal(f'callParserFunction: function "{name}" was not found')
    title = f"{function}:{more if colon else first}"
    node = Template((title,), tuple(rest), at_line_start=True)
    return state.expander.expand((node,), frame)


def _first_argument(name: str, values: Sequence[str], positional: int) -> tuple[str, list[Part]]:
    """What stands before the first ``|``, and the arguments behind it."""
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


OPERATIONS: Operations = MappingProxyType(
    {
        "argument": argument,
        "arguments": arguments,
        "newChild": new_child,
        "preprocess": preprocess,
        "expandTemplate": expand_template,
        "callParserFunction": call_parser_function,
    }
)
