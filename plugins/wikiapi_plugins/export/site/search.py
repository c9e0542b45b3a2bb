"""The index for searching in the browser: many small scripts, of which a search loads a few."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from pathlib import Path
from typing import Any, NamedTuple

from wikiapi_plugins.export.state import State

_WORD = re.compile(r"[^\W_]+")
_DENSE = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Scripts without spaces between words. Their terms are pairs of characters."""
_RUN = re.compile(rf"[{_DENSE}]+|[^{_DENSE}]+")
_IS_DENSE = re.compile(f"[{_DENSE}]")
_LONGEST_TERM = 40
_TERMS_PER_PAGE = 4_000
_PAGES_PER_TERM = 1_000
_TITLE_WEIGHT = 30
_MAX_TEXT_WEIGHT = 9
_FILE_BYTES = 65_536
_PAGES_PER_FILE = 400
START_CHARACTERS = 200


class SearchEntry(NamedTuple):
    """The data of a page in the index: its file, how its text starts, and its weighted terms."""

    page: int
    title: str
    file: str
    start: str
    terms: dict[str, int]


def terms_of(text: str) -> Iterator[str]:
    """Yield the terms of a text. ``search.js`` splits queries in the same way."""
    for word in _WORD.findall(unicodedata.normalize("NFKC", text).lower()):
        for run in _RUN.findall(word):
            if not _IS_DENSE.match(run) or len(run) == 1:
                yield run[:_LONGEST_TERM]
            else:
                yield from (run[at : at + 2] for at in range(len(run) - 1))


def weights(title: str, text: str) -> dict[str, int]:
    """Return the weights of a page's terms; those in the title and frequent ones weigh more."""
    counted = Counter(terms_of(text)).most_common(_TERMS_PER_PAGE)
    weight_of = {term: min(count, _MAX_TEXT_WEIGHT) for term, count in counted}
    in_title = list(dict.fromkeys(terms_of(title)))
    for term in in_title:
        weight_of[term] = weight_of.get(term, 0) + _TITLE_WEIGHT + _TITLE_WEIGHT // len(in_title)
    return weight_of


def store_entries(state: State, entries: Iterable[SearchEntry]) -> None:
    """Store entries until the index is written."""
    entries = list(entries)
    state.write("REPLACE INTO entries VALUES (?, ?, ?, ?)", (entry[:4] for entry in entries))
    state.write(
        "INSERT INTO postings VALUES (?, ?, ?)",
        ((term, entry.page, weight) for entry in entries for term, weight in entry.terms.items()),
    )


def write_index(state: State, folder: Path) -> None:
    """Write the files of the index into a folder."""
    folder.mkdir(exist_ok=True)
    pages = list(_write_parts(folder, "p", _page_parts(state)))
    terms = list(_write_parts(folder, "t", _term_parts(state)))
    (count,) = next(state.rows("SELECT COUNT(*) FROM entries"))
    index = {"terms": terms, "pages": pages, "count": count}
    (folder / "index.js").write_text(f"window.wikiIndex={_json(index)};\n", encoding="utf-8")


def _write_parts(folder: Path, kind: str, parts: Iterable[list[Any]]) -> Iterator[Any]:
    """Write each part into a file, and yield the first key of each."""
    for number, part in enumerate(parts):
        name = f"{kind}{number}"
        text = f"wikiPart({_json(name)},{_json(part)});\n"
        (folder / f"{name}.js").write_text(text, encoding="utf-8")
        yield part[0][0]


def _page_parts(state: State) -> Iterator[list[Any]]:
    rows = state.rows("SELECT entry, title, file, start FROM entries ORDER BY entry")
    while part := list(islice(rows, _PAGES_PER_FILE)):
        yield part


def _term_parts(state: State) -> Iterator[list[Any]]:
    rows = state.rows("SELECT term, entry, weight FROM postings ORDER BY term, weight DESC, entry")
    part: list[Any] = []
    size = 0
    for term, postings in groupby(rows, key=lambda row: row[0]):
        flat = [value for row in islice(postings, _PAGES_PER_TERM) for value in row[1:]]
        part.append([term, flat])
        size += len(term) + 6 + 7 * len(flat) // 2
        if size >= _FILE_BYTES:
            yield part
            part, size = [], 0
    if part:
        yield part


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
