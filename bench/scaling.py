"""The cost of requests with one process and with one per core, and an estimate based on it.

The wiki is imported from a generated dump. The clients are connections of wrk
(https://github.com/wg/wrk), which takes a share of the cores itself; the share is smaller for
requests that are more work. CPU time is that of the server alone, with one process per core. The
table and the estimate of ``docs/scaling.md`` are printed as Markdown.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from urllib.parse import urlencode

import psutil

from bench import servers
from bench.dumpmaker import DumpMaker
from bench.report import Figure, publish
from wikiapi.cli.support.options import processors

PAGES = 10_000
CLIENTS = 16
WARM_UP = 2
SECONDS = 8
"""How long each kind of request is measured, after the warm-up."""
SPEEDUP = 1.8
"""The required speed-up of two processes over one, for rendering, where clients cost least."""
_NUMBERED = """
local number = math.random(1e9)
request = function()
    number = number + 1
    return wrk.format("GET", wrk.path .. number)
end
"""
"""A script of wrk, which appends another number to each request."""
_ANSWERED = re.compile(r"(\d+) requests in ([\d.]+)s")
_TEXT = "'''Bold''' [[Article 1]] and {{lc:A TEMPLATE}}.\n\n* one\n* two\n\n== Heading ==\n" * 40


@dataclass(frozen=True)
class Kind:
    """A kind of request, and its share in the estimate.

    If it is ``numbered``, a number is appended to its last parameter, so that no cache has it.
    """

    name: str
    params: Mapping[str, str]
    share: float = 0.0
    path: str = "/w/api.php"
    numbered: bool = False

    @property
    def target(self) -> str:
        """Path and query."""
        return f"{self.path}?{urlencode(self.params)}" if self.params else self.path


def _api(**params: str) -> Mapping[str, str]:
    return {**params, "format": "json", "formatversion": "2"}


CACHED = Kind("a cached page", _api(action="parse", page="Article 1"), share=0.35)
RENDERING = Kind(
    "rendering 3 kB",
    _api(action="parse", title="X", prop="text", text=_TEXT),
    share=0.05,
    numbered=True,
)
KINDS = (
    Kind("`checktoken`", _api(action="checktoken", type="csrf", token="x")),
    Kind(
        "`prop=info` of two titles",
        _api(action="query", prop="info", titles="Article 1|Article 2"),
        share=0.4,
    ),
    Kind(
        "`list=categorymembers`, 10 items",
        _api(action="query", list="categorymembers", cmtitle="Category:Group 1"),
        share=0.1,
    ),
    Kind("`list=search`", _api(action="query", list="search", srsearch="article 77"), share=0.1),
    CACHED,
    Kind("the same in the reader", {}, path="/wiki/Article_1"),
    RENDERING,
)


@dataclass(frozen=True)
class Demand:
    """A wiki for which to estimate machines that are busy half of the time."""

    pages: int = 10_000_000
    requests: int = 5_000
    cores: int = 8


@dataclass(frozen=True)
class Cost:
    """The number of requests per second, and the CPU seconds that the server takes for one."""

    rate: float
    seconds: float


@dataclass(frozen=True)
class Run:
    """The costs by kind of request, and the MB of the whole server and of each worker process."""

    workers: int
    costs: Mapping[str, Cost]
    server: float
    worker: float


def run() -> bool:
    """Measure; return whether the targets are met."""
    if not shutil.which("wrk"):
        print("scaling: wrk is not installed")
        return True
    cores = processors()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        page_bytes = _import(folder)
        one, several = (_measure(folder, workers) for workers in (1, cores))
        with _redis(folder) as url:
            shared = _measure(folder, cores, [CACHED], url) if url else None
    _print_table(one, several, shared, page_bytes)
    return publish("scaling", [*_figures(one, several, shared, page_bytes)])


def _import(folder: Path) -> float:
    """Import a generated wiki, and return the bytes of its store for each page."""
    DumpMaker(PAGES).write(folder / "dump.xml")
    command = [sys.executable, "-m", "wikiapi", "import", "dump.xml"]
    command += ["--database", "wiki.sqlite"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return (folder / "wiki.sqlite").stat().st_size / PAGES


def _measure(
    folder: Path, workers: int, kinds: Sequence[Kind] = KINDS, cache: str = "memory://"
) -> Run:
    port = servers.free_port()
    config = folder / f"{port}.toml"
    config.write_text(
        f'[database]\nurl = "sqlite:///{folder}/wiki.sqlite"\n[cache]\nurl = "{cache}"\n'
        'secret_key = "of the benchmark, for caches that processes share"\n'
        f'[http]\nlisten = "127.0.0.1:{port}"\ndebug_info = "off"\n',
        encoding="utf-8",
    )
    with servers.serving(config, port, folder / "log", workers=workers) as process:
        server = psutil.Process(process.pid)
        costs = {kind.name: _cost(port, kind, server) for kind in kinds}
        answering = server.children() if workers > 1 else [server]
        sizes = [each.memory_full_info().pss / 1e6 for each in answering]
        whole = sum(each.memory_full_info().pss for each in _family(server)) / 1e6
    return Run(workers, costs, whole, max(sizes))


def _cost(port: int, kind: Kind, server: psutil.Process) -> Cost:
    with tempfile.NamedTemporaryFile("w", suffix=".lua", encoding="utf-8") as script:
        script.write(_NUMBERED if kind.numbered else "")
        script.flush()
        command = ["wrk", "-t1", f"-c{CLIENTS}", "-s", script.name]
        url = f"http://127.0.0.1:{port}{kind.target}"
        _wrk(*command, f"-d{WARM_UP}s", url)
        used = _processor_time(server)
        answered, seconds = _wrk(*command, f"-d{SECONDS}s", url)
    return Cost(answered / seconds, (_processor_time(server) - used) / answered)


def _wrk(*command: str) -> tuple[int, float]:
    """Return the number of answers and the seconds of a run of wrk.

    Raises:
        RuntimeError: requests failed.
    """
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    match = _ANSWERED.search(output)
    if match is None or "Non-2xx" in output or "Socket errors" in output:
        raise RuntimeError(f"requests failed: {output}")
    return int(match[1]), float(match[2])


def _processor_time(server: psutil.Process) -> float:
    times = [process.cpu_times() for process in _family(server)]
    return sum((each.user + each.system for each in times), 0.0)


def _family(server: psutil.Process) -> list[psutil.Process]:
    return [server, *server.children(recursive=True)]


@contextmanager
def _redis(folder: Path) -> Iterator[str]:
    """Run Redis and yield the URL of a cache in it; an empty string if it is not installed."""
    program = shutil.which("redis-server")
    if not program:
        yield ""
        return
    port = servers.free_port()
    options = ["--port", str(port), "--save", "", "--dir", str(folder), "--bind", "127.0.0.1"]
    with subprocess.Popen([program, *options], stdout=subprocess.DEVNULL) as process:
        try:
            servers.await_port(port, process)
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            process.terminate()


def _figures(one: Run, several: Run, shared: Run | None, page_bytes: float) -> Iterator[Figure]:
    for kind in KINDS:
        single, more = one.costs[kind.name], several.costs[kind.name]
        yield Figure(f"{kind.name}, 1 process", single.rate, "/s")
        yield Figure(f"{kind.name}, processor time", more.seconds * 1000, "ms")
        # A target is an upper bound, so the inverse of the speed-up is compared with it.
        bound = 2 / several.workers / SPEEDUP if kind is RENDERING else None
        ratio = single.rate / more.rate
        yield Figure(f"{kind.name}, {several.workers} processes", more.rate, "/s", ratio, bound)
    if shared:
        seconds = shared.costs[CACHED.name].seconds
        yield Figure("a page cached in Redis, processor time", seconds * 1000, "ms")
    yield Figure("memory of 1 process", one.server, "MB")
    yield Figure(f"memory of {several.workers} processes", several.server, "MB")
    yield Figure("memory of each of them", several.worker, "MB")
    yield Figure("store for each page", page_bytes, "B")


def _print_table(one: Run, several: Run, shared: Run | None, page_bytes: float) -> None:
    print(f"| request | processor time | 1 process | {several.workers} processes | |")
    print("|---|---|---|---|---|")
    for kind in KINDS:
        single, more = one.costs[kind.name], several.costs[kind.name]
        speedup = more.rate / single.rate
        print(
            f"| {kind.name} | {more.seconds * 1000:.2f} ms | {single.rate:,.0f}/s | "
            f"{more.rate:,.0f}/s | {speedup:.1f} |"
        )
    if shared:
        seconds = shared.costs[CACHED.name].seconds
        print(f"| a page cached in Redis | {seconds * 1000:.2f} ms | | | |")
    print(
        f"\n{one.server:.0f} MB with one process, {several.server:.0f} MB with {several.workers} "
        f"({several.worker:.0f} MB for each and the rest for the one that starts them); "
        f"{page_bytes:,.0f} bytes of store for each page\n"
    )
    demand = Demand()
    busy = demand.requests * sum(kind.share * several.costs[kind.name].seconds for kind in KINDS)
    machines = ceil(2 * busy / demand.cores)
    print(
        f"> {demand.pages:,} pages, {demand.requests:,} requests a second: {busy:.1f} cores busy, "
        f"so {machines} machines of {demand.cores} cores that are busy half of the time, "
        f"each with {demand.cores * several.worker / 1000:.1f} GB for its processes, "
        f"and a store of {demand.pages * page_bytes / 1e9:.0f} GB"
    )
