"""Every query module that both servers have, requested ten items and for as many as it gives."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bench.peer.browser import Browser, Params
from bench.peer.measure import Pair, measure
from bench.peer.survey import Page
from bench.report import RESULTS, Figure

ROUNDS = 20
IN_A_ROW = 10
DETAILS = "peer-modules"
_TITLES = 10
_GROUPS = ("prop", "list", "meta")
_ANSWERED = {
    # Modules that want to be told something first: what, with {page} and the like filled in.
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
_NO_FACT = frozenset({
    # What they tell differs from call to call, or is of the server rather than the wiki.
    "random", "tokens", "userinfo",
})  # fmt: skip


def measured(ours: Browser, theirs: Browser, pages: Sequence[Page]) -> dict[str, Pair]:
    """Return the times by request; what either server refuses is left out, and named."""
    requests = dict(_requests(ours, theirs, pages))
    answered = {
        name: params
        for name, params in requests.items()
        if all("error" not in side.answer(params) for side in (ours, theirs))
    }
    print(f"refused, so not measured: {', '.join(requests.keys() - answered.keys()) or 'none'}")
    pairs = measure(ours, theirs, list(answered.values()), ROUNDS, in_a_row=IN_A_ROW)
    found = dict(zip(answered, pairs, strict=True))
    _keep(ours, theirs, answered, found)
    return found


def figures(found: Mapping[str, Pair], within: float) -> Iterator[Figure]:
    """Our median of each request and its ratio to theirs, then how many modules are within."""
    ratios = []
    for name, pair in found.items():
        ratios.append(pair.ours.median / pair.theirs.median)
        yield Figure(name, pair.ours.median * 1000, "ms", ratios[-1], within)
    met = sum(ratio <= within for ratio in ratios)
    yield Figure("requests of modules", len(ratios), "")
    yield Figure("of them within the target", met, "")
    yield Figure("their median ratio", statistics.median(ratios), "", None, within, of="value")


def _requests(
    ours: Browser, theirs: Browser, pages: Sequence[Page]
) -> Iterator[tuple[str, Params]]:
    subjects = _subjects(theirs, pages)
    known = _modules(ours)
    for name, module in _modules(theirs).items():
        if name not in known or name in _NO_FACT:
            continue
        group = module["group"]
        params = {"action": "query", group: name}
        if group == "prop":
            params["titles"] = subjects["pages"]
        for key, text in _ANSWERED.get(name, {}).items():
            params[key] = text.format_map(subjects)
        limit = f"{module['prefix']}limit"
        if "limit" in module["params"] and "limit" in known[name]["params"]:
            yield f"{group}={name}, 10", params | {limit: "10"}
            yield f"{group}={name}, max", params | {limit: "max"}
        else:
            yield f"{group}={name}", params


def _modules(browser: Browser) -> dict[str, dict[str, Any]]:
    """Prefix, group and parameters of the query modules of a server."""
    answer = browser.ask({"action": "paraminfo", "modules": "query+*", "helpformat": "none"})
    return {
        module["name"]: {
            "group": module["group"],
            "prefix": module["prefix"],
            "params": [param["name"] for param in module["parameters"]],
        }
        for module in answer["paraminfo"]["modules"]
        if module["group"] in _GROUPS
    }


def _subjects(browser: Browser, pages: Sequence[Page]) -> dict[str, str]:
    """What there is much to tell of."""
    categories = _first(browser, "allcategories", acprop="size", acmin="2")
    templates = _first(browser, "alltransclusions", atunique="1")
    files = _first(browser, "allfileusages", afunique="1")
    users = _first(browser, "allusers")
    biggest = max(categories, key=lambda row: row.get("size", 0), default={"category": "None"})
    return {
        "pages": "|".join(page.title for page in pages[:_TITLES]),
        "page": pages[0].title,
        "category": f"Category:{biggest['category']}",
        "template": templates[0]["title"] if templates else "Template:None",
        "file": files[0]["title"] if files else "File:None.png",
        "user": users[0]["name"] if users else "None",
    }


def _first(browser: Browser, module: str, **params: str) -> list[dict[str, str]]:
    answer = browser.ask({"action": "query", "list": module, **params})
    return list(answer["query"][module])


def _keep(
    ours: Browser, theirs: Browser, asked: Mapping[str, Params], found: Mapping[str, Pair]
) -> None:
    """The sizes tell whether both say about as much."""
    rows = [
        {
            "name": name,
            "request": asked[name],
            "wikiapi_ms": pair.ours.median * 1000,
            "mediawiki_ms": pair.theirs.median * 1000,
            "wikiapi_bytes": len(ours.raw(asked[name])),
            "mediawiki_bytes": len(theirs.raw(asked[name])),
        }
        for name, pair in found.items()
    ]
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps(rows, indent=1, ensure_ascii=False)
    (RESULTS / f"{DETAILS}.json").write_text(text + "\n", encoding="utf-8")
