"""The base classes of query modules: for data on pages (prop), lists (list) and the wiki (meta)."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any, ClassVar, TypeVar

from peewee import Select

from wikiapi.api.context import CacheMode, RequestContext
from wikiapi.api.module import Module
from wikiapi.api.query.continuation import Continuation, bad_continue
from wikiapi.api.query.pageset import GeneratedPages, PageSet
from wikiapi.store.sql import bounds

Row = TypeVar("Row")

WINDOW = 50_000
"""Maximum number of rows that a query with filters reads for a request in miser mode."""

GENERATOR_PREFIX = "g"
PARENT = "query"


def _joined(values: Sequence[Any]) -> str:
    return "|".join(map(str, values))


class Query(ABC):
    """What the modules of one query share.

    Attributes:
        page_set: the pages that the query is about.
        continuation: how the next request continues the query.
    """

    page_set: PageSet
    continuation: Continuation

    @property
    @abstractmethod
    def follows_redirects(self) -> bool:
        """Whether redirects are replaced with their targets."""


class QueryModule(Module):
    """A module of ``action=query``. An instance is created for each request.

    A module that can be used as a generator implements :meth:`generate`; the names of its
    parameters then begin with ``g``.
    """

    group: ClassVar[str] = "list"
    element: ClassVar[str] = "v"
    """The XML element of an item of the module's result."""
    walks_exactly: ClassVar[bool] = True
    """Whether continuation returns each item exactly once. False for random items, and for modules
    that repeat some in MediaWiki."""

    def __init__(
        self, context: RequestContext, query: Query, *, is_generator: bool = False
    ) -> None:
        """Take the context of the request and the query that runs the module."""
        prefix = GENERATOR_PREFIX + self.prefix if is_generator else self.prefix
        super().__init__(context, prefix=prefix)
        self.query = query
        self.is_generator = is_generator
        self._window_end: str | None = None

    @abstractmethod
    def execute(self) -> None:
        """Add the module's data to the result.

        Raises:
            ApiError: a parameter is invalid.
        """

    def generate(self, pages: GeneratedPages) -> None:
        """Add the pages for the page set to ``pages``; only for modules that can be generators."""
        raise NotImplementedError

    @classmethod
    def can_generate(cls) -> bool:
        """Return whether the module can be a generator."""
        return cls.generate is not QueryModule.generate and not inspect.isabstract(cls)

    @classmethod
    def path(cls) -> str:
        return f"{PARENT}+{cls.name}"

    @classmethod
    def place(cls) -> str:
        return f"action={PARENT}&{cls.group}={cls.name}&"

    @property
    def page_set(self) -> PageSet:
        """The pages of the query."""
        return self.query.page_set

    def cache_mode(self) -> CacheMode:
        """Return the cache mode of answers with data of this module, by default public."""
        return CacheMode.PUBLIC

    def set_continue(self, value: Any, param: str = "continue") -> None:
        """Set the value with which the next request continues."""
        continuation = self.query.continuation
        if self.is_generator:
            continuation.set_next_batch(self.name, self.full(param), value)
        else:
            continuation.set(self.name, self.full(param), value)

    def hold_batch(self, value: Any, param: str = "continue") -> None:
        """Set the value with which a generator repeats this batch while prop modules continue."""
        self.query.continuation.set_same_batch(self.full(param), value)

    def rows(self, query: Select) -> list[tuple[Any, ...]]:
        """Run a query, after plugins may have changed it with the hook ``transform_query``."""
        hook = self.site.plugins.hook.transform_query
        if not hook.get_hookimpls():  # calling a hook takes as long as some queries
            return self.db.execute(query)
        changed = hook(module=self, query=query, context=self.context)
        return self.db.execute(next((other for other in changed if other is not None), query))

    def bounded(
        self,
        query: Select,
        walk: Select,
        columns: Sequence[Any],
        *,
        descending: bool = False,
        continue_value: Callable[[Sequence[Any]], str] = _joined,
        compared: Callable[[Sequence[Any]], Sequence[Any]] = tuple,
    ) -> Select:
        """Return a query with filters that, in miser mode, reads at most ``WINDOW`` rows.

        As in MediaWiki, an answer may then have fewer items than its limit, or none, and still be
        continued. Runs one query in miser mode.

        Args:
            query: the query, whose filters may exclude any number of rows.
            walk: the same query without filters, only with conditions for which there is an index.
            columns: the columns by which both are sorted, and which ``walk`` selects.
            descending: whether they are sorted in descending order.
            continue_value: returns the continuation value for values of the columns.
            compared: converts values of the columns to those to compare the columns with.
        """
        if not self.site.is_miser:
            return query
        ordered = bounds.ordered(walk, *columns, descending=descending)
        end = self.db.row(ordered.limit(1).offset(WINDOW))
        if end is None:
            return query
        self._window_end = continue_value(end)
        window = bounds.before(columns, compared(end), descending=descending)
        within: Select = bounds.with_first(window, query)
        return within

    @property
    def is_interrupted(self) -> bool:
        """Whether :meth:`bounded` has cut off a query."""
        return self._window_end is not None

    def continue_window(self) -> None:
        """Continue where :meth:`bounded` has cut off a query, if it has."""
        if self._window_end is not None:
            self.set_continue(self._window_end)

    @property
    def limit(self) -> int | None:
        """The maximum number of items in an answer; ``None`` for a module without ``limit``."""
        return self.p.get("limit")

    def within_limit(
        self, rows: Sequence[Row], continue_value: Callable[[Row], Any]
    ) -> Sequence[Row]:
        """Return the rows up to the limit, and continue with the next row.

        The query for ``rows`` must have read one more than the limit.
        """
        limit = self.limit
        if limit is None or len(rows) <= limit:
            self.continue_window()
            return rows
        self.set_continue(continue_value(rows[limit]))
        return rows[:limit]

    def _emit(
        self,
        add: Callable[[Sequence[Any]], int],
        items: Iterable[Any],
        rows: Sequence[Row],
        continue_value: Callable[[Row], Any],
    ) -> None:
        """Add items up to the limit, and continue with the first row that does not fit."""
        added = add(list(islice(items, self.limit)))
        if added < len(rows):
            self.set_continue(continue_value(rows[added]))
        else:
            self.continue_window()

    def continue_parts(self, count: int, param: str = "continue") -> list[str] | None:
        """Return the parts of a continuation value such as ``a|b|c``; ``None`` if it is absent.

        Raises:
            ApiError: ``badcontinue``, if it does not have ``count`` parts.
        """
        value = self.p[param]
        if value is None:
            return None
        parts = str(value).split("|")
        if len(parts) != count:
            raise bad_continue()
        return parts

    def continue_int(self, part: str) -> int:
        """Return the integer in a part of a continuation value.

        Raises:
            ApiError: ``badcontinue``, if it is not an integer.
        """
        digits = part.removeprefix("-")
        if (
            not (digits.isascii() and digits.isdigit())
            or len(digits) > 18
            or str(int(part)) != part
        ):
            raise bad_continue()
        return int(part)


