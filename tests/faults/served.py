"""A wiki in a file, asked by threads of its own, and what its clients see."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from wikiapi.config import parse_config
from wikiapi.factory import open_site
from wikiapi.http.app import make_app
from wikiapi.site import Site
from wikiapi.testing import ApiClient, make_site

T = TypeVar("T")

PAGES = {
    "Main Page": "Hello [[World]]",
    "World": "A world. {{Box}}",
    "Template:Box": "in a box",
    "Long": "word " * 20_000,
}
PREFIX = "internal_api_error_"


def make_store(path: Path, pages: dict[str, str] | None = None) -> None:
    """Put a wiki into a file, all of it: nothing is left beside the file."""
    site = make_site(pages or PAGES, path=path)
    site.db.execute_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    site.db.close()


@contextmanager
def opened(url: str, plugins: Iterable[object] = (), **tables: Any) -> Iterator[Site]:
    """Yield the site of a store that is there; ``tables`` are those of the configuration."""
    database = {"url": url, **tables.pop("database", {})}
    site = open_site(parse_config({"database": database, **tables}), plugins=plugins)
    try:
        yield site
    finally:
        site.db.close()


def client_of(site: Site) -> ApiClient:
    return ApiClient(make_app(site))


def in_thread(work: Callable[[], T]) -> T:
    """Return the result of a function in a thread that has no connection yet."""
    results: list[T] = []
    thread = threading.Thread(target=lambda: results.append(work()))
    thread.start()
    thread.join()
    return results[0]


def title_of(client: ApiClient, page: str = "World") -> str:
    """Query the database: return the title of a page id, or the code of the error."""
    return outcome(client, action="query", prop="info", titles=page)


def outcome(client: ApiClient, **params: Any) -> str:
    """Return ``ok``, ``missing`` or the code of the error, which must be one of the API."""
    reply = client.reply("GET", **params)
    assert reply.status == 200
    code = reply.headers.get("mediawiki-api-error", "")
    if code:
        assert b'"error"' in reply.body
        assert b"Traceback" not in reply.body
        assert b"sqlite" not in reply.body.lower()
        return code.removeprefix(PREFIX)
    return "missing" if b'"missing":true' in reply.body else "ok"


def healthy(client: ApiClient) -> bool:
    """Return the answer of the health check."""
    return client.raw("GET", path="/healthz").status == 200
