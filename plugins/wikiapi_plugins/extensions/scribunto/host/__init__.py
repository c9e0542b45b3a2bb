"""The answers to what modules ask: one file for each library of ``mw``."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from wikiapi_plugins.extensions.scribunto.host import (
    basics,
    frames,
    languages,
    messages,
    modules,
    sites,
    texts,
    titlepages,
    titles,
    uris,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

OPERATIONS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        **basics.OPERATIONS,
        **frames.OPERATIONS,
        **languages.OPERATIONS,
        **messages.OPERATIONS,
        **modules.OPERATIONS,
        **sites.OPERATIONS,
        **texts.OPERATIONS,
        **titlepages.OPERATIONS,
        **titles.OPERATIONS,
        **uris.OPERATIONS,
    }
)
"""By name: what is called with the session and the arguments that Lua gave.

A list is returned to Lua as several values, except within another list.
"""
