"""Edits, moves and uploads by an account, through HTTP, on copies of both wikis.

MediaWiki answers an edit before it has updated the links of the page, and leaves updates of other
pages to its job queue; wikiapi has completed both when it answers. The time until the answer is
measured, and the CPU time until the end of a pause, in which MediaWiki updates the links. Its jobs
are run at the end, when both wikis must have the same texts and links.
"""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from bench.peer import figures
from bench.peer.cpu import Cost, cost_of
from bench.peer.httpclient import HttpClient
from bench.peer.linktables import agreement
from bench.peer.maintenance import Maintenance
from bench.peer.measure import Pair, measure
from bench.peer.mediawiki import MediaWiki
from bench.peer.servers import WRITING_SETTINGS, Server, mediawiki_server, wikiapi_server
from bench.peer.store import Store
from bench.peer.survey import Page
from bench.report import Figure
from bench.writing import PASSWORD, WRITER, Writer

MAX_RATIO = 1 / 4
"""Target of wikiapi's time divided by MediaWiki's."""
IN_A_ROW = 10
PAUSE = 0.5
_EDITED = 10
"""Pages of each kind that are edited."""
_TEMPLATE, _WITH_TEMPLATES = "Template:Written note", "Written with templates"
_TEMPLATE_TEXT = (
    "<span class=\"note\" id=\"note-{{{1}}}\">{{#if:{{{author|}}}|'''{{{author}}}''' (}}"
    "[[Written {{{1}}}|{{{2|number {{{1}}}}}}]]{{#if:{{{author|}}}|)}}</span>"
)
_CALLS = 50
_SIZE = (120, 90)
"""The size of the uploaded pictures in pixels."""


@dataclass(frozen=True)
class Kind:
    """A kind of write, and a function that writes for the nth time and returns the answer."""

    name: str
    write: Callable[[Writer, int], Any]


@dataclass(frozen=True)
class Writes:
    """The results of the measurement."""

    pairs: Mapping[str, Pair]
    """The times by kind of write."""
    jobs: Cost
    """The cost of running the jobs that MediaWiki has left behind."""
    count: int
    """The number of writes to MediaWiki."""
    same_texts: float
    """The percentage of the written pages that have the same text in both wikis."""
    links: float
    """The percentage of all links that both wikis have."""


class Editor:
    """An account that writes to one of the wikis; each write differs from the one before."""

    def __init__(self, server: Server) -> None:
        """Log in."""
        self.server = server
        self._writer = Writer(server.port)
        self.counts: Counter[str] = Counter()
        """The number of writes by kind."""

    def close(self) -> None:
        """Close the connection."""
        self._writer.close()

    def prepare(self) -> None:
        """Write a template, and a page that uses it fifty times."""
        calls = [
            f"* {{{{Written note|{number}|the note of this number|author=Ada {number}}}}}"
            for number in range(_CALLS)
        ]
        for title, text in ((_TEMPLATE, _TEMPLATE_TEXT), (_WITH_TEMPLATES, "\n".join(calls))):
            self._writer.write(action="edit", title=title, text=text)

    def measure(self, kind: Kind) -> float:
        """Write once; return the seconds until the last byte of the answer.

        Raises:
            RuntimeError: the wiki refused the write.
        """
        number = self.counts[kind.name]
        self.counts[kind.name] += 1
        answer = kind.write(self._writer, number)
        if not _succeeded(answer):
            raise RuntimeError(f"{kind.name}: {answer}")
        return self._writer.seconds


def edits_of(name: str, titles: Sequence[str]) -> Kind:
    """Return edits that append a line to pages, in turns."""
    return Kind(name, partial(_append, titles))


def _append(titles: Sequence[str], writer: Writer, number: int) -> Any:
    title, line = titles[number % len(titles)], f"Line {number} about [[{_created(number)}]]."
    return writer.write(action="edit", title=title, appendtext=f"\n\n{line}")


def _create(writer: Writer, number: int) -> Any:
    text = f"'''Number {number}''' follows [[{_created(number - 1)}]]."
    return writer.write(action="edit", title=_created(number), text=text, createonly="1")


def _move(writer: Writer, number: int) -> Any:
    title = _created(number)
    return writer.write(action="move", **{"from": title, "to": f"{title} moved"})


