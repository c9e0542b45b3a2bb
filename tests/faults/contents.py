"""What a store on a server holds, to be compared with another."""

from __future__ import annotations

from contextlib import closing
from typing import Any

from wikiapi.store.database import Database
from wikiapi.store.fields import Payload
from wikiapi.store.models import ALL_MODELS, UpdateLog
from wikiapi.store.sql.nodes import RawBytes


def contents(url: str) -> dict[str, list[Any]]:
    """Return the rows of every table, but for numbers that a server gives and never takes back."""
    with closing(Database(url)) as db:
        return {model._meta.table_name: _rows(db, model) for model in ALL_MODELS}


def _rows(db: Database, model: Any) -> list[Any]:
    numbered = model._meta.auto_increment and model is not UpdateLog
    fields = [
        RawBytes(field) if isinstance(field, Payload) else field
        for field in model._meta.sorted_fields
        if not (numbered and field.primary_key)
    ]
    return sorted(db.execute(model.select(*fields)), key=repr)
