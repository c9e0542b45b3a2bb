"""Latency over keep-alive connections, against a minimal Werkzeug application on the same waitress.

The server is a process of its own. The requests take turns, so that whatever else the machine does
meets all of them alike.
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
class Target:
    """A request that is measured.

    ``within`` bounds its median, in medians of the bare one. ``expected`` is a member of its
    answer in JSON; empty where the answer has been looked at before, and need not be JSON.
    """

    name: str
    path: str
    within: float | None
    expected: str

    @classmethod
    def api(cls, name: str, within: float | None, expected: str, **params: str) -> Target:
        """Return a request to the API, with JSON as its format."""
        return cls(name, f"/w/api.php?{urlencode({**params, 'format': 'json'})}", within, expected)


TARGETS = (
    Target("bare Werkzeug", "/?action=checktoken&type=csrf&token=x", None, "checktoken"),
    Target.api("checktoken", 2, "checktoken", action="checktoken", type="csrf", token="x"),
    Target.api(
        "prop=info of two titles",
        5,
        "query",
        action="query",
        prop="info",
        titles="Main Page|Help:Contents",
    ),
    Target.api(
        "prop=links of a page",
        5,
        "query",
        action="query",
        prop="links",
        titles="Main Page",
    ),
    Target.api(
        "generator=alltransclusions", None, "query", action="query", generator="alltransclusions"
    ),
    Target.api(
        "parse of a short text",
        None,
        "parse",
        action="parse",
        title="Tea",
        text="'''{{PAGENAME}}''' {{Greeting}}",
    ),
)


def run() -> bool:
    """Measure; says whether the targets are met."""
    with tempfile.TemporaryDirectory() as state, serving(state) as port:
        samples = measure(port, TARGETS, ROUNDS, WARM_UP)
    bare = statistics.median(samples[TARGETS[0].name])
    return publish("http", [_figure(target, samples[target.name], bare) for target in TARGETS])


def measure(
    port: int, targets: Sequence[Target], rounds: int, warm_up: int = 3
) -> dict[str, list[float]]:
    """Seconds of each request, by target; the requests take turns on one connection."""
    samples: dict[str, list[float]] = {target.name: [] for target in targets}
    with closing(Connection(port, targets[0].path)) as connection:
        for target in targets:
            connection.aim(target.path)
            _check(target, connection)
        gc.disable()
        for number in range(warm_up + rounds):
            for target in targets:
                connection.aim(target.path)
                seconds = connection.timed()
                if number >= warm_up:
                    samples[target.name].append(seconds)
        gc.enable()
    return samples


def _check(target: Target, connection: Connection) -> None:
    body = connection.body()
    if not target.expected:
        return
    answer = json.loads(body)
    if target.expected not in answer:
        raise RuntimeError(f"{target.name}: unexpected answer {answer}")
    if "debuginfo" in answer:
        raise RuntimeError("debuginfo must be off")


def _figure(target: Target, seconds: list[float], bare: float) -> Figure:
    median = statistics.median(seconds)
    return Figure(target.name, median * 1000, "ms", median / bare, target.within)


@contextmanager
def serving(state: str, wiki: str = "demo") -> Iterator[int]:
    """Serve a wiki and the bare application from another process; gives the port."""
    command = [sys.executable, "-m", "bench.http_server", state, wiki]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("the server has no pipes")
        try:
            # The import of the demo wiki may print before; the port comes last.
            yield int(_last_number(process.stdout))
        finally:
            process.stdin.close()


def _last_number(lines: Iterator[str]) -> str:
    for line in lines:
        if line.strip().isdigit():
            return line
    raise RuntimeError("the server did not start")
