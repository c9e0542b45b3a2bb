"""The functions that a reader follows to understand one request.

``sys.setprofile`` records the calls of one edit and of one generator request to the demo wiki. The
edit appends a line to a short page, so that little of its wikitext counts. Only functions of
wikiapi and of its plugins count, each once however often it is called. A switch is a call of a
function in another file than that of the function called before it; a generator that continues is
called again. Each request is sent once before, since the first one imports modules, compiles
statements and fills caches. The edit that creates the page is not such a one.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType

import wikiapi
import wikiapi_plugins
from bench.report import Figure, publish
from examples.demo_store import PASSWORD, USER, configure_writable
from wikiapi.factory import open_site
from wikiapi.http.app import make_app
from wikiapi.testing.client import ApiClient

_SERVER = "http://127.0.0.1:8080"
_PACKAGES = tuple(
    f"{folder}/" for package in (wikiapi, wikiapi_plugins) for folder in package.__path__
)
_GENERATOR_REQUEST = {
    "action": "query",
    "generator": "categorymembers",
    "gcmtitle": "Category:Help",
    "gcmlimit": "10",
    "prop": "info|links",
}


@dataclass
class Steps:
    """The functions called by a request, and the switches between their files."""

    functions: set[CodeType] = field(default_factory=set)
    switches: int = 0
    _file: str = ""

    def record(self, frame: FrameType, event: str, _argument: object) -> None:
        """Count a call; a profile function for :func:`sys.setprofile`."""
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(_PACKAGES):
            return
        # Lambdas, comprehensions and the bodies of modules and classes have no name.
        if not code.co_name.startswith("<"):
            self.functions.add(code)
        if code.co_filename != self._file:
            self.switches += bool(self._file)
            self._file = code.co_filename


def steps_of(request: Callable[[], object]) -> Steps:
    """Return the steps of a call in this thread."""
    steps = Steps()
    previous = sys.getprofile()
    sys.setprofile(steps.record)
    try:
        request()
    finally:
        sys.setprofile(previous)
    return steps


def run() -> bool:
    """Count the steps of an edit and of a generator request; there is no target."""
    with tempfile.TemporaryDirectory() as name:
        site = open_site(configure_writable(Path(name) / "demo", _SERVER))
        with closing(site.db):
            client = ApiClient(make_app(site), raises=True)
            client.login(USER, PASSWORD)
            token = client.token()

            def edit(line: str) -> None:
                answer = client.post(action="edit", title="Tea", appendtext=line, token=token)
                if "newrevid" not in answer["edit"]:
                    raise RuntimeError(f"the page is unchanged: {answer}")

            def ask() -> None:
                if "query" not in client.get(_GENERATOR_REQUEST):
                    raise RuntimeError("the category of the generator request is empty")

            edit("A drink, see [[Main Page]].\n\n[[Category:Help]]")
            edit("\n\nA second line.")
            edit_steps = steps_of(lambda: edit("\n\nA third line."))
            ask()
            query_steps = steps_of(ask)
    return publish(
        "steps",
        [
            Figure("an edit: functions", len(edit_steps.functions), ""),
            Figure("an edit: switches", edit_steps.switches, ""),
            Figure("a generator request: functions", len(query_steps.functions), ""),
            Figure("a generator request: switches", query_steps.switches, ""),
        ],
    )
