"""The hooks around a rendering: each plugin is called on its own, so that one that fails is named.

What a plugin raises is logged and noted in the page (:mod:`wikiapi.wikitext.failures`), and the
rendering goes on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from selectolax.lexbor import LexborHTMLParser

from wikiapi.plugins import owner_of
from wikiapi.wikitext.failures import ends_request, hook_failed
from wikiapi.wikitext.html.tidy import close_voids

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import pluggy
    from selectolax.lexbor import LexborNode

    from wikiapi.title.title import Title
    from wikiapi.wikitext.expand.frame import Frame
    from wikiapi.wikitext.state import ParseState

_DOCUMENT = "<!DOCTYPE html><html><head></head><body>"


def notify(hook: str, state: ParseState, **facts: object) -> None:
    """Report an event to all plugins."""
    for implementation in _implementations(state, hook):
        try:
            _call(implementation, state=state, **facts)
        except Exception as error:
            hook_failed(error, state, hook, implementation.plugin_name)


def notify_rendering_ended(state: ParseState) -> None:
    """Report the end of a rendering to all plugins, each of which has something to release.

    Raises:
        BudgetExceeded, StoreError: one raised it, after all have been called.
    """
    last: Exception | None = None
    for implementation in _implementations(state, "on_rendering_ended"):
        try:
            _call(implementation, state=state)
        except Exception as error:
            if ends_request(error):
                last = error
            else:
                hook_failed(error, state, "on_rendering_ended", implementation.plugin_name)
    if last is not None:
        raise last


def resolve_template(state: ParseState, title: Title, frame: Frame) -> str | None:
    """Return the first plugin's text for a title; ``None`` if there is none, to ask the store."""
    for implementation in _implementations(state, "resolve_template"):
        try:
            text = _call(implementation, site=state.site, title=title, frame=frame)
        except Exception as error:
            hook_failed(error, state, "resolve_template", implementation.plugin_name)
            continue
        if text is not None:
            return str(text)
    return None


def transform_html(html: str, state: ParseState) -> str:
    """Return the HTML of a page after the changes of plugins, without those of one that fails.

    A tree is built only where a plugin wants one. Character references are then written anew: a
    tree holds characters, not how they were spelt.
    """
    implementations = list(_implementations(state, "transform_html"))
    root = _tree(html) if implementations else None
    for place, implementation in enumerate(implementations):
        if root is None:
            return html
        before = (root.inner_html or "") if place else html
        try:
            _call(implementation, root=root, output=state.output, options=state.options)
        except Exception as error:
            hook_failed(error, state, "transform_html", implementation.plugin_name)
            root = _tree(before)
    return html if root is None else close_voids(root.inner_html or "")


def apply_changes(text: str, state: ParseState, changes: Iterable[Callable[[str], str]]) -> str:
    """Return a text after what plugins have asked to be done with it, without what fails."""
    for change in changes:
        try:
            text = change(text)
        except Exception as error:
            _function_failed(error, state, change)
    return text


def join_results(state: ParseState, makers: Iterable[Callable[[], str]]) -> str:
    """Return what functions of plugins make, one after the other, without what fails."""
    pieces = []
    for make in makers:
        try:
            pieces.append(make())
        except Exception as error:
            _function_failed(error, state, make)
    return "".join(pieces)


def _function_failed(error: Exception, state: ParseState, function: Callable[..., str]) -> None:
    name = getattr(function, "__qualname__", type(function).__qualname__)
    hook_failed(error, state, name, owner_of(function, state.site.plugins))


def _implementations(state: ParseState, hook: str) -> Iterator[pluggy.HookImpl]:
    """Return the implementations of a hook in the order in which pluggy calls them."""
    caller: pluggy.HookCaller = getattr(state.site.plugins.hook, hook)
    return reversed(caller.get_hookimpls())


def _call(implementation: pluggy.HookImpl, **arguments: object) -> Any:
    return implementation.function(*[arguments[name] for name in implementation.argnames])


def _tree(html: str) -> LexborNode | None:
    return LexborHTMLParser(_DOCUMENT + html).body
