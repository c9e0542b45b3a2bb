"""Plays the recorded sessions of writing, each on a wiki of its own."""

from __future__ import annotations

import fnmatch
import gzip
import json
import shutil
import tempfile
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from tests.reference.material import RECORDED, load_check, unpack
from tests.reference.replay import Score
from tests.reference.wikis import commons, on_own_or_any_port
from wikiapi.config import load_config
from wikiapi.factory import open_site
from wikiapi.http.app import make_app
from wikiapi.store.database import Database

KIND = "write"
RECORDED_AT = datetime(2026, 11, 26, 9, tzinfo=UTC)
"""When the sessions were recorded: accounts have the age then that rules about groups ask for."""
RESET = "/reset"
"""A request for this path puts the wiki back into its first state."""
_CONFIG = Path(__file__).parent / "writewiki.toml"
_SHOWN_DIFFERENCES = 3


def play_all(only: str = "*") -> Score:
    """Play the sessions whose ids match a pattern, and compare the answers, own wording aside."""
    check = load_check("check_write")
    score = Score(defaultdict(int), defaultdict(int))
    with commons(), served() as (address, wiki):
        for session in sessions(only):
            wiki.reset()
            answers = _play(check, address, session)
            differences = check.differing(session, answers)
            steps = {number for number, _ in differences}
            score.steps += len(session["steps"])
            score.steps_passed += len(session["steps"]) - len(steps) if -1 not in steps else 0
            group = f"{KIND}/{session['group']}"
            score.total[group] += 1
            score.passed[group] += not differences
            if differences:
                score.failures[session["id"]] = [f"step {n}: {text}" for n, text in differences]
    return score


def report(score: Score) -> str:
    """Return what differs, and the number of sessions and steps that agree."""
    failures = "".join(
        f"{name} | {'; '.join(differences[:_SHOWN_DIFFERENCES])}\n"
        for name, differences in score.failures.items()
    )
    passed, total = sum(score.passed.values()), sum(score.total.values())
    steps = f"{score.steps_passed} of {score.steps} steps"
    return f"{failures}{KIND}: {passed} of {total} sessions, {steps}"


def sessions(only: str = "*") -> Iterator[dict[str, Any]]:
    """Yield the sessions whose ids match a pattern."""
    with gzip.open(RECORDED / "write.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            session = json.loads(line)
            if fnmatch.fnmatch(session["id"], only):
                yield session


class ResettableWiki:
    """A WSGI application: the wiki for writing, which begins anew when it is reset."""

    def __init__(self) -> None:
        """Begin with a fresh wiki."""
        self._resources = ExitStack()
        self._app = self._fresh()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request, or begin anew if it asks for that."""
        if environ.get("PATH_INFO") != RESET:
            return self._app(environ, start_response)
        self.reset()
        start_response("204 No Content", [])
        return [b""]

    def reset(self) -> None:
        """Put store and upload folder back into their first state."""
        self.close()
        self._app = self._fresh()

    def close(self) -> None:
        """Close the store and remove what was written."""
        self._resources.close()

    def _fresh(self) -> WSGIApplication:
        folder = Path(self._resources.enter_context(tempfile.TemporaryDirectory()))
        store, images = folder / "wiki.sqlite", folder / "images"
        shutil.copy(unpack("writewiki.sqlite"), store)
        images.mkdir()
        config = load_config(_CONFIG)
        config = replace(config, files=replace(config.files, folder=str(images)))
        db = self._resources.enter_context(closing(Database(f"sqlite:///{store}")))
        ago = datetime.now(UTC) - RECORDED_AT
        return make_app(open_site(config, database=db, clock=lambda: datetime.now(UTC) - ago))


@contextmanager
def served() -> Iterator[tuple[str, ResettableWiki]]:
    """Serve the wiki until the block is left; yield the address of its api.php, and the wiki."""
    config = load_config(_CONFIG)
    with closing(ResettableWiki()) as wiki, on_own_or_any_port(wiki, config.http.listen) as base:
        yield f"{base}{config.site.script_path}/api.php", wiki


def _play(check: ModuleType, address: str, session: dict[str, Any]) -> list[Any]:
    """Return the answers of a session. The program leaves its connections open at the end."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        return check.play(address, session)
