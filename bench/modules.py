"""Latency of every reading module with ``limit=max``, compared with a minimal Werkzeug application.

The requests are the module's examples and one without any parameters of the module; the slowest
of them is measured. If it takes more than ten times as long as the minimal answer, its profile is
printed.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from bench.http import Request, measure, serving
from bench.moduleprofile import profile_request
from bench.report import RESULTS, Figure, publish
from bench.requests import Params, reads, requests_of
from bench.wikis import largest
from wikiapi.api.module import Module
from wikiapi.factory import open_site
from wikiapi.http.app import make_app
from wikiapi.site import Site
from wikiapi.testing.client import ApiClient
from wikiapi.testing.conformance import modules_of

MAX_RATIO = 10
_ROUNDS = 60
_TRIES = 3
_BARE = Request("bare Werkzeug", "/?action=checktoken", None, "checktoken")


def run() -> bool:
    """Measure and return True: modules above the bound are profiled, but are no failure."""
    with tempfile.TemporaryDirectory() as state, largest(Path(state)) as config:
        site = open_site(config)
        with closing(site.db):
            client = ApiClient(make_app(site), defaults={"format": "json"})
            slowest = {
                _name(module): params
                for module in modules_of(site)
                if (params := _slowest(client, module)) is not None
            }
            figures = _measure(state, slowest)
            publish("modules", figures)
            _print_refused(site, slowest)
            _explain(client, slowest, figures)
    return True


def _name(module: type[Module]) -> str:
    return f"{module.group}={module.name}"


def _print_refused(site: Site, slowest: Mapping[str, Params]) -> None:
    """Print the modules that are not measured because they refuse all requests of visitors."""
    reading = (module for module in modules_of(site) if reads(module))
    refused = [name for module in reading if (name := _name(module)) not in slowest]
    print(f"  not measured, every request is refused: {', '.join(refused) or 'none'}")


def _slowest(client: ApiClient, module: type[Module]) -> Params | None:
    """Return the slowest request to a module, or ``None`` if it refuses all of them."""
    timed = [
        (_seconds(client, params), params)
        for params in requests_of(module, _titles(client))
        if _is_answered(client, params)
    ]
    return max(timed, key=lambda pair: pair[0])[1] if timed else None


def _titles(client: ApiClient) -> str:
    answer = client.get(action="query", list="allpages", aplimit=50, formatversion=2)
    return "|".join(page["title"] for page in answer["query"]["allpages"])


def _is_answered(client: ApiClient, params: Params) -> bool:
    reply = client.reply("GET", params)
    return reply.status == 200 and "mediawiki-api-error" not in reply.headers


def _seconds(client: ApiClient, params: Params) -> float:
    tries = []
    for _ in range(_TRIES):
        start = time.perf_counter()
        client.reply("GET", params)
        tries.append(time.perf_counter() - start)
    return min(tries)


def _measure(state: str, slowest: Mapping[str, Params]) -> list[Figure]:
    requests = (
        _BARE,
        *(Request.api(name, MAX_RATIO, "", **params) for name, params in slowest.items()),
    )
    with serving(state, "largest") as port:
        samples = measure(port, requests, _ROUNDS)
    medians = {name: statistics.median(seconds) for name, seconds in samples.items()}
    bare = medians[_BARE.name]
    return [_figure(request, medians[request.name], bare) for request in requests]


def _figure(request: Request, median: float, bare: float) -> Figure:
    return Figure(request.name, median * 1000, "ms", median / bare, request.max_ratio)


def _explain(client: ApiClient, slowest: Mapping[str, Params], figures: list[Figure]) -> None:
    """Print profiles of the requests above the bound; write them as JSON."""
    slow = {figure.name: slowest[figure.name] for figure in figures if figure.met is False}
    profiles = {
        name: {"request": params, "functions": profile_request(client, params)}
        for name, params in slow.items()
    }
    for name, profile in profiles.items():
        print(f"\n  {name}: {str(profile['request'])[:160]}")
        for line in profile["functions"]:
            print(f"    {line}")
    text = json.dumps(profiles, indent=1)
    (RESULTS / "module-profiles.json").write_text(text + "\n", encoding="utf-8")
