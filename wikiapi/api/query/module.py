"""The bases of query modules: about pages (prop), lists (list), the wiki itself (meta)."""

from __future__ import annotations

import inspect
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from peewee import Select

from wikiapi.api.context import CacheMode, RequestContext
from wikiapi.api.module import Module
from wikiapi.api.query.continuation import bad_continue
from wikiapi.api.query.pageset import GeneratedPages, PageSet
from wikiapi.store.sql import bounds

if TYPE_CHECKING:
    from wikiapi.api.query.run import QueryRun

Row = TypeVar("Row")

WINDOW = 50_000
"""Rows that a walk with filters reads for a request in miser mode."""

GENERATOR_PREFIX = "g"
PARENT = "query"


def _joined(values: Sequence[Any]) -> str:
    return "|".join(map(str, values))


class QueryModule(Module):
    """A module of ``action=query``, made for one request.

    A module that can also be a generator implements :meth:`generate`; its parameters then come
    with a ``g`` in front.
    """

    group: ClassVar[str] = "list"
    element: ClassVar[str] = "v"
    """XML element of an item of the module's result."""
    walks_exactly: ClassVar[bool] = True
    """Whether a walk gives each item once; not so at random, or where MediaWiki's repeats some."""

    def __init__(
        self, context: RequestContext, query: QueryRun, *, is_generator: bool = False
    ) -> None:
        """Bind the module to a request's query."""
        prefix = GENERATOR_PREFIX + self.prefix if is_generator else self.prefix
        super().__init__(context, prefix=prefix)
        self.query = query
        self.is_generator = is_generator
        self._window_end: str | None = None

    @abstractmethod
    def execute(self) -> None:
        """Put the module's data into the result.

        Raises:
            ApiError: a parameter cannot be used.
        """

    def generate(self, pages: GeneratedPages) -> None:
        """Find pages for the page set; only for modules that can be generators."""
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
        """The pages the query is about."""
        return self.query.page_set

    def cache_mode(self) -> CacheMode:
        """Return who may share the answer: everybody, unless a module overrides it."""
        return CacheMode.PUBLIC

    def set_continue(self, value: Any, param: str = "continue") -> None:
        """Set the value with which the next answer continues."""
        self.query.set_continue(self, param, value)

    def rows(self, query: Select) -> list[tuple[Any, ...]]:
        """Run a query of the module's own, as plugins have changed it (``transform_query``)."""
        hook = self.site.plugins.hook.transform_query
        if not hook.get_hookimpls():  # a call that reaches nobody takes as long as some queries
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
        """Return a query with filters, which in miser mode ends after ``WINDOW`` rows of its walk.

        An answer may then have fewer items than its limit, or none, and is continued all the same,
        as MediaWiki's are in this mode. Up to two queries.

        Args:
            query: the query. Its filters may leave out any number of rows.
            walk: the same walk without filters, with only the conditions that an index serves.
            columns: those that both go along; ``walk`` selects them.
            descending: whether they go backwards.
            continue_value: makes a continuation value of values of the columns.
            compared: makes of them what the columns are compared with.
        """
        if not self.site.is_miser:
            return query
        ordered = bounds.ordered(walk, *columns, descending=descending)
        end = self.db.row(ordered.limit(1).offset(WINDOW))
        if end is None:
            return query
        self._window_end = continue_value(end)
        return query.where(bounds.before(columns, compared(end), descending=descending))

    @property
    def is_interrupted(self) -> bool:
        """Whether :meth:`bounded` has ended a query before its end."""
        return self._window_end is not None

    def continue_window(self) -> None:
        """Continue where :meth:`bounded` has ended a query, if it has."""
        if self._window_end is not None:
            self.set_continue(self._window_end)

    @property
    def limit(self) -> int | None:
        """How many items an answer may have; ``None`` for a module without ``limit``."""
        return self.p.get("limit")

    def within_limit(
        self, rows: Sequence[Row], continue_value: Callable[[Row], Any]
    ) -> Sequence[Row]:
        """Return the rows up to the limit, and continue with the first of the others.

        ``rows`` are one more than the limit if there are as many.
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
        """Add items up to the limit, and continue with the first row whose item is left out."""
        added = add(list(islice(items, self.limit)))
        if added < len(rows):
            self.set_continue(continue_value(rows[added]))
        else:
            self.continue_window()

    def continue_parts(self, count: int, param: str = "continue") -> list[str] | None:
        """Return the parts of a continuation value ``a|b|c``, ``None`` when there is none.

        Raises:
            ApiError: ``badcontinue``, when it has not so many parts.
        """
        value = self.p[param]
        if value is None:
            return None
        parts = str(value).split("|")
        if len(parts) != count:
            raise bad_continue()
        return parts

    def continue_int(self, part: str) -> int:
        """Return a whole number within a continuation value.

        Raises:
            ApiError: ``badcontinue``.
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
        """Append items to the module's lists of pages, and continue with what is left out.

        Args:
            items: for each row the id of its page and the item. No more of them are made than the
                limit allows.
            rows: one more than the limit, if there are as many.
            continue_value: returns the continuation value of an answer that begins with a row.
        """
        self._emit(self._add_items, items, rows, continue_value)

    def emit_values(
        self,
        values: Iterable[tuple[int, Any]],
        rows: Sequence[Row],
        continue_value: Callable[[Row], Any],
    ) -> None:
        """Set the module's value of each page, given with the page's id; else like :meth:`emit`."""
        self._emit(self._set_values, values, rows, continue_value)

    def _add_items(self, items: Sequence[tuple[int, Any]]) -> int:
        return self.result.append_by_page(("query", "pages"), self.name, items, self.element)

    def _set_values(self, values: Sequence[tuple[int, Any]]) -> int:
        for number, (page_id, value) in enumerate(values):
            if not self.add_page_value(page_id, self.name, value):
                return number
        return len(values)

    def add_page_value(self, page_id: int, name: str, value: Any) -> bool:
        """Set a value of a page; ``False`` when the answer is full."""
        return self.result.add(("query", "pages", page_id), name, value)


class ListModule(QueryModule):
    """The base of modules that list pages or other things, apart from the page set."""

    group = "list"

    @property
    def list_path(self) -> tuple[str, ...]:
        """Where in the answer the module's list is."""
        return ("query", self.name)

    def emit(
        self,
        items: Iterable[Any],
        rows: Sequence[Row],
        continue_value: Callable[[Row], Any],
    ) -> None:
        """Append items to the module's list, and continue with what is left out.

        Args:
            items: an item for each row. No more of them are made than the limit allows.
            rows: one more than the limit, if there are as many.
            continue_value: returns the continuation value of an answer that begins with a row.
        """
        self._emit(self._add_items, items, rows, continue_value)

    def _add_items(self, items: Sequence[Any]) -> int:
        return self.result.append_all(self.list_path, items, self.element)


class MetaModule(QueryModule):
    """The base of modules about the wiki or the user."""

    group = "meta"
