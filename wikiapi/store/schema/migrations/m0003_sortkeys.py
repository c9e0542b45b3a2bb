"""Makes the sort keys of categories bytes on PostgreSQL, since few collations make texts.

On the other databases they always were bytes.
"""

from __future__ import annotations

from wikiapi.store.database import Database
from wikiapi.store.models import CategoryLinks


def apply(db: Database) -> None:
    """Change the type of the column where it is another."""
    table, column = CategoryLinks._meta.table_name, CategoryLinks.cl_sortkey.column_name
    for statement in db.dialect.convert_sort_keys(table, column, db.catalog.columns(table)[column]):
        db.execute_sql(statement)