class PropModule(QueryModule):
    """The base of modules that add data to pages of the page set."""

    group = "prop"

    def emit(
        self,
        items: Iterable[tuple[int, Any]],
        rows: Sequence[Row],
        continue_value: Callable[[Row], Any],
    ) -> None:
        """Append items to the module's lists of pages, and continue with the first one left out.

        Args:
            items: for each row, the id of its page and the item. Not more of them are consumed than
                the limit allows.
            rows: the rows, one more than the limit if there are more.
            continue_value: returns the continuation value for an answer that begins with a row.
        """
        self._emit(self._add_items, items, rows, continue_value)

    def emit_values(
        self,
        values: Iterable[tuple[int, Any]],
        rows: Sequence[Row],
        continue_value: Callable[[Row], Any],
    ) -> None:
        """Set the module's value of each page, given as (page id, value); otherwise like emit()."""
        self._emit(self._set_values, values, rows, continue_value)

    def _add_items(self, items: Sequence[tuple[int, Any]]) -> int:
        return self.result.append_by_page(("query", "pages"), self.name, items, self.element)

    def _set_values(self, values: Sequence[tuple[int, Any]]) -> int:
        for number, (page_id, value) in enumerate(values):
            if not self.add_page_value(page_id, self.name, value):
                return number
        return len(values)

    def add_page_value(self, page_id: int, name: str, value: Any) -> bool:
        """Set a value of a page; return False if the answer is full."""
        return self.result.add(("query", "pages", page_id), name, value)


class ListModule(QueryModule):
    """The base of modules that list pages or other things, independently of the page set."""

    group = "list"

    @property
    def list_path(self) -> tuple[str, ...]:
        """The path of the module's list in the answer."""
        return ("query", self.name)

    def emit(
        self,
        items: Iterable[Any],
        rows: Sequence[Row],
        continue_value: Callable[[Row], Any],
    ) -> None:
        """Append items to the module's list, and continue with the first that is left out.

        Args:
            items: an item for each row. Not more of them are consumed than the limit allows.
            rows: the rows, one more than the limit if there are more.
            continue_value: returns the continuation value for an answer that begins with a row.
        """
        self._emit(self._add_items, items, rows, continue_value)

    def _add_items(self, items: Sequence[Any]) -> int:
        return self.result.append_all(self.list_path, items, self.element)


class MetaModule(QueryModule):
    """The base of modules about the wiki or the user."""

    group = "meta"
