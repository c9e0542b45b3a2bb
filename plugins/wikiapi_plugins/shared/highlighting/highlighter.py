"""Syntax highlighting by Pygments, of parts of a page and of whole pages of source code."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from sys import getsizeof
from typing import Final

from pygments.lexers import get_all_lexers  # type: ignore[import-untyped]
from pygments.plugin import find_plugin_lexers  # type: ignore[import-untyped]

from wikiapi.budget import Budget
from wikiapi.cache import BoundedCache
from wikiapi.wikitext import Parser, ParserOutput, ParseState, PluginState, escape_attribute
from wikiapi.workers import JobFailed, Limits, WorkerPool, WorkerUnavailable

STYLES, SCRIPTS = "ext.pygments", "ext.pygments.view"
"""Modules that pages with highlighted source load."""

logger = logging.getLogger("wikiapi.highlight")

MAX_BYTES = 102_400
"""Longer texts are not highlighted."""
SOURCE_SECONDS = 1.0
"""CPU seconds that one source may take; usual sources of the largest size take a quarter of it."""
PAGE_SECONDS = 5.0
"""CPU seconds for all sources of a page; when they are used up, others are not highlighted."""
_RETRY_SECONDS = 60
"""Seconds for which a page is cached if not all of its sources were highlighted in time."""
_WAIT_SECONDS = 10.0
"""Seconds that a page waits for one source. It may take longer than its CPU time on a busy host."""
_MEMORY = 256 * 1024 * 1024
_CACHE_BYTES = 8 * 1024 * 1024
"""Memory of the cache of highlighted sources."""
_TAG = "syntaxhighlight"
_ID = re.compile(r"[A-Za-z][\w-]*\Z", re.ASCII)
_PAGE_LINKS = "L"
"""Prefix of the anchors of lines in a page of source code: ``#L-1``."""

workers: Final = WorkerPool(
    Path(__file__).with_name("pygmentize.py"), Limits(SOURCE_SECONDS, _MEMORY)
)
"""Worker processes for highlighting, shared by all wikis of this process."""


def is_too_long(source: str) -> bool:
    """Return whether a text is too long to be highlighted."""
    return len(source.encode("utf-8", "replace")) > MAX_BYTES


def find_lexer(language: str) -> str | None:
    """Return the name of the lexer for a language, or ``None`` if there is none."""
    alias = language.lower()
    return _lexers().get(alias) or _lexers_of_plugins().get(alias)


@cache
def _lexers() -> Mapping[str, str]:
    """Return the names of Pygments' lexers by alias; for duplicate aliases, the first lexer."""
    lexers: dict[str, str] = {}
    for name, aliases, _, _ in get_all_lexers(plugins=False):
        for alias in aliases:
            lexers.setdefault(alias, name)
    return lexers


@cache
def _lexers_of_plugins() -> Mapping[str, str]:
    """Return the lexers of other installed packages by alias. Searching them takes some time."""
    lexers: dict[str, str] = {}
    for lexer in find_plugin_lexers():
        for alias in lexer.aliases:
            lexers.setdefault(alias, lexer.name)
    return lexers


class HighlightCache:
    """Highlights sources, and caches them, since they change less often than their pages."""

    def __init__(self) -> None:
        """Create an empty cache, which drops the least recently used sources."""
        self._cache: BoundedCache[tuple[str, str], list[str]] = BoundedCache(_CACHE_BYTES)

    def lines(self, code: str, lexer: str, state: ParseState) -> list[str] | None:
        """Return the lines of :func:`highlighted`, or ``None`` if the source is not highlighted.

        Callers must not change the lines. Sources that fail or take too long are not highlighted,
        which is cached as well. When the sources of a page have used up their time together,
        further ones are not highlighted.
        """
        key = (lexer, code)
        lines = self._cache.get(key)
        if lines is None:
            spent = state.plugin(_SPENT)
            if spent.seconds >= PAGE_SECONDS:
                # The sources before it are cached, so that the next rendering gets further.
                state.output.expire_after(_RETRY_SECONDS)
                return None
            try:
                lines, seconds = highlighted(code, lexer, state.budget)
            except JobFailed as failed:
                lines, seconds = [], failed.seconds
            except WorkerUnavailable:
                # Another rendering may succeed; this one must not wait again.
                state.output.expire_after(0)
                spent.seconds = PAGE_SECONDS
                return None
            spent.seconds += seconds
            self._cache.put(key, lines, getsizeof(code) + sum(map(getsizeof, lines)))
        return lines or None


class _Spent:
    """The CPU seconds that the sources of a page have taken."""

    seconds = 0.0


_SPENT = PluginState(lambda state: _Spent())


def highlighted(code: str, lexer: str, budget: Budget) -> tuple[list[str], float]:
    """Return the lines of a source as HTML, without line ends, and the CPU seconds used.

    Raises:
        JobFailed: it cannot be highlighted, or takes too long.
        WorkerUnavailable: no worker process was available in time.
        DeadlineExceeded: the time for the request is used up.
    """
    try:
        html, seconds = workers.run((lexer, code), min(_WAIT_SECONDS, budget.left))
    except (JobFailed, WorkerUnavailable) as error:
        logger.warning("source not highlighted by the lexer %s: %s", ascii(lexer), error)
        budget.check()
        raise
    return html.removesuffix("\n").split("\n"), seconds


def emphasized(lines: list[str], numbers: frozenset[int]) -> list[str]:
    """Return the lines with line ends, with an element around those with these numbers."""
    return [
        f'<span class="hll">{line}\n</span>' if number in numbers else f"{line}\n"
        for number, line in enumerate(lines, 1)
    ]


def numbered(lines: list[str], first: int, link_prefix: str) -> list[str]:
    """Return the lines with numbers, which are links if the prefix is valid in an id."""
    number = _linked if _ID.match(link_prefix) else _number_html
    return [number(line, position, link_prefix) for position, line in enumerate(lines, first)]


def source_page(
    source: str, language: str, parser: Parser, output: ParserOutput | None = None
) -> str | None:
    """Return the HTML of a page of highlighted source, or ``None`` if it is not highlighted.

    Source is not highlighted if the plugin for ``<syntaxhighlight>`` is disabled, if it is too
    long, or if highlighting fails. If a later attempt may succeed, ``output`` is not cached.
    """
    if _TAG not in parser.registries.tags or is_too_long(source):
        return None
    lexer = find_lexer(language)
    if lexer is None:
        return None
    try:
        lines, _ = highlighted(source.lstrip("\n").rstrip(), lexer, parser.site.budgets.current)
    except JobFailed:
        return None
    except WorkerUnavailable:
        if output:
            output.expire_after(0)
        return None
    if output:
        output.module_styles.setdefault(STYLES)
        output.modules.setdefault(SCRIPTS)
    body = "".join(numbered(emphasized(lines, frozenset()), 1, _PAGE_LINKS))
    classes = f"mw-highlight mw-highlight-lang-{language} mw-content-ltr mw-highlight-lines"
    return f'<div class="{classes}" dir="ltr"><pre><span></span>{body}</pre></div>'


def _number_html(line: str, number: int, prefix: str) -> str:
    return f'<span class="linenos" data-line="{number}"></span>{line}'


def _linked(line: str, number: int, prefix: str) -> str:
    anchor = escape_attribute(f"{prefix}-{number}")
    number_html = _number_html("", number, prefix)
    return f'<span id="{anchor}"><a href="#{anchor}">{number_html}</a>{line}</span>'
