"""The Lark grammars, and the one function that reads them."""

from __future__ import annotations

from importlib import resources


def read(name: str) -> str:
    """The text of a grammar, by its name without the ``.lark`` ending.

    Raises:
        FileNotFoundError: there is no such grammar.
    """
    return resources.files(__name__).joinpath(f"{name}.lark").read_text(encoding="utf-8")
