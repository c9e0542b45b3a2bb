"""Requests to every query module that both servers have, for ten items and for the maximum."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bench.peer.httpclient import HttpClient, Params
from bench.peer.measure import Pair, measure
from bench.peer.survey import Page
from bench.report import RESULTS, Figure

ROUNDS = 20
IN_A_ROW = 10
DETAILS = "peer-modules"
_TITLES = 10
_GROUPS = ("prop", "list", "meta")
_REQUIRED_PARAMS = {
    # Parameters that a module requires; {page} and other placeholders are replaced.
    "backlinks": {"bltitle": "{page}"},
    "categorymembers": {"cmtitle": "{category}"},
    "embeddedin": {"eititle": "{template}"},
    "exturlusage": {"euquery": ""},
    "imageusage": {"iutitle": "{file}"},
    "iwbacklinks": {"iwblprefix": "wikipedia"},
    "langbacklinks": {"lbllang": "de"},
    "pageswithprop": {"pwppropname": "displaytitle"},
    "prefixsearch": {"pssearch": "Mod"},
    "revisions": {"titles": "{page}"},
    "querypage": {"qppage": "Ancientpages"},
    "search": {"srsearch": "the"},
    "usercontribs": {"ucuserprefix": ""},
    "users": {"ususers": "{user}"},
}
_EXCLUDED = frozenset({
    # Their answers differ between calls, or depend on the server rather than on the wiki.
    "random", "tokens", "userinfo",
})  # fmt: skip


def measure_modules(ours: HttpClient, theirs: HttpClient, pages: Sequence[Page]) -> dict[str, Pair]:
    """Return the times by request; print the requests that either server refuses."""
    requests = dict(_requests(ours, theirs, pages))
    answered = {
        name: params
        for name, params in requests.items()
        if all("error" not in side.answer(params) for side in (ours, theirs))
    }
    print(f"refused, so not measured: {', '.join(requests.keys() - answered.keys()) or 'none'}")
    pairs = measure(ours, theirs, list(answered.values()), ROUNDS, in_a_row=IN_A_ROW)
    pairs_by_name = dict(zip(answered, pairs, strict=True))
    _write_results(ours, theirs, answered, pairs_by_name)
    return pairs_by_name


def figures(pairs_by_name: Mapping[str, Pair], max_ratio: float) -> Iterator[Figure]:
    """Yield wikiapi's median and ratio for each request, then the number that meet the target."""
    ratios, cpu_ratios = [], []
    for name, pair in pairs_by_name.items():
        ratios.append(pair.ours.median / pair.theirs.median)
        cpu_ratios.append(pair.ours.cpu_median / pair.theirs.cpu_median)
        yield Figure(name, pair.ours.median * 1000, "ms", ratios[-1], max_ratio)
    met = sum(ratio <= max_ratio for ratio in ratios)
    yield Figure("requests of modules", len(ratios), "")
    yield Figure("of them within the target", met, "")
    yield Figure(
        "their median ratio", statistics.median(ratios), "", None, max_ratio, target_of="value"
    )
    yield Figure("their median ratio of CPU times", statistics.median(cpu_ratios), "")


def _requests(
    ours: HttpClient, theirs: HttpClient, pages: Sequence[Page]
) -> Iterator[tuple[str, Params]]:
    subjects = _subjects(theirs, pages)
    our_modules = _modules(ours)
    for name, module in _modules(theirs).items():
        if name not in our_modules or name in _EXCLUDED:
            continue
        group = module["group"]
        params = {"action": "query", group: name}
        if group == "prop":
            params["titles"] = subjects["pages"]
        for key, text in _REQUIRED_PARAMS.get(name, {}).items():
            params[key] = text.format_map(subjects)
        limit = f"{module['prefix']}limit"
        if "limit" in module["params"] and "limit" in our_modules[name]["params"]:
            yield f"{group}={name}, 10", params | {limit: "10"}
            yield f"{group}={name}, max", params | {limit: "max"}
        else:
            yield f"{group}={name}", params


def _modules(client: HttpClient) -> dict[str, dict[str, Any]]:
    """Return prefix, group and parameters of the query modules of a server."""
    answer = client.get({"action": "paraminfo", "modules": "query+*", "helpformat": "none"})
    return {
        module["name"]: {
            "group": module["group"],
            "prefix": module["prefix"],
            "params": [param["name"] for param in module["parameters"]],
        }
        for module in answer["paraminfo"]["modules"]
        if module["group"] in _GROUPS
    }


def _subjects(client: HttpClient, pages: Sequence[Page]) -> dict[str, str]:
    """Return titles and names that have many results."""
    categories = _first(client, "allcategories", acprop="size", acmin="2")
    templates = _first(client, "alltransclusions", atunique="1")
    files = _first(client, "allfileusages", afunique="1")
    users = _first(client, "allusers")
    biggest = max(categories, key=lambda row: row.get("size", 0), default={"category": "None"})
    return {
        "pages": "|".join(page.title for page in pages[:_TITLES]),
        "page": pages[0].title,
        "category": f"Category:{biggest['category']}",
        "template": templates[0]["title"] if templates else "Template:None",
        "file": files[0]["title"] if files else "File:None.png",
        "user": users[0]["name"] if users else "None",
    }


def _first(client: HttpClient, module: str, **params: str) -> list[dict[str, str]]:
    answer = client.get({"action": "query", "list": module, **params})
    return list(answer["query"][module])


def _write_results(
    ours: HttpClient,
    theirs: HttpClient,
    requests: Mapping[str, Params],
    pairs_by_name: Mapping[str, Pair],
) -> None:
    """Write the times to a file, with the sizes of both answers for comparison."""
    rows = [
        {
            "name": name,
            "request": requests[name],
            "wikiapi_ms": pair.ours.median * 1000,
            "mediawiki_ms": pair.theirs.median * 1000,
            "wikiapi_bytes": len(ours.raw(requests[name])),
            "mediawiki_bytes": len(theirs.raw(requests[name])),
        }
        for name, pair in pairs_by_name.items()
    ]
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps(rows, indent=1, ensure_ascii=False)
    (RESULTS / f"{DETAILS}.json").write_text(text + "\n", encoding="utf-8")
