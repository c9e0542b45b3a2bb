"""Calls of the hooks that run during a rendering.

Plugins are called one by one rather than through pluggy's caller, so that an exception can be
attributed to a plugin. It is logged and shown in the page (:mod:`wikiapi.wikitext.failures`), and
the rendering continues.
"""

from __future__ import annotations

from sys import getsizeof
from typing import TYPE_CHECKING, Any

from selectolax.lexbor import LexborHTMLParser

from wikiapi.registry import owner_of
from wikiapi.wikitext.failures import ends_request, hook_failed
from wikiapi.wikitext.html.tidy import close_voids, tree_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    import pluggy
    from selectolax.lexbor import LexborNode

    from wikiapi.store.queries.pages import PageRow
    from wikiapi.title.title import Title
    from wikiapi.wikitext.expand.frame import Frame
    from wikiapi.wikitext.state import ParseState

_DOCUMENT = "<!DOCTYPE html><html><head></head><body>"


def notify(hook: str, state: ParseState, **arguments: object) -> None:
    """Call an event hook of all plugins."""
    for implementation in _implementations(state, hook):
        try:
            _call(implementation, state=state, **arguments)
        except Exception as error:
            hook_failed(error, state, hook, implementation.plugin_name)


def notify_links_found(state: ParseState, pages: Mapping[tuple[int, str], PageRow]) -> None:
    """Call ``on_links_found`` of all plugins."""
    notify("on_links_found", state, pages=pages)


def notify_rendering_ended(state: ParseState) -> None:
    """Call ``on_rendering_ended`` of all plugins, so that each can release its resources.

    Raises:
        BudgetExceeded, StoreError: a plugin raised it; the others have been called nevertheless.
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
    """Return the text of a template from the first plugin that has one, or ``None``."""
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
    """Return the HTML of a page as changed by ``transform_html`` of all plugins.

    If a plugin raises an exception, its changes are undone. The HTML is parsed only if a plugin
    implements the hook; serialising it again normalises its character references.
    """
    implementations = list(_implementations(state, "transform_html"))
    if not implementations:
        return html
    with state.budget.borrow(tree_bytes(html)):
        changed, root = html, _tree(html)
        for place, implementation in enumerate(implementations):
            if root is None:
                break
            before = (root.inner_html or "") if place else html
            try:
                _call(implementation, root=root, output=state.output, options=state.options)
            except Exception as error:
                hook_failed(error, state, "transform_html", implementation.plugin_name)
                root = _tree(before)
        if root is not None:
            changed = close_voids(root.inner_html or "")
    state.charge_growth(getsizeof(html), changed)
    return changed


def apply_changes(text: str, state: ParseState, changes: Iterable[Callable[[str], str]]) -> str:
    """Return a text as changed by functions of plugins; those that fail are skipped.

    Raises:
        BudgetExceeded: a function made the text larger than the request allows.
    """
    for change in changes:
        before = getsizeof(text)
        try:
            text = change(text)
        except Exception as error:
            _function_failed(error, state, change)
        state.charge_growth(before, text)
    return text


def join_results(state: ParseState, functions: Iterable[Callable[[], str]]) -> str:
    """Return the concatenated results of functions of plugins; those that fail are skipped.

    Raises:
        BudgetExceeded: the results are larger than the request allows.
    """
    pieces = []
    for function in functions:
        pieces.append(result_of(function, state))
        state.charge(pieces[-1])
    return "".join(pieces)


def result_of(function: Callable[[], str], state: ParseState) -> str:
    """Return the result of a function of a plugin, or an empty text if it fails."""
    try:
        return function()
    except Exception as error:
        _function_failed(error, state, function)
        return ""


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
