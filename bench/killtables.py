"""Table dumps of the generated wiki, in the form in which Wikimedia publishes them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from bench.killpages import GROUPS

_ROWS_PER_STATEMENT = 500
_GROUP = 10_000
"""The id of the first category in ``linktarget``."""
_PAGE = (
    "page_id page_namespace page_title page_is_redirect page_is_new page_random page_touched"
    " page_links_updated page_latest page_len page_content_model page_lang"
)
_CATEGORY = "cl_from cl_sortkey cl_timestamp cl_sortkey_prefix cl_type cl_collation_id cl_target_id"
_TIMES = "'20260101000000','20260101000001'"
_WHEN = "'2026-02-03 04:05:06'"


def write_tables(folder: Path, pages: int) -> list[Path]:
    """Write dumps of some tables, for this number of pages; return the files."""
    numbers = range(1, pages + 1)
    targets = [f"({n},0,'Page_{n}')" for n in numbers]
    targets += [f"({_GROUP + n},14,'Group_{n}')" for n in range(GROUPS)]
    rows = {
        "page": (
            _PAGE,
            (f"({n},0,'Page_{n}',0,0,0.5,{_TIMES},{n},10,'wikitext',NULL)" for n in numbers),
        ),
        "linktarget": ("lt_id lt_namespace lt_title", targets),
        "pagelinks": (
            "pl_from pl_from_namespace pl_target_id",
            (f"({n},0,{1 + n * k % pages})" for n in numbers for k in (3, 5)),
        ),
        # In the older layout, whose targets are created on loading.
        "templatelinks": (
            "tl_from tl_namespace tl_title tl_from_namespace",
            (f"({n},10,'Box_{n % 40}',0)" for n in numbers),
        ),
        "categorylinks": (
            _CATEGORY,
            (f"({n},'X',{_WHEN},'{n}','page',7,{_GROUP + n % GROUPS})" for n in numbers),
        ),
    }
    return [_write_table(folder / f"{name}.sql", name, *table) for name, table in rows.items()]


def _write_table(path: Path, name: str, columns: str, rows: Iterable[str]) -> Path:
    created = ",\n".join(f"  `{column}` int(8) NOT NULL" for column in columns.split())
    listed = list(rows)
    with path.open("w", encoding="utf-8") as file:
        file.write(f"CREATE TABLE `{name}` (\n{created}\n);\n")
        for start in range(0, len(listed), _ROWS_PER_STATEMENT):
            part = ",".join(listed[start : start + _ROWS_PER_STATEMENT])
            file.write(f"INSERT INTO `{name}` VALUES\n{part};\n")
    return path
