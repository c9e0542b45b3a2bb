"""The host functions, which Lua calls in the server: a file for each library of ``mw``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from wikiapi.wikitext import Frame, ParseState
from wikiapi_plugins.extensions.scribunto.errors import HostError, well_formed
from wikiapi_plugins.extensions.scribunto.host.basics import BasicLibrary
from wikiapi_plugins.extensions.scribunto.host.frames import FrameLibrary
from wikiapi_plugins.extensions.scribunto.host.languages import LanguageLibrary
from wikiapi_plugins.extensions.scribunto.host.library import HostFunction, Library
from wikiapi_plugins.extensions.scribunto.host.messages import MessageLibrary
from wikiapi_plugins.extensions.scribunto.host.modules import ModuleLibrary
from wikiapi_plugins.extensions.scribunto.host.sites import SiteLibrary
from wikiapi_plugins.extensions.scribunto.host.texts import TextLibrary
from wikiapi_plugins.extensions.scribunto.host.titles import TitleLibrary
from wikiapi_plugins.extensions.scribunto.host.uris import UriLibrary
from wikiapi_plugins.extensions.scribunto.modules import PageModules


class HostResult(NamedTuple):
    """The result of a host function."""

    value: Any
    cacheable: bool
    """Whether the worker may reuse the value on other pages."""


class _BoundFunction(NamedTuple):
    library: Library
    function: HostFunction


class Host:
    """The host functions of one rendering, by name."""

    def __init__(self, state: ParseState, frames: list[Frame], modules: PageModules) -> None:
        """Create the libraries.

        Args:
            state: the rendering.
            frames: the frames, which Lua refers to by their index; host functions may add to them.
            modules: the modules of the page.
        """
        libraries = (
            BasicLibrary(state),
            FrameLibrary(state, frames),
            LanguageLibrary(state),
            MessageLibrary(state),
            ModuleLibrary(state, modules),
            SiteLibrary(state),
            TextLibrary(state),
            TitleLibrary(state, modules),
            UriLibrary(state),
        )
        self._functions = {
            function.name: _BoundFunction(library, function)
            for library in libraries
            for function in library.functions
        }

    def call(self, name: str, arguments: Sequence[Any]) -> HostResult:
        """Call a function and return its result.

        Raises:
            HostError: the function failed, or a compromised worker sent an invalid call.
        """
        bound = self._functions.get(name)
        checked = [well_formed(each) if isinstance(each, str) else each for each in arguments]
        if bound is None or not bound.function.accepts(checked):
            raise HostError(f"{name}: bad arguments")
        library, function = bound
        return HostResult(function.method(library, *checked), function.is_cacheable(checked))
