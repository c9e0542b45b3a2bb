"""The search: new requests and changes of the worst, for a time."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from bench.report import RESULTS, Figure, publish
from bench.worst import texts
from bench.worst.inputs import Request, changed, smaller
from bench.worst.measuring import REFUSALS, Cost, Measured
from bench.worst.requests import Maker

MINUTES = float(os.environ.get("MINUTES", "3"))
SEED = int(os.environ.get("SEED", "45"))
KIND = os.environ.get("KIND", "")
_FOLDER = RESULTS / "worst"
_TOP = 10
_LARGEST_POPULATION = 15
_TOO_SLOW = 5.0
"""Processor time above which a request is not changed any further: it is bad enough."""
_WRITES_OF_A_STORE = 150
_TEMPLATES = re.compile("(?:Template|Module|MediaWiki):(?!New)|allpages")
_SHARE_OF_SHORTENING = 0.3
_TRIES = 12
_MOST_FAILURES = 100


@dataclass
class Finding:
    """A request and what it cost; ``again`` is its cost on a server of its own."""

    request: Request
    cost: Cost
    again: Cost | None = None


_METRICS: Sequence[Callable[[Cost], float]] = (
    lambda cost: cost.processor,
    lambda cost: cost.peak,
    lambda cost: cost.kept,
    lambda cost: cost.waited,
    lambda cost: (cost.processor - 0.03) / (3000 + cost.bytes),
    lambda cost: (cost.peak - 3) / (3000 + cost.bytes),
)
"""What the worst are chosen by; the last two favour short requests, which can be repeated."""


class Population:
    """The worst requests of a kind, one of each family for each metric."""

    def __init__(self) -> None:
        """Begin with none."""
        self._best: list[dict[str, Finding]] = [{} for _ in _METRICS]

    def add(self, finding: Finding) -> None:
        """Keep a finding if it is among the worst."""
        family = finding.request.family()
        for metric, best in zip(_METRICS, self._best, strict=True):
            if family not in best or metric(finding.cost) > metric(best[family].cost):
                best[family] = finding
                if len(best) > _LARGEST_POPULATION:
                    least = min(best, key=lambda each: metric(best[each].cost))
                    del best[least]

    def findings(self) -> list[Finding]:
        """Return the findings, the worst first."""
        unique = {id(each): each for best in self._best for each in best.values()}
        return sorted(unique.values(), key=lambda each: -each.cost.score)

    def top(self, number: int) -> list[Finding]:
        """Return the worst of different families."""
        by_family: dict[str, Finding] = {}
        for finding in self.findings():
            by_family.setdefault(finding.request.family(), finding)
        return list(by_family.values())[:number]


@dataclass
class Search:
    """A search for some time, with the server to which requests are sent."""

    server: Measured
    chance: random.Random
    populations: dict[str, Population] = field(default_factory=dict)
    failures: dict[str, Finding] = field(default_factory=dict)
    sent: int = 0
    refused: int = 0
    failed: int = 0
    _writes: int = 0

    def run(self, kinds: Sequence[str], seconds: float) -> None:
        """Send requests; each kind, new ones and changed ones get the same share of the time."""
        self.server.start()
        maker = Maker(self.server.modules())
        self.populations = {kind: Population() for kind in kinds}
        spent = {(kind, is_new): 0.0 for kind in kinds for is_new in (True, False)}
        ends, saved = time.monotonic() + seconds, time.monotonic()
        while (now := time.monotonic()) < ends and self.failed < _MOST_FAILURES:
            kind, is_new = min(spent, key=lambda each: spent[each])
            pool = [f for f in self.populations[kind].findings() if f.cost.processor < _TOO_SLOW]
            if is_new or not pool:
                request = getattr(maker, kind)(self.chance)
            else:
                others = [finding.request for finding in pool]
                chosen = self.chance.choice(others)
                request = changed(chosen, others, texts.piece, self.chance)
            cost = self.measure(request)
            if not cost.failure or cost.stopped_another:
                self.populations[kind].add(Finding(request, cost))
            spent[kind, is_new] += time.monotonic() - now
            if now - saved > 30:
                self.save()
                saved = now

    def measure(self, request: Request) -> Cost:
        """Send a request, which is noted if it fails; begin with a new store now and then."""
        cost = self.server.measure(request)
        self.sent += 1
        self.refused += cost.code in REFUSALS
        self._writes += request.kind == "write"
        if cost.failure:
            self.failed += 1
            key = f"{request.steps[-1].get('action')} {cost.failure_kind}"
            if key not in self.failures:
                self.failures[key] = Finding(request, cost)
                print(f"FAILED {cost.failure:.400}\n  {request.describe()}", flush=True)
                self.save()
        if cost.score > 5:
            print(f"{line(request.kind, cost)} {request.describe(200)}", flush=True)
        is_gone = "no answer" in cost.failure or "ended" in cost.failure
        if is_gone or self._writes >= _WRITES_OF_A_STORE or _changes_templates(request):
            self._writes = 0
            self.server.start()
        return cost

    def shorten(self, seconds: float) -> Iterator[tuple[str, Finding]]:
        """Yield the worst of each kind, measured again on servers of their own, and shortened.

        So are the requests that failed.
        """
        parts = len(self.populations) + bool(self.failures)
        ends = time.monotonic() + seconds / parts
        failures = list(self.failures.items())
        for number, (key, finding) in enumerate(failures):
            share = (ends - time.monotonic()) / (len(failures) - number)
            self.failures[key] = self._shortened(finding, time.monotonic() + share)
        for kind, population in self.populations.items():
            ends = time.monotonic() + seconds / parts
            top = population.top(_TOP)
            for number, finding in enumerate(top):
                share = (ends - time.monotonic()) / (len(top) - number)
                yield kind, self._shortened(finding, time.monotonic() + share)

    def _shortened(self, finding: Finding, ends: float) -> Finding:
        """Return a finding with its cost on a server of its own, and shortened if time is left."""
        if time.monotonic() > ends:
            return finding
        self.server.start()
        again = self.measure(finding.request)
        best = Finding(finding.request, finding.cost, again)
        tries = 0
        candidates = smaller(best.request)
        while time.monotonic() + again.seconds < ends and tries < _TRIES:
            request = next(candidates, None)
            if request is None:
                break
            tries += 1
            if request.kind == "write":
                self.server.start()
            cost = self.measure(request)
            if cost.failure_kind == again.failure_kind and cost.score > 0.8 * again.score:
                best = Finding(request, finding.cost, cost)
                candidates = smaller(request)
        return best

    def save(self) -> None:
        """Write what is known to files."""
        for kind, population in self.populations.items():
            for number, finding in enumerate(population.top(_TOP), 1):
                write(f"{kind}-{number:02}", finding)
        for number, finding in enumerate(self.failures.values(), 1):
            write(f"failure-{number:02}", finding)


def _changes_templates(request: Request) -> bool:
    """Return whether a request may change what later ones use, which would cost more or less."""
    return request.kind == "write" and any(
        _TEMPLATES.search(value)
        for step in request.steps
        for value in step.values()
        if isinstance(value, str)
    )


def write(name: str, finding: Finding) -> None:
    """Write a finding to a file from which it can be sent again."""
    _FOLDER.mkdir(parents=True, exist_ok=True)
    (_FOLDER / f"{name}.json").write_text(json.dumps(asdict(finding), indent=1) + "\n", "utf-8")


def line(name: str, cost: Cost) -> str:
    """Return a line of the table."""
    return (
        f"  {name:10}{cost.seconds:8.2f} s{cost.processor:8.2f} s{cost.peak:9.0f} MB"
        f"{cost.kept:8.0f} MB{cost.checktoken:8.2f} s{cost.edit:8.2f} s{cost.bytes / 1000:9.0f} kB"
        f"  {cost.status} {cost.code.removeprefix('internal_api_error_')}"
    )


def run() -> bool:
    """Search; return whether no request failed."""
    shutil.rmtree(_FOLDER, ignore_errors=True)
    kinds = [KIND] if KIND else ["read", "write"]
    with tempfile.TemporaryDirectory() as folder:
        server = Measured(Path(folder))
        try:
            search = Search(server, random.Random(SEED))
            search.run(kinds, MINUTES * 60 * (1 - _SHARE_OF_SHORTENING))
            costliest = list(search.shorten(MINUTES * 60 * _SHARE_OF_SHORTENING))
        finally:
            server.stop()
    search.save()
    figures = [Figure("requests", search.sent, ""), Figure("refused by limits", search.refused, "")]
    for kind in kinds:
        top = [finding for each, finding in costliest if each == kind]
        _print_table(kind, top)
        if top:
            costs = [finding.again or finding.cost for finding in top]
            figures += [
                Figure(f"worst {kind}", max(cost.seconds for cost in costs), "s"),
                Figure(f"worst {kind}, processor", max(cost.processor for cost in costs), "s"),
                Figure(f"largest {kind}", max(cost.peak for cost in costs), "MB"),
                Figure(f"most kept by a {kind}", max(cost.kept for cost in costs), "MB"),
                Figure(f"wait at the side of a {kind}", max(cost.waited for cost in costs), "s"),
            ]
    for number, finding in enumerate(search.failures.values(), 1):
        print(f"failure-{number:02} {finding.cost.failure:.300}\n   {finding.request.describe()}")
    figures.append(Figure("requests that failed", search.failed, "", None, 0, "value"))
    return publish("worst", figures)


def _print_table(kind: str, top: Sequence[Finding]) -> None:
    print(f"\nThe worst requests that {kind} (python -m bench.worst --replay NAME)")
    heads = ("time", "processor", "peak", "kept", "checktoken", "edit", "sent")
    print(
        "  "
        + " " * 10
        + "".join(
            f"{head:>{w}}" for head, w in zip(heads, (10, 10, 12, 11, 11, 9, 12), strict=True)
        )
    )
    for number, finding in enumerate(top, 1):
        write(f"{kind}-{number:02}", finding)
        cost = finding.again or finding.cost
        print(line(f"{kind}-{number:02}", cost), f"({cost.failure:.80})" if cost.failure else "")
        if finding.again and finding.again.score < finding.cost.score / 2:
            print(f"    in the search, after other requests: {line('', finding.cost).strip()}")
        print(f"    {finding.request.describe()}")
