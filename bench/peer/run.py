"""The benchmark: set up both wikis, choose the pages, measure in turns, report."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bench.peer import dump as dumps
from bench.peer import figures, imports, modules, writes
from bench.peer.dump import Dump
from bench.peer.httpclient import HttpClient, Params
from bench.peer.likeness import ALIKE, likeness
from bench.peer.measure import Pair, measure
from bench.peer.mediawiki import MediaWiki
from bench.peer.servers import CACHING_SETTINGS, mediawiki_server, wikiapi_server
from bench.peer.store import Store
from bench.peer.survey import Page, survey
from bench.report import RESULTS, Figure, publish

STATE = Path(__file__).parents[2] / ".state" / "peer"
DETAILS = "peer-pages"
IMPORT, REQUESTS, WRITING = PARTS = ("import", "requests", "writing")
"""Parts that can be run alone, with the store of the last import."""
# Targets of the ratio of wikiapi's time to MediaWiki's.
QUERY_MAX_RATIO, PAGE_MAX_RATIO, SCRIPTED_MAX_RATIO = 0.1, 1 / 2, 1 / 3


def run(rounds: int, only: str = "", lua_pages: int = 0) -> bool:
    """Measure everything or, with ``only``, one part; return whether the targets are met.

    With ``lua_pages``, the dump is generated, with this number of pages that call modules.
    """
    STATE.mkdir(parents=True, exist_ok=True)
    dump = dumps.with_lua(STATE, lua_pages) if lua_pages else dumps.choose(STATE)
    wiki, store = MediaWiki(STATE, dump), Store(STATE)
    wiki.prepare()
    print(f"Debian's MediaWiki {wiki.version}; ratios are relative to it")
    parts = (only,) if only else PARTS
    met = True
    if IMPORT in parts or not store.database.exists():
        met = _run_import(wiki, store, dump, rounds)
    if REQUESTS in parts:
        met = _run_requests(wiki, store, rounds) and met
    if WRITING in parts:
        met = _run_writing(wiki, store, rounds) and met
    return met


def _run_import(wiki: MediaWiki, store: Store, dump: Dump, rounds: int) -> bool:
    with mediawiki_server(wiki) as server:
        interwiki = _interwiki(HttpClient(server))
    rounds = min(rounds, imports.MAX_ROUNDS)
    results = imports.measure_imports(wiki.empty, store, dump, interwiki, rounds)
    return publish("peer-import", [*imports.figures(results)])


def _run_writing(wiki: MediaWiki, store: Store, rounds: int) -> bool:
    results = writes.measure_writes(wiki, store, _survey(wiki), rounds)
    return publish("peer-writing", [*writes.figures_of(results)])


def _survey(wiki: MediaWiki) -> list[Page]:
    with mediawiki_server(wiki) as server:
        return survey(HttpClient(server), wiki.syntax)


def _run_requests(wiki: MediaWiki, store: Store, rounds: int) -> bool:
    pages = _survey(wiki)
    # Both are started again, because the survey has filled the caches of one of them.
    with mediawiki_server(wiki) as their_server, wikiapi_server(store) as our_server:
        ours, theirs = HttpClient(our_server), HttpClient(their_server)
        queries = _queries(pages)
        answered = measure(
            ours, theirs, list(queries.values()), modules.ROUNDS, in_a_row=modules.IN_A_ROW
        )
        lists = modules.measure_modules(ours, theirs, pages)
        rendered = measure(ours, theirs, [_parse(page) for page in pages], rounds)
        similarities = [_likeness(ours, theirs, page) for page in pages]
    cached = _measure_cached(wiki, store, pages, rounds)
    _write_results(pages, rendered, similarities)
    rows = [*_page_figures(pages, rendered), *_query_figures(queries, answered)]
    rows += figures.medians("parse, cached", cached, QUERY_MAX_RATIO)
    rows += figures.totals("parse, cached", cached)
    rows += modules.figures(lists, QUERY_MAX_RATIO)
    rows += _likeness_figures(pages, similarities)
    return publish("peer", rows)


def _measure_cached(
    wiki: MediaWiki, store: Store, pages: Sequence[Page], rounds: int
) -> list[Pair]:
    """Measure all pages with servers that cache renderings; the first round fills the caches."""
    with (
        mediawiki_server(wiki, CACHING_SETTINGS) as their_server,
        wikiapi_server(store, store.caching()) as our_server,
    ):
        ours, theirs = HttpClient(our_server), HttpClient(their_server)
        requests = [_parse(page) for page in pages]
        return measure(ours, theirs, requests, rounds, in_a_row=modules.IN_A_ROW)


def _interwiki(client: HttpClient) -> str:
    params = {"action": "query", "meta": "siteinfo", "siprop": "interwikimap"}
    return json.dumps(client.get(params))


def _parse(page: Page) -> Params:
    return {"action": "parse", "page": page.title}


def _queries(pages: Sequence[Page]) -> Mapping[str, Params]:
    titles = "|".join(page.title for page in pages[:2])
    return {
        "checktoken": {"action": "checktoken", "type": "csrf", "token": "x"},
        "info, 2 titles": {"action": "query", "prop": "info", "titles": titles},
        "alltransclusions": {"action": "query", "list": "alltransclusions"},
    }


def _likeness(ours: HttpClient, theirs: HttpClient, page: Page) -> float:
    return likeness(ours.answer(_parse(page)), theirs.answer(_parse(page)))


def _page_figures(pages: Sequence[Page], rendered: Sequence[Pair]) -> Iterator[Figure]:
    both = list(zip(pages, rendered, strict=True))
    plain = [pair for page, pair in both if page.plain]
    small = [pair for page, pair in both if page.plain and page.small]
    scripted = [pair for page, pair in both if page.scripted]
    yield Figure("pages", len(pages), "")
    yield Figure("plain: without extensions", len(plain), "")
    yield Figure("small: plain, under 5 kB", len(small), "")
    yield Figure("with Lua", len(scripted), "")
    groups = (("small", small), ("plain", plain), ("with Lua", scripted), ("all", rendered))
    for name, pairs in groups:
        max_ratio = SCRIPTED_MAX_RATIO if pairs is scripted else PAGE_MAX_RATIO
        yield from figures.medians(name, pairs, max_ratio)
        yield from figures.totals(name, pairs, max_ratio)
    yield from figures.first("all", rendered)


def _query_figures(queries: Mapping[str, Params], answered: Sequence[Pair]) -> Iterator[Figure]:
    for name, pair in zip(queries, answered, strict=True):
        yield from figures.medians(name, [pair], QUERY_MAX_RATIO)


def _likeness_figures(pages: Sequence[Page], similarities: Sequence[float]) -> Iterator[Figure]:
    plain = [similarity for page, similarity in zip(pages, similarities, strict=True) if page.plain]
    for name, group in (("plain", plain), ("all", similarities)):
        alike = sum(similarity >= ALIKE for similarity in group)
        yield Figure(f"{name} pages with the same text", 100 * alike / len(group), "%")


def _write_results(
    pages: Sequence[Page], rendered: Sequence[Pair], similarities: Sequence[float]
) -> None:
    rows = [
        {
            "title": page.title,
            "size": page.size,
            "plain": page.plain,
            "scripted": page.scripted,
            "wikiapi_ms": pair.ours.median * 1000,
            "mediawiki_ms": pair.theirs.median * 1000,
            "likeness": similarity,
        }
        for page, pair, similarity in zip(pages, rendered, similarities, strict=True)
    ]
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps(rows, indent=1, ensure_ascii=False)
    (RESULTS / f"{DETAILS}.json").write_text(text + "\n", encoding="utf-8")
