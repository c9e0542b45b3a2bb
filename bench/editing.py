"""The cost of the writable wikis of tests, and of an edit through HTTP.

A wiki is declared, opened, edited and closed as by the fixture ``wiki``; the first one of a
declaration is built, the others are copies of it. Their cost is CPU time; loading the plugins,
which a read-only wiki needs as well, is measured separately. The edit through HTTP appends a line
to a page with a template, a link and a category, over a keep-alive connection.

The functions that a small edit runs, and how often it goes from one file to another, say how far a
reader of the code has to go. Comprehensions and generator expressions do not count.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any

import wikiapi
import wikiapi_grammar
import wikiapi_plugins
from bench import writing
from bench.report import Figure, publish
from wikiapi.plugins import make_plugin_manager
from wikiapi.testing import Declaration, DeclaredUser, Wiki
from wikiapi.testing.shared import SharedParts

ROUNDS = 20
EDITS = 100
_MAX_FIRST, _MAX_FURTHER, _MAX_EDIT = 500.0, 60.0, 20.0
_DECLARED = Declaration(
    pages={"Tea": "{{Box|1}} [[Coffee]] [[Milk]]", "Template:Box": "[[Category:Box {{{1}}}]]"},
    users=[DeclaredUser("Ada", groups=("sysop",)), "Bob"],
)


def run() -> bool:
    """Measure; return whether the targets are met."""
    loading, first, further = _measure_wikis()
    functions, switches = _measure_path()
    return publish(
        "editing",
        [
            Figure("loading the plugins, once", loading, "ms CPU"),
            Figure("the first writable wiki", first, "ms CPU", None, _MAX_FIRST, "value"),
            Figure("a further one", further, "ms CPU", None, _MAX_FURTHER, "value"),
            Figure("an edit through HTTP", _measure_edit(), "ms", None, _MAX_EDIT, "value"),
            Figure("functions that a small edit runs", functions, "functions"),
            Figure("its changes from one file to another", switches, "changes"),
        ],
    )


def _measure_wikis() -> tuple[float, float, float]:
    """Return the CPU times of loading the plugins, of the first wiki, and of further ones."""
    start = time.process_time()
    make_plugin_manager()
    loading = (time.process_time() - start) * 1000
    shared = SharedParts()
    times = [_measure_wiki(shared) for _ in range(ROUNDS + 1)]
    return loading, times[0], statistics.median(times[1:])


def _measure_wiki(shared: SharedParts) -> float:
    start = time.process_time()
    with Wiki(_DECLARED, shared) as wiki:
        wiki.login("Ada").write(action="edit", title="Tea", text="hot")
    return (time.process_time() - start) * 1000


def _measure_path() -> tuple[int, int]:
    """Return how many functions an edit runs, and how often it changes from one file to another."""
    roots = tuple(
        str(Path(module.__path__[0])) for module in (wikiapi, wikiapi_plugins, wikiapi_grammar)
    )
    calls: list[tuple[str, str, int]] = []

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(roots) and code.co_name[0] != "<":
            calls.append((code.co_filename, code.co_name, code.co_firstlineno))

    with Wiki(_DECLARED) as wiki:
        ada = wiki.login("Ada")
        ada.write(action="edit", title="Milk", text="It is white.")
        params = {"action": "edit", "title": "Milk", "token": ada.token()}
        sys.setprofile(note)
        try:
            ada.post(params, appendtext=" It is [[Tea|good]].")
        finally:
            sys.setprofile(None)
    testing = f"{Path(wikiapi.__path__[0]) / 'testing'}/"
    files = [file for file, *_ in calls if not file.startswith(testing)]
    functions = {call for call in calls if not call[0].startswith(testing)}
    return len(functions), sum(one != other for one, other in pairwise(files))


def _measure_edit() -> float:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        url = writing.make_store(folder)
        with writing.serving(folder, url) as (port, _):
            writer = writing.Writer(port)
            times = [_measure_one(writer, number) for number in range(EDITS)]
            writer.close()
    return statistics.median(times) * 1000


def _measure_one(writer: writing.Writer, number: int) -> float:
    answer = writer.write(action="edit", title="Shared 1", appendtext=f"\n\nline {number}")
    if answer.get("edit", {}).get("result") != "Success":
        raise RuntimeError(f"the wiki refused an edit: {answer}")
    return writer.seconds
