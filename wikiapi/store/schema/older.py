"""The tables and columns of older versions of MediaWiki that replace current ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from peewee import Model

from wikiapi.store.engines.dialect import Dialect
from wikiapi.store.fields import SortKey
from wikiapi.store.models import ALL_MODELS
from wikiapi.store.schema.catalog import Catalog, Columns
from wikiapi.store.schema.compiling import CURRENT, Schema, TargetTitles
from wikiapi.store.schema.ddl import literal

_TARGET_TITLES = {
    "tl_target_id": TargetTitles("templatelinks", "tl_namespace", "tl_title"),
    "pl_target_id": TargetTitles("pagelinks", "pl_namespace", "pl_title"),
    "cl_target_id": TargetTitles("categorylinks", "(14 + 0)", "cl_to"),
}
"""Link tables had the titles of targets until 1.38 (templates), 1.42 (pages), 1.44 (categories)."""


PREFIX = "{prefix}"
"""Stands for the prefix of tables in expressions that name one."""


@dataclass(frozen=True)
class _OlderTable:
    """Columns of a current table that are computed from older ones.

    The older form is recognised by the table and column in ``when``. ``source`` is the table to
    read if the current one is missing. The expressions of the columns are ``sql``, or the result of
    ``by_dialect``.
    """

    source: str
    when: tuple[str, str]
    sql: dict[str, str] = field(default_factory=dict)
    by_dialect: Callable[[Dialect], dict[str, str]] | None = None

    def applies(self, there: dict[str, Columns]) -> bool:
        """Return whether a database with these columns has the older form."""
        table, column = self.when
        return column in there.get(table, {})

    def columns(self, dialect: Dialect, there: dict[str, Columns]) -> dict[str, str]:
        """Return the SQL that selects each column, by its name."""
        expressions = self.by_dialect(dialect) if self.by_dialect else self.sql
        types = there[self.when[0]]
        return {
            name: f"{dialect.digits_of(sql, types.get(sql, ''))} AS {name}"
            for name, sql in expressions.items()
        }


def _external_links(dialect: Dialect) -> dict[str, str]:
    """Return expressions for the two parts of ``el_index`` (``https://org.example.www./path``)."""
    mark = dialect.find_text.format("el_index", "://")
    slash = dialect.find_text.format(f"substr(el_index, {mark} + 3)", "/")
    cut = (
        f"CASE WHEN {mark} > 0 AND {slash} > 0 THEN {mark} + 1 + {slash} ELSE length(el_index) END"
    )
    return {
        "el_to_domain_index": f"substr(el_index, 1, {cut})",
        "el_to_path": f"substr(el_index, {cut} + 1)",
    }


_BLOCK_COLUMNS = (
    "timestamp",
    "anon_only",
    "create_account",
    "enable_autoblock",
    "expiry",
    "deleted",
    "block_email",
    "allow_usertalk",
    "parent_block_id",
    "sitewide",
    "by_actor",
    "reason_id",
)

_NAMED = "COALESCE(ipb_user, 0) <> 0"

_OLDER_TABLES = {
    # Until 1.41; in 1.39 and 1.40 both may exist, with the newer columns still empty.
    "externallinks": _OlderTable(
        "externallinks", ("externallinks", "el_index"), by_dialect=_external_links
    ),
    # Until 1.39 the summary of a revision could be in an additional table.
    "revision": _OlderTable(
        "revision",
        ("revision_comment_temp", "revcomment_comment_id"),
        {
            "rev_comment_id": (
                "COALESCE(NULLIF(rev_comment_id, 0), (SELECT MIN(revcomment_comment_id)"
                " FROM {prefix}revision_comment_temp WHERE revcomment_rev = rev_id), 0)"
            )
        },
    ),
    # Until 1.41 a block and its target were one row.
    "block": _OlderTable(
        "ipblocks",
        ("ipblocks", "ipb_id"),
        {
            "bl_id": "ipb_id",
            "bl_target": "ipb_id",
            **{f"bl_{name}": f"ipb_{name}" for name in _BLOCK_COLUMNS},
        },
    ),
    "block_target": _OlderTable(
        "ipblocks",
        ("ipblocks", "ipb_id"),
        {
            "bt_id": "ipb_id",
            "bt_address": f"CASE WHEN {_NAMED} THEN NULL ELSE ipb_address END",
            "bt_user": "NULLIF(ipb_user, 0)",
            "bt_user_text": f"CASE WHEN {_NAMED} THEN ipb_address ELSE NULL END",
            "bt_auto": "ipb_auto",
            "bt_range_start": "NULLIF(ipb_range_start, ipb_range_end)",
            "bt_range_end": "NULLIF(ipb_range_end, ipb_range_start)",
            "bt_ip_hex": f"CASE WHEN {_NAMED} THEN NULL ELSE ipb_range_start END",
            "bt_count": "1",
        },
    ),
}
"""The older forms by the name of the current table."""


def detect(dialect: Dialect, catalog: Catalog) -> Schema:
    """Return the schema of a database that MediaWiki created.

    It may be older than CURRENT, and its tables may have a prefix.
    """
    there = catalog.all_columns()
    if "page" not in there:
        return CURRENT
    target_titles = {
        column: titles
        for column, titles in _TARGET_TITLES.items()
        if titles.title in there.get(titles.table, {}) and column not in there[titles.table]
    }
    sorts_bytewise = catalog.sorts_bytewise()
    substitutes = {}
    for model in ALL_MODELS:
        query = _substitute(
            dialect, model, there, prefix=catalog.stored_name(""), sorts_bytewise=sorts_bytewise
        )
        if query:
            substitutes[model._meta.table_name] = query.replace(PREFIX, catalog.stored_name(""))
    keeps_type_of_nulls = dialect.mediawiki_keeps_type_of_nulls and not catalog.is_own()
    schema = Schema(substitutes, target_titles, keeps_type_of_nulls)
    return CURRENT if schema == CURRENT else schema


def _substitute(
    dialect: Dialect,
    model: type[Model],
    there: dict[str, Columns],
    *,
    prefix: str,
    sorts_bytewise: bool,
) -> str:
    """Return the query that replaces a table, empty if it has its current form and no prefix."""
    meta: Any = model._meta
    own = there.get(meta.table_name)
    older = _OLDER_TABLES.get(meta.table_name)
    replaces = older is not None and (own is None or older.source == meta.table_name)
    sources = older.columns(dialect, there) if older and replaces and older.applies(there) else {}
    if own is None and not sources:
        nulls = [
            f"{dialect.null_of(field)} AS {dialect.quoted(field.column_name)}"
            for field in meta.sorted_fields
        ]
        return f"SELECT {', '.join(nulls)}{dialect.from_nothing} WHERE 1 = 0"
    columns = {
        field.column_name: sources.get(field.column_name)
        or _selected(field, own or {}, dialect, sorts_bytewise=sorts_bytewise)
        for field in meta.sorted_fields
        if field.column_name not in _TARGET_TITLES or field.column_name in (own or {})
    }
    is_current = all(sql == dialect.quoted(name) for name, sql in columns.items())
    if not sources and is_current and not prefix:
        return ""
    others = [dialect.quoted(name) for name in (own or {}) if name not in columns]
    source = older.source if older and sources and own is None else meta.table_name
    return (
        f"SELECT {', '.join([*columns.values(), *others])} FROM {dialect.quoted(prefix + source)}"  # noqa: S608
    )


def _selected(field: Any, own: Columns, dialect: Dialect, *, sorts_bytewise: bool) -> str:
    """Return the SQL that selects a column, converted if necessary; a default if it is missing."""
    name = dialect.quoted(field.column_name)
    kind = own.get(field.column_name)
    if kind is None:
        return f"{_missing(field, dialect)} AS {name}"
    value = dialect.digits_of(name, kind)
    if isinstance(field, SortKey):
        value = dialect.sort_key_of(name, kind)
    elif value == name and not sorts_bytewise:
        value = dialect.sorted_bytewise(name, kind)
    return name if value == name else f"{value} AS {name}"


def _missing(field: Any, dialect: Dialect) -> str:
    """Return the SQL for the value of a missing column, which is its default."""
    default = field.sql_default if field.has_default else None
    return dialect.null_of(field) if default is None else literal(default)
