"""The interwiki map in the database."""

from __future__ import annotations

from typing import NamedTuple

from wikiapi.store.database import Database
from wikiapi.store.models import Interwiki


class InterwikiRow(NamedTuple):
    """A prefix and its wiki; ``$1`` in ``url`` stands for the page. Flags are 0 or 1."""

    prefix: str
    url: str
    api: str
    wiki_id: str
    local: int
    trans: int


def all_rows(db: Database) -> list[InterwikiRow]:
    """Return the whole map, sorted by prefix. One query; call it once, at start-up.

    Texts are always ``str``, even if the column of a foreign database has NULL or a number.
    """
    table = Interwiki
    columns = (
        table.iw_prefix,
        table.iw_url,
        table.iw_api,
        table.iw_wikiid,
        table.iw_local,
        table.iw_trans,
    )
    rows = db.execute(table.select(*columns).order_by(table.iw_prefix))
    return [
        InterwikiRow(_text(prefix), _text(url), _text(api), _text(wiki_id), local, trans)
        for prefix, url, api, wiki_id, local, trans in rows
    ]


def _text(value: object) -> str:
    return "" if value is None else str(value)
