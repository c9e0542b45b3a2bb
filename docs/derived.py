"""Generate parts of pages from the code: the layers, the stages of rendering, the scores.

``make docs`` runs it; a test compares the pages with the code. Each part is between two comments,
``<!-- begin NAME, … -->`` and ``<!-- end NAME -->``.
"""

from __future__ import annotations

import inspect
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from pathlib import Path

from wikiapi.wikitext.pipeline import FRAGMENT_STAGES, PAGE_STAGES, Stage

ROOT = Path(__file__).parents[1]
ARCHITECTURE = ROOT / "docs" / "architecture.md"
COMPARISON = ROOT / "docs" / "comparison.md"
RATCHET = ROOT / "tests" / "reference" / "ratchet.json"
CASES = ROOT / "tests" / "reference" / "cases.json"

KINDS = {
    "query": "requests of `action=query` and other actions",
    "mixed": "random requests with several modules, generators and continuation",
    "parse": "rendered short texts, each for one feature of wikitext",
    "expand": "expanded texts (`action=expandtemplates`)",
    "pages": "rendered complete pages",
    "wild": "texts that use extensions of third-party wikis",
    "write": "sessions in which users log in and change the wiki",
    "lang": "queries and texts in nine languages, with the texts of MediaWiki",
    "settings": "queries and texts under sixteen sets of settings",
    "rest": "requests to `rest.php`",
    "parsoid": "Parsoid's HTML of pages and texts, with all that it says about their sources",
}
LAYERS = {
    "embedding": "a wiki as a Python object",
    "cli": "the command line",
    "search": "ranks the pages of a site, suggests titles, takes excerpts",
    "structure": "what a page contains, as data: templates, tables, references",
    "testing": "what tests of bots, clients and plugins import",
    "rest": "the routes of `rest.php`: their parameters, replies and errors",
    "http": "WSGI, cookies, caching, the error boundary, the server",
    "factory": "makes a site from a configuration",
    "attach": "takes over the settings of existing wikis",
    "importing": "reads dumps, folders and media, writes the store",
    "api": "actions, parameters, page sets, continuation, results",
    "pages": "saving, moving, deleting pages; their links, logs, tags, watchers",
    "accounts": "users, sessions, passwords, blocks, rates, mail",
    "site": "a wiki with its parser, files, cached pages and API",
    "wikitext": "preprocessor, expansion, pipeline to HTML",
    "filerepo": "the wiki's own files and those of other wikis",
    "store": "tables, queries, engines",
    "wiki": "settings, names, messages and store of one wiki",
    "registry": "names to declarations",
    "extension": "all that an extension declares",
    "plugins": "the plugin manager",
    "hookspecs": "the signatures of the hooks",
    "title": "titles, namespaces, interwiki prefixes",
    "cache": "caches in memory and in servers",
    "budget": "limits on the total cost of a request",
    "workers": "processes for work that may have to be killed",
    "memoize": "a cache for functions of short texts",
    "temporary": "attributes with another value inside a block",
    "languages": "messages, languages, dates",
    "config": "`wikiapi.toml` as frozen dataclasses: tables, permitted values, reading",
    "errors": "the tree of exceptions",
    "expiry": "until when blocks, protections and memberships last",
    "texts": "white space at the ends of texts, their size, plurals",
    "timestamps": "times in the formats of MediaWiki",
    "version": "the version of wikiapi",
    "xmlfeed": "XML in pieces, in linear time",
}


def layers() -> str:
    """Return the layers of the core, from top to bottom."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = (
        contract
        for contract in settings["tool"]["importlinter"]["contracts"]
        if contract["type"] == "layers"
    )
    rows = [
        " · ".join(f"`{name}` {_meaning(name)}" for name in re.split(r" [:|] ", layer))
        for layer in contract["layers"]
    ]
    return "".join(f"{number}. {row}\n" for number, row in enumerate(rows, start=1))


def _meaning(layer: str) -> str:
    """Return the description of a layer, by default the first line of its docstring."""
    return (
        LAYERS.get(layer)
        or (inspect.getdoc(import_module(f"wikiapi.{layer}")) or "").split("\n")[0]
    )


def stages() -> str:
    """Return the stages of rendering, with the reason for the position of each."""
    first = _stages("For the page and for the content of each tag", FRAGMENT_STAGES)
    return f"{first}\n{_stages('Once for the page', PAGE_STAGES)}"


def _stages(title: str, stages: Iterable[Stage]) -> str:
    rows = "".join(f"| `{stage.name}` | {_cell(stage.reason)} |\n" for stage in stages)
    return f"{title}:\n\n| stage | why it stands there |\n|---|---|\n{rows}"


def _cell(text: str) -> str:
    # Format wikitext characters such as bars as code.
    words = re.sub(r"\|-+|\|", lambda match: f"`{match[0]}`".replace("|", r"\|"), text)
    return re.sub(r"(?<= )[!=](?= )", lambda match: f"`{match[0]}`", words)


def scores() -> str:
    """Return a table of the number of matching answers, by kind."""
    passes, cases = passed(), recorded()
    rows = "".join(
        f"| {meaning} | {passes[kind]} of {cases[kind]} |\n" for kind, meaning in KINDS.items()
    )
    total = f"| **all** | **{sum(passes.values())} of {sum(cases.values())}** |\n"
    return f"| recorded answers | matching |\n|---|---|\n{rows}{total}"


def recorded() -> Mapping[str, int]:
    """Return the number of answers of each kind that the last update of the ratchet replayed."""
    cases: dict[str, int] = json.loads(CASES.read_text(encoding="utf-8"))
    return cases


def passed() -> Mapping[str, int]:
    """Return the number of answers of each kind that match according to the ratchet."""
    groups = json.loads(RATCHET.read_text(encoding="utf-8"))
    return {
        kind: sum(count for group, count in groups.items() if group.startswith(f"{kind}/"))
        for kind in KINDS
    }


PARTS: Mapping[Path, Mapping[str, Callable[[], str]]] = {
    ARCHITECTURE: {"layers": layers, "stages": stages},
    COMPARISON: {"scores": scores},
}


def page(path: Path) -> str:
    """Return a page with its generated parts updated.

    Raises:
        ValueError: the page lacks one of its parts.
    """
    text = path.read_text(encoding="utf-8")
    for name, make in PARTS[path].items():
        part = re.compile(rf"(<!-- begin {name}\b.*?-->\n).*?(<!-- end {name} -->)", re.DOTALL)
        match = part.search(text)
        if not match:
            raise ValueError(f"{path.name} has no part {name}")
        head, tail = text[: match.start()], text[match.end() :]
        text = f"{head}{match[1]}\n{make()}\n{match[2]}{tail}"
    return text


def main() -> None:
    """Write the pages."""
    for path in PARTS:
        path.write_text(page(path), encoding="utf-8")


if __name__ == "__main__":
    main()
