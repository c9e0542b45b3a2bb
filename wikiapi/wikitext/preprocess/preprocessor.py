"""The preprocessor: text in, cached tree out."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from lark import Lark

import wikiapi_grammar
from wikiapi.wikitext.preprocess.cache import Tree, TreeCache, size_of
from wikiapi.wikitext.preprocess.names import call_names
from wikiapi.wikitext.preprocess.pairing import PairingPostLex
from wikiapi.wikitext.preprocess.scanner import RawScanner
from wikiapi.wikitext.preprocess.tree import TreeBuilder

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lark.lexer import TerminalDef

    from wikiapi.wikitext.preprocess.nodes import Content

_INTERESTING = re.compile(r"\{\{|<[!/A-Za-z]|(?:\A|\n)=")
"""Without any of these a text is one text node."""


class Preprocessor:
    """Turns wikitext into trees. Thread safe."""

    def __init__(self, tag_names: Iterable[str], cache_bytes: int) -> None:
        """Prepare parsers that know these extension tags.

        Args:
            tag_names: names of extension tags, in lower case.
            cache_bytes: how many bytes the trees in memory may take.
        """
        names = tuple(sorted(tag_names))
        self._page = _parser(names, inclusion=False)
        self._inclusion = _parser(names, inclusion=True)
        self._cache = TreeCache(cache_bytes)

    def tree(self, text: str, *, inclusion: bool = False) -> Content:
        """The tree of a text, as a page of its own or as it is transcluded."""
        return self._tree(text, inclusion=inclusion).content

    def template_names(self, text: str, *, inclusion: bool = False) -> tuple[str, ...]:
        """The names of the calls in a text that are written out, trimmed; each once."""
        return self._tree(text, inclusion=inclusion).names

    def _tree(self, text: str, *, inclusion: bool) -> Tree:
        if not _INTERESTING.search(text):
            return Tree((text,) if text else (), ())
        key = (text, inclusion)
        tree = self._cache.get(key)
        if tree is None:
            parser = self._inclusion if inclusion else self._page
            content = cast("Content", parser.parse(text))
            tree = Tree(content, call_names(content))
            self._cache.put(key, tree, size_of(key))
        return tree


@lru_cache(maxsize=8)
def _parser(tag_names: tuple[str, ...], *, inclusion: bool) -> Lark:
    """A parser keeps nothing of what it parses, so the wikis of a process share it."""
    return Lark(
        wikiapi_grammar.read("preprocessor"),
        parser="lalr",
        lexer=RawScanner,
        postlex=PairingPostLex(inclusion=inclusion),
        transformer=TreeBuilder(),
        edit_terminals=_with_names(tag_names),
        keep_all_tokens=True,
    )


class _with_names:  # noqa: N801
    """Puts the extension tags' names into the ``TAG_OPEN`` terminal."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = "|".join(re.escape(name) for name in names)

    def __call__(self, terminal: TerminalDef) -> TerminalDef:
        if terminal.name == "TAG_OPEN" and self._names:
            pattern = terminal.pattern
            pattern.value = pattern.value.replace("(?P<name>", f"(?P<name>(?:{self._names})|", 1)
        return terminal
