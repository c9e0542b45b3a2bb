"""The preprocessor: turns wikitext into a tree, and caches it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from sys import getsizeof
from typing import TYPE_CHECKING, NamedTuple, cast

from lark import Lark

import wikiapi_grammar
from wikiapi.budget import Budgets
from wikiapi.cache.memory import BoundedCache
from wikiapi.texts import trim
from wikiapi.wikitext.preprocess.nodes import Argument, Comment, Content, Heading, Template
from wikiapi.wikitext.preprocess.pairing import PairingPostLex
from wikiapi.wikitext.preprocess.scanner import RawScanner, Reading
from wikiapi.wikitext.preprocess.tree import TreeBuilder

if TYPE_CHECKING:
    from lark.lexer import TerminalDef


_INTERESTING = re.compile(r"\{\{|<[!/A-Za-z]|(?:\A|\n)=")
"""Matches what may be more than text. A text without a match is a single text node."""


class Preprocessor:
    """Turns wikitext into trees. Thread safe."""

    def __init__(
        self, tag_names: Iterable[str], cache_bytes: int, budgets: Budgets | None = None
    ) -> None:
        """Prepare parsers that know these extension tags.

        Args:
            tag_names: names of extension tags, in lower case.
            cache_bytes: how many bytes the trees in memory may take.
            budgets: limit the time and memory of parsing a text; by default, nothing does.
        """
        names = tuple(sorted(tag_names))
        self._page = _parser(names, inclusion=False)
        self._inclusion = _parser(names, inclusion=True)
        self._cache = TreeCache(cache_bytes)
        self._budgets = budgets or Budgets()

    def tree(self, text: str, *, inclusion: bool = False) -> Content:
        """Return the content of the tree that :meth:`read` returns."""
        return self.read(text, inclusion=inclusion).content

    def template_names(self, text: str, *, inclusion: bool) -> tuple[str, ...]:
        """Return the names of the calls in a text, trimmed and unique.

        Names that contain calls themselves are left out.
        """
        return self.read(text, inclusion=inclusion).names

    def read(self, text: str, *, inclusion: bool = False) -> Tree:
        """Return the tree of a text as a page or, with ``inclusion``, as it is transcluded.

        The memory for parsing counts as used until the tree exists; that of the tree is left to
        the caller.

        Raises:
            BudgetExceeded: parsing the text takes more than the request may use.
        """
        if not _INTERESTING.search(text):
            return Tree((text,) if text else (), (), 0)
        key = (text, inclusion)
        tree = self._cache.get(key)
        if tree is None:
            parser = self._inclusion if inclusion else self._page
            reading = Reading(text, self._budgets.current)
            with reading.budget.scope():
                content = cast("Content", parser.parse(reading))
            tree = Tree(content, call_names(content), size_of(reading))
            self._cache.put(key, tree, tree.size)
        return tree


@lru_cache(maxsize=8)
def _parser(tag_names: tuple[str, ...], *, inclusion: bool) -> Lark:
    """Return a parser. It has no state, so that all wikis of a process can share it."""
    return Lark(
        wikiapi_grammar.read("preprocessor"),
        parser="lalr",
        lexer=RawScanner,
        postlex=PairingPostLex(inclusion=inclusion),
        transformer=TreeBuilder(),
        edit_terminals=_TagNames(tag_names),
        keep_all_tokens=True,
    )


class _TagNames:
    """Lark's ``edit_terminals``: inserts names of extension tags into the terminal ``TAG_OPEN``."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = "|".join(re.escape(name) for name in names)

    def __call__(self, terminal: TerminalDef) -> TerminalDef:
        if terminal.name == "TAG_OPEN" and self._names:
            pattern = terminal.pattern
            pattern.value = pattern.value.replace("(?P<name>", f"(?P<name>(?:{self._names})|", 1)
        return terminal


Key = tuple[str, bool]
"""A text, and whether it is transcluded."""

_EMPTY_BYTES = 256
"""Bytes of an empty tree and its key."""
_BYTES_PER_EVENT = 130
"""Average bytes of the nodes of a tree for each bracket, separator, tag and comment."""


class Tree(NamedTuple):
    """The tree of a text.

    Attributes:
        content: the tree.
        names: the literal names of its calls: pages that may have to be fetched.
        size: its approximate bytes in memory, with the text; 0 if it is just the text.
    """

    content: Content
    names: tuple[str, ...]
    size: int


TreeCache = BoundedCache[Key, Tree]


def size_of(reading: Reading) -> int:
    """Return an estimate of the bytes of a text that has been parsed and of its tree."""
    # The tree contains pieces of the text, which together are about as long as the text.
    return 2 * getsizeof(reading.source) + _BYTES_PER_EVENT * reading.events + _EMPTY_BYTES


def call_names(content: Content) -> tuple[str, ...]:
    """Return the literal names of the calls in a tree, unique and in no particular order."""
    names: dict[str, None] = {}
    pending = [content]
    while pending:
        for node in pending.pop():
            if isinstance(node, Heading):
                pending.append(node.content)
            elif isinstance(node, Template | Argument):
                if isinstance(node, Template) and (name := _plain(node.title)):
                    names.setdefault(name)
                pending.append(node.title)
                for part in node.parts:
                    pending.append(part.value)
                    if part.name:
                        pending.append(part.name)
    return tuple(names)


def _plain(title: Content) -> str:
    texts = [node for node in title if not isinstance(node, Comment)]
    if not all(isinstance(node, str) for node in texts):
        return ""
    return trim("".join(texts))  # type: ignore[arg-type]
