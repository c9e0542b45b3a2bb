"""Latency of every module that reads, with ``limit=max``, beside a bare Werkzeug application.

Each module is asked what its examples ask, and for as much as it gives with nothing else said;
the request that takes longest is measured. Where it takes more than ten times as long as the bare
answer, its profile is printed.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from bench.http import Target, measure, serving
from bench.moduleprofile import profiled
from bench.report import RESULTS, Figure, publish
from bench.requests import Params, reads, requests_of
from bench.wikis import largest
from wikiapi.api.module import Module
from wikiapi.factory import open_site
from wikiapi.http.app import make_app
from wikiapi.site import Site
from wikiapi.testing.client import ApiClient
from wikiapi.testing.conformance import modules_of

WITHIN = 10
_ROUNDS = 60
_TRIES = 3
_BARE = Target("bare Werkzeug", "/?action=checktoken", None, "checktoken")


def run() -> bool:
    """Measure. What is above the bound counts as met: its profile says why it takes so long."""
    with tempfile.TemporaryDirectory() as state, largest(Path(state)) as config:
        site = open_site(config)
        with closing(site.db):
            client = ApiClient(make_app(site), defaults={"format": "json"})
            slowest = {
                _name(module): params
                for module in modules_of(site)
                if (params := _slowest(client, module)) is not None
            }
            figures = _measured(state, slowest)
            publish("modules", figures)
            _tell_refused(site, slowest)
            _explain(client, slowest, figures)
    return True


def _name(module: type[Module]) -> str:
    return f"{module.group}={module.name}"


def _tell_refused(site: Site, slowest: Mapping[str, Params]) -> None:
    """Name the modules that are not measured, since they tell visitors nothing."""
    reading = (module for module in modules_of(site) if reads(module))
    refused = [name for module in reading if (name := _name(module)) not in slowest]
    print(f"  not measured, every request is refused: {', '.join(refused) or 'none'}")


def _slowest(client: ApiClient, module: type[Module]) -> Params | None:
    """The request that takes the module longest; ``None`` where it refuses all to visitors."""
    timed = [
        (_seconds(client, params), params)
        for params in requests_of(module, _titles(client))
        if _answers(client, params)
    ]
    return max(timed, key=lambda found: found[0])[1] if timed else None


def _titles(client: ApiClient) -> str:
    answer = client.get(action="query", list="allpages", aplimit=50, formatversion=2)
    return "|".join(page["title"] for page in answer["query"]["allpages"])


def _answers(client: ApiClient, params: Params) -> bool:
    reply = client.reply("GET", params)
    return reply.status == 200 and "mediawiki-api-error" not in reply.headers


def _seconds(client: ApiClient, params: Params) -> float:
    tries = []
    for _ in range(_TRIES):
        start = time.perf_counter()
        client.reply("GET", params)
        tries.append(time.perf_counter() - start)
    return min(tries)


def _measured(state: str, slowest: Mapping[str, Params]) -> list[Figure]:
    targets = (_BARE, *(Target.api(name, WITHIN, "", **asked) for name, asked in slowest.items()))
    with serving(state, "largest") as port:
        samples = measure(port, targets, _ROUNDS)
    medians = {name: statistics.median(seconds) for name, seconds in samples.items()}
    bare = medians[_BARE.name]
    return [
        Figure(target.name, medians[target.name] * 1000, "ms", medians[target.name] / bare, within)
        for target in targets
        for within in (target.within,)
    ]


def _explain(client: ApiClient, slowest: Mapping[str, Params], figures: list[Figure]) -> None:
    """Print where the time of all that is above the bound goes; keep it as JSON."""
    slow = {figure.name: slowest[figure.name] for figure in figures if figure.met is False}
    profiles = {
        name: {"request": params, "functions": profiled(client, params)}
        for name, params in slow.items()
    }
    for name, profile in profiles.items():
        print(f"\n  {name}: {str(profile['request'])[:160]}")
        for line in profile["functions"]:
            print(f"    {line}")
    text = json.dumps(profiles, indent=1)
    (RESULTS / "module-profiles.json").write_text(text + "\n", encoding="utf-8")