def _upload(writer: Writer, number: int) -> Any:
    named = {"filename": f"Picture {number}.png", "comment": "a picture"}
    return writer.upload(_picture(number), action="upload", **named)


CREATE = Kind("new page", _create)
KINDS = (CREATE, Kind("move", _move), Kind("upload", _upload))


def _created(number: int) -> str:
    return f"Written {number}"


def _picture(number: int) -> bytes:
    """Return a small PNG that differs from all others."""
    width, height = _SIZE
    pixels = random.Random(number).randbytes(width * height * 3)
    file = BytesIO()
    Image.frombytes("RGB", _SIZE, pixels).save(file, "PNG")
    return file.getvalue()


def _succeeded(answer: Mapping[str, Any]) -> bool:
    if "move" in answer:
        return "to" in answer["move"]
    outcome: Mapping[str, Any] = answer.get("edit") or answer.get("upload") or {}
    return outcome.get("result") == "Success" and "nochange" not in outcome


def measure_writes(wiki: MediaWiki, store: Store, pages: Sequence[Page], rounds: int) -> Writes:
    """Write to copies of both wikis, in turns."""
    plain = _some(page for page in pages if page.plain)
    scripted = _some(page for page in pages if page.scripted)
    kinds = [edits_of("edit, plain page", plain)]
    if scripted:
        kinds.append(edits_of("edit, page with Lua", scripted))
    kinds += [edits_of("edit, page with 50 templates", [_WITH_TEMPLATES]), *KINDS]
    with tempfile.TemporaryDirectory(prefix="peer-") as name:
        folder = Path(name)
        their_copy, our_copy = wiki.copy(folder / "mediawiki"), store.copy(folder)
        _add_account(their_copy, our_copy)
        with (
            mediawiki_server(their_copy, WRITING_SETTINGS) as their_server,
            wikiapi_server(our_copy, our_copy.writable()) as our_server,
            closing(Editor(our_server)) as ours,
            closing(Editor(their_server)) as theirs,
        ):
            for editor in (ours, theirs):
                editor.prepare()
            pairs = measure(ours, theirs, kinds, rounds, in_a_row=IN_A_ROW, pause=PAUSE)
            jobs = cost_of(lambda: their_copy.run("runJobs.php"))
            titles = [
                *plain,
                *scripted,
                _WITH_TEMPLATES,
                *map(_created, range(ours.counts[CREATE.name])),
            ]
            same = _same_texts(HttpClient(our_server), HttpClient(their_server), titles)
        return Writes(
            {kind.name: pair for kind, pair in zip(kinds, pairs, strict=True)},
            jobs,
            theirs.counts.total(),
            same,
            agreement(their_copy.folder / "data" / "peer.sqlite", our_copy.database),
        )


def _some(pages: Iterator[Page]) -> list[str]:
    """Return the titles of some articles, evenly spaced."""
    titles = [page.title for page in pages if ":" not in page.title]
    return titles[:: max(len(titles) // _EDITED, 1)][:_EDITED]


def _add_account(theirs: Maintenance, ours: Store) -> None:
    theirs.run("createAndPromote.php", "--sysop", "--bot", WRITER, PASSWORD)
    ours.run("user", "add", WRITER, "--group", "sysop", "--group", "bot", standard_input=PASSWORD)


def _same_texts(ours: HttpClient, theirs: HttpClient, titles: Sequence[str]) -> float:
    same = sum(_text(ours, title) == _text(theirs, title) for title in titles)
    return 100 * same / len(titles)


def _text(client: HttpClient, title: str) -> str:
    params = {"action": "query", "prop": "revisions", "rvprop": "content", "rvslots": "main"}
    page = client.get({**params, "titles": title})["query"]["pages"][0]
    return str(page["revisions"][0]["slots"]["main"]["content"])


def figures_of(writes: Writes) -> Iterator[Figure]:
    """Yield the medians, their ratios, and figures that show that both wikis did the same work."""
    for name, pair in writes.pairs.items():
        yield from figures.medians(name, [pair], MAX_RATIO)
    yield Figure("jobs left by MediaWiki, a write", 1000 * writes.jobs.wall / writes.count, "ms")
    yield Figure("written pages with the same text", writes.same_texts, "%")
    yield Figure("links that both have", writes.links, "%")
