"""Latency over keep-alive connections, compared with a minimal Werkzeug application.

Both are served by the same waitress, in a separate process. The requests take turns, so that other
work on the machine affects all of them alike.
"""

from __future__ import annotations

import gc
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from urllib.parse import urlencode

from bench.client import Connection
from bench.report import Figure, publish

WARM_UP = 200
ROUNDS = 3000


@dataclass(frozen=True)
class Request:
    """A request to measure.

    ``max_ratio`` limits the ratio of its median to that of the bare application. ``expected`` is a
    key that the JSON answer must have; if it is empty, the answer is not checked.
    """

    name: str
    path: str
    max_ratio: float | None
    expected: str

    @classmethod
    def api(cls, name: str, max_ratio: float | None, expected: str, **params: str) -> Request:
        """Return a request to the API, with JSON as its format."""
        return cls(
            name, f"/w/api.php?{urlencode({**params, 'format': 'json'})}", max_ratio, expected
        )


REQUESTS = (
    Request("bare Werkzeug", "/?action=checktoken&type=csrf&token=x", None, "checktoken"),
    Request.api("checktoken", 2, "checktoken", action="checktoken", type="csrf", token="x"),
    Request.api(
        "prop=info of two titles",
        5,
        "query",
        action="query",
        prop="info",
        titles="Main Page|Help:Contents",
    ),
    Request.api(
        "prop=links of a page",
        5,
        "query",
        action="query",
        prop="links",
        titles="Main Page",
    ),
    Request.api(
        "generator=alltransclusions", None, "query", action="query", generator="alltransclusions"
    ),
    Request.api(
        "parse of a short text",
        None,
        "parse",
        action="parse",
        title="Tea",
        text="'''{{PAGENAME}}''' {{Greeting}}",
    ),
)


def run() -> bool:
    """Measure; return whether the targets are met."""
    with tempfile.TemporaryDirectory() as state, serving(state) as port:
        samples = measure(port, REQUESTS, ROUNDS, WARM_UP)
    bare = statistics.median(samples[REQUESTS[0].name])
    return publish("http", [_figure(request, samples[request.name], bare) for request in REQUESTS])


def measure(
    port: int, requests: Sequence[Request], rounds: int, warm_up: int = 3
) -> dict[str, list[float]]:
    """Return the seconds that each request took; the requests take turns on one connection."""
    samples: dict[str, list[float]] = {request.name: [] for request in requests}
    with closing(Connection(port, requests[0].path)) as connection:
        for request in requests:
            connection.set_target(request.path)
            _check(request, connection)
        gc.disable()
        for number in range(warm_up + rounds):
            for request in requests:
                connection.set_target(request.path)
                seconds = connection.measure()
                if number >= warm_up:
                    samples[request.name].append(seconds)
        gc.enable()
    return samples


def _check(request: Request, connection: Connection) -> None:
    body = connection.body()
    if not request.expected:
        return
    answer = json.loads(body)
    if request.expected not in answer:
        raise RuntimeError(f"{request.name}: unexpected answer {answer}")
    if "debuginfo" in answer:
        raise RuntimeError("debuginfo must be off")


def _figure(request: Request, seconds: list[float], bare: float) -> Figure:
    median = statistics.median(seconds)
    return Figure(request.name, median * 1000, "ms", median / bare, request.max_ratio)


@contextmanager
def serving(state: str, wiki: str = "demo") -> Iterator[int]:
    """Serve a wiki and the bare application from another process; yield the port."""
    command = [sys.executable, "-m", "bench.http_server", state, wiki]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("the server has no pipes")
        try:
            # The import of the demo wiki may print something first; the port comes last.
            yield int(_last_number(process.stdout))
        finally:
            process.stdin.close()


def _last_number(lines: Iterator[str]) -> str:
    for line in lines:
        if line.strip().isdigit():
            return line
    raise RuntimeError("the server did not start")
