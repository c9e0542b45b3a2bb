"""Wikis with malicious modules."""

from __future__ import annotations

from typing import Any

import pytest

from wikiapi.config import NamespaceConfig
from wikiapi.testing import ask

pytest.importorskip("lupa")

from collections.abc import Callable, Mapping

from wikiapi.site import Site
from wikiapi_plugins.extensions.scribunto.invoke import Invoker

NAMESPACES = (
    NamespaceConfig(828, "Module", subpages=True),
    NamespaceConfig(829, "Module talk", subpages=True),
)


def module(**functions: str) -> str:
    """Return the source of a module with functions, each given by its body."""
    lines = [f"function p.{name}(frame) {body} end" for name, body in functions.items()]
    return "\n".join(["local p = {}", *lines, "return p"])


def lua_wiki(
    make_site: Callable[..., Site],
    cpu_seconds: float = 2.0,
    pages: Mapping[str, str] | None = None,
    config: Mapping[str, Any] | None = None,
    **functions: str,
) -> Site:
    """Return a wiki with a module M that has these functions."""
    return make_site(
        {"Module:M": module(**functions), **(pages or {})},
        namespaces=NAMESPACES,
        config={"extensions": {"scribunto": {"cpu_seconds": cpu_seconds}}, **(config or {})},
    )


def invoker(site: Site) -> Invoker:
    """Return the ``#invoke`` function of a wiki."""
    declared = site.parser.registries.function("#invoke")
    assert declared is not None
    return declared.function  # type: ignore[return-value]


def rendered(site: Site, text: str) -> str:
    """Return wikitext rendered as HTML."""
    answer = ask(site, {"action": "parse", "text": text, "contentmodel": "wikitext"})
    assert not answer.codes, answer.codes
    return str(answer.data["parse"]["text"])
