"""The cost of every list, filter, query page and search on a wiki of a million pages.

Run it by ``python -m bench millions``. The requests are in ``millions.txt``, and the wiki is
generated once, in ``.state``. For each request, the CPU time and the steps of SQLite's virtual
machine are measured; the steps do not depend on the load of the computer.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode
from wsgiref.types import WSGIApplication

import apsw

from bench import growth_store as store
from bench.inprocess import PATH, Response, query_of, respond
from bench.report import Figure, publish
from wikiapi.api.query.reports import query_pages, update_caches
from wikiapi.config import Config
from wikiapi.factory import open_site
from wikiapi.http.app import make_app
from wikiapi.site import Site
from wikiapi_plugins.web.reader.views.reports import REPORTS

PAGES = 1_000_000
MAX_SECONDS = 1.0
_SHOWN = 40
"""How many of the slowest requests are printed."""
_REQUESTS = Path(__file__).with_name("millions.txt")
_STATE = Path(".state")
_REPEATED = re.compile(r"\{(\d+) ([^}]*)\}")


@dataclass(frozen=True)
class Request:
    """A line of ``millions.txt``: a path of the reader, or a query of the API.

    In it, ``{50 word}`` stands for a word repeated 50 times.
    """

    line: str

    @property
    def path(self) -> str:
        """The path to which it is sent."""
        return self.line.partition("?")[0] if self.line.startswith("/") else PATH

    @property
    def query(self) -> str:
        """The query string."""
        text = _REPEATED.sub(lambda match: " ".join([match[2]] * int(match[1])), self.line)
        if text.startswith("/"):
            return urlencode(parse_qsl(text.partition("?")[2]))
        return query_of({"action": "query", **dict(parse_qsl(text, keep_blank_values=True))})


@dataclass
class Work:
    """The work of SQLite for a request, in steps of its virtual machine.

    ``scanned`` is how many of the steps went to the next row in a full scan of a table.
    """

    steps: int = 0
    scanned: int = 0


@dataclass(frozen=True)
class Measured:
    """A request with its answer and its work."""

    request: Request
    response: Response
    work: Work


def run(pages: int = PAGES) -> bool:
    """Measure; return whether every request takes less than a second of CPU time."""
    site = open_site(configured(_stored(pages)))
    with closing(site.db):
        _make_lists(site.config)
        app = make_app(site)
        measurements = [measure(site, app, request) for request in requests(site)]
    _print_errors(measurements)
    measurements.sort(key=lambda one: -one.work.steps)
    publish("millions-steps", [_steps(one) for one in measurements[:_SHOWN]])
    measurements.sort(key=lambda one: -one.response.processor_seconds)
    return publish("millions", [_seconds(one) for one in measurements[:_SHOWN]])


def _stored(pages: int) -> str:
    """Return the URL of a wiki with this number of pages, generated unless it exists."""
    text = Path(store.__file__).read_bytes()
    file = _STATE / f"pages-{pages}-{sha256(text).hexdigest()[:8]}.sqlite"
    if file.is_file():
        return f"sqlite:///{file.absolute()}"
    _STATE.mkdir(exist_ok=True)
    for old in _STATE.glob(f"pages-{pages}-*"):
        old.unlink()
    unfinished = file.with_suffix(".unfinished")
    unfinished.unlink(missing_ok=True)
    store.make(unfinished, pages)
    unfinished.rename(file)
    return f"sqlite:///{file.absolute()}"


def _make_lists(config: Config) -> None:
    """Update the query cache where it is out of date, and print how long that takes."""
    writable = replace(config, database=replace(config.database, read_only=False))
    site = open_site(writable)
    with closing(site.db):
        start = time.perf_counter()
        update_caches(site)
        print(f"  lists of special pages: {time.perf_counter() - start:.1f} s")


def configured(url: str) -> Config:
    """Return the configuration of a wiki without a cache, whose visitors may see everything."""
    plain = Config()
    rights = (*plain.permissions.anonymous_rights, "deletedhistory", "deletedtext", "patrol")
    return replace(
        plain,
        permissions=replace(plain.permissions, anonymous_rights=rights),
        http=replace(plain.http, debug_info="off"),
        cache=replace(plain.cache, url=""),
        database=replace(plain.database, url=url, read_only=True),
    )


def requests(site: Site) -> Iterator[Request]:
    """Yield the requests, with each special page in place of ``{page}`` and ``{report}``."""
    pages = [page.name for page in query_pages(site).values() if page.right is None]
    for line in _REQUESTS.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        if "{page}" in line:
            yield from (Request(line.replace("{page}", page)) for page in pages)
        elif "{report}" in line:
            yield from (Request(line.replace("{report}", page)) for page in REPORTS)
        else:
            yield Request(line)


def measure(site: Site, app: WSGIApplication, request: Request) -> Measured:
    """Send a request and return what it cost."""
    with _working(site) as work:
        response = respond(app, request.query, request.path)
    return Measured(request, response, work)


@contextmanager
def _working(site: Site) -> Iterator[Work]:
    """Count the work that SQLite does for this thread inside the block."""
    work = Work()

    def note(event: dict[str, Any]) -> None:
        # The counters of statements that a full-text index runs internally are never reset.
        if "searchindex_" in event["sql"]:
            return
        status = event["stmt_status"]
        work.steps += status["SQLITE_STMTSTATUS_VM_STEP"]
        work.scanned += status["SQLITE_STMTSTATUS_FULLSCAN_STEP"]

    connection = site.db._connection()
    connection.trace_v2(apsw.SQLITE_TRACE_PROFILE, note)
    try:
        yield work
    finally:
        connection.trace_v2(0, None)


def _print_errors(measurements: Sequence[Measured]) -> None:
    for one in measurements:
        if one.response.is_error:
            code = one.response.headers.get("MediaWiki-API-Error", one.response.status)
            print(f"  {one.request.line}: {code}")


def _steps(one: Measured) -> Figure:
    return Figure(one.request.line, one.work.steps / 1000, "k")


def _seconds(one: Measured) -> Figure:
    seconds = one.response.processor_seconds
    return Figure(one.request.line, seconds, "s", None, MAX_SECONDS, "value")
