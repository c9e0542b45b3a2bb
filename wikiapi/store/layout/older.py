"""What older versions of MediaWiki had in place of tables and columns of today."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from wikiapi.store.engines.dialect import Dialect
from wikiapi.store.layout.rewriting import Titled

TITLED = {
    "tl_target_id": Titled("templatelinks", "tl_namespace", "tl_title"),
    "pl_target_id": Titled("pagelinks", "pl_namespace", "pl_title"),
    "cl_target_id": Titled("categorylinks", "(14 + 0)", "cl_to"),
}
"""Links named their targets until 1.38 (templates), 1.42 (pages) and 1.44 (categories)."""


@dataclass(frozen=True)
class Derived:
    """Columns of a table that are computed from what was there before.

    ``when`` is the table and column that give it away, ``without`` a column that may not be there.
    ``source`` is read where the table itself is missing.
    """

    source: str
    when: tuple[str, str]
    sql: dict[str, str] = field(default_factory=dict)
    by_dialect: Callable[[Dialect], dict[str, str]] | None = None

    def applies(self, there: dict[str, dict[str, str]]) -> bool:
        """Whether a database with these columns has the older form."""
        table, column = self.when
        return column in there.get(table, {})

    def columns(self, dialect: Dialect, there: dict[str, dict[str, str]]) -> dict[str, str]:
        """The SQL of the columns, each with its name."""
        found = self.by_dialect(dialect) if self.by_dialect else self.sql
        types = there[self.when[0]]
        return {
            name: f"{dialect.digits_of(sql, types.get(sql, ''))} AS {name}"
            for name, sql in found.items()
        }


def _external_links(dialect: Dialect) -> dict[str, str]:
    """Parts of ``el_index``, which held ``https://org.example.www./path`` as a whole."""
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

DERIVED = {
    # Until 1.41; in 1.39 and 1.40 both may be there, the newer columns not yet filled.
    "externallinks": Derived(
        "externallinks", ("externallinks", "el_index"), by_dialect=_external_links
    ),
    # Until 1.39 the summary of a revision could stand in a table between.
    "revision": Derived(
        "revision",
        ("revision_comment_temp", "revcomment_comment_id"),
        {
            "rev_comment_id": (
                "COALESCE(NULLIF(rev_comment_id, 0), (SELECT MIN(revcomment_comment_id)"
                " FROM revision_comment_temp WHERE revcomment_rev = rev_id), 0)"
            )
        },
    ),
    # Until 1.41 a block and its target were one row.
    "block": Derived(
        "ipblocks",
        ("ipblocks", "ipb_id"),
        {
            "bl_id": "ipb_id",
            "bl_target": "ipb_id",
            **{f"bl_{name}": f"ipb_{name}" for name in _BLOCK_COLUMNS},
        },
    ),
    "block_target": Derived(
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
"""By the name of the table today."""
