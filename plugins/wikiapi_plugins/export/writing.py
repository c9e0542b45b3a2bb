"""``wikiapi export``: exporting a wiki's pages for readers, search engines and language models."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import click

from wikiapi.cli.support.progress import Progress
from wikiapi.config import Config
from wikiapi.factory import existing_site, reading_workers
from wikiapi.site import Site
from wikiapi.texts import counted
from wikiapi.title import CATEGORY, FILE, MEDIAWIKI, MODULE, TEMPLATE, USER
from wikiapi.workers import BatchWorkers
from wikiapi_plugins.export import CHUNKS, PAGES, ExportError, Shard, running, shards
from wikiapi_plugins.export.documents import DocumentSink
from wikiapi_plugins.export.names import NamesSource, fill_names
from wikiapi_plugins.export.parquet import check_pyarrow, write_dataset
from wikiapi_plugins.export.records import (
    AppendedFile,
    JsonLines,
    MarkdownFile,
    MarkdownFolder,
    part_of,
)
from wikiapi_plugins.export.running import Export, Rendering, Results, ResultSink, StateSink
from wikiapi_plugins.export.shards import MergedShards
from wikiapi_plugins.export.site.build import StaticSite
from wikiapi_plugins.export.state import State
from wikiapi_plugins.export.zim import check_libzim, write_zim

_STATE = ".wikiapi-export"
_NOT_FOR_READERS = frozenset({USER, MEDIAWIKI, TEMPLATE, MODULE})
_RECORDS = ".records.jsonl"
_MARKDOWN = ".md"
_HTML = ".html"
_FILE_ENDINGS: Mapping[str, Sequence[str]] = {"zim": (".zim",), "jsonl": (".jsonl", ".ndjson")}


class _Target(NamedTuple):
    """What is exported to where."""

    path: Path
    namespaces: Sequence[int]
    facts: str
    """What the results depend on besides the wiki."""
    export: Callable[[NamesSource], Export]
    """Makes the export, with the names of its files."""
    open_sink: Callable[[State], AbstractContextManager[ResultSink]]
    """Opens what takes the results."""
    ending: str = ""
    """The ending of files that are named after pages; empty if there are none."""
    folder: Path | None = None
    """Where the files and the state are; ``None`` for an export that is a single file."""
    finish: Callable[[State], object] = lambda _: None
    """Completes the export when it has all results."""
    clean_up: Callable[[], object] = lambda: None
    """Removes what the finished export does not need."""


@dataclass(frozen=True)
class _Plan:
    """How an export is made: by which workers, which shard only, or by merging all shards."""

    workers: BatchWorkers[Site] | None
    shard: Shard | None
    is_merged: bool

    def results(self, target: _Target, fingerprint: str) -> Results:
        """Return where the results come from.

        Raises:
            ExportError: shards are missing or do not fit.
        """
        if self.is_merged:
            return MergedShards(target.path, fingerprint)
        return Rendering(self.workers, self.shard)

    def export(self, target: _Target, state: State) -> Export:
        """Return the export as workers get it; those of a cluster have no access to the state."""
        is_here = self.workers is None or not self.workers.cluster
        path = state.path if is_here else None
        return target.export(NamesSource(path, tuple(target.namespaces), target.ending))


def run(config: Config, options: dict[str, Any]) -> None:
    """Write the requested exports.

    Raises:
        UsageError: the options name no kind of export, or an unknown namespace, or contradict each
            other.
        ExportError: the destination of an export cannot be used, or the export failed.
    """
    kinds = [name for name in _TARGETS if options[name]]
    if not kinds:
        names = [f"--{name}" for name in _TARGETS]
        raise click.UsageError(f"give at least one of {', '.join(names[:-1])} and {names[-1]}")
    is_merged = options["step"] is not None
    if is_merged and (options["shard"] or options["cluster"]):
        raise click.UsageError("merge renders nothing: omit --shard and --cluster")
    _check_targets({name: options[name] for name in kinds})
    if "zim" in kinds:
        check_libzim()
    if "parquet" in kinds:
        check_pyarrow()
    workers = None if is_merged else reading_workers(config, options["jobs"], options["cluster"])
    plan = _Plan(workers, options["shard"], is_merged)
    with existing_site(config, read_only=True) as site:
        for kind in kinds:
            try:
                target = _TARGETS[kind](site, options)
                target.path.parent.mkdir(parents=True, exist_ok=True)
                if plan.shard:
                    _export_shard(site, plan, plan.shard, target)
                else:
                    _export(site, plan, target)
            except OSError as error:
                reason = f"{error.strerror}: {error.filename}" if error.filename else str(error)
                raise ExportError(f"--{kind} {options[kind]}: {reason}") from error


def _jsonl(site: Site, options: dict[str, Any]) -> _Target:
    return _file(site, options, options["jsonl"], _json_lines(options))


def _json_lines(options: dict[str, Any]) -> JsonLines:
    return JsonLines(tuple(options["kinds"]) or (PAGES, CHUNKS), options["chunk_size"])


def _file(site: Site, options: dict[str, Any], path: Path, export: Export) -> _Target:
    namespaces = _namespaces(site, options, for_readers=False)
    return _Target(path, namespaces, repr(export), lambda _: export, partial(_appended, path))


@contextmanager
def _appended(path: Path, state: State) -> Iterator[AppendedFile]:
    with closing(AppendedFile(path, state.length)) as file:
        yield file
        file.finish()


def _parquet(site: Site, options: dict[str, Any]) -> _Target:
    path: Path = options["parquet"]
    export, records = _json_lines(options), path / _RECORDS

    def finish(_: State) -> None:
        with Progress("Parquet files", None, "steps", 1):
            write_dataset(site, records, export.kinds)
        records.unlink()

    target = _file(site, options, path, export)
    return target._replace(open_sink=partial(_appended, records), folder=path, finish=finish)


def _markdown(site: Site, options: dict[str, Any]) -> _Target:
    path: Path = options["markdown"]
    if path.suffix == _MARKDOWN and not path.is_dir():
        return _file(site, options, path, MarkdownFile())
    return _Target(
        path,
        _namespaces(site, options, for_readers=False),
        "markdown",
        MarkdownFolder,
        lambda _: nullcontext(DocumentSink(path)),
        ending=_MARKDOWN,
        folder=path,
    )


def _html(site: Site, options: dict[str, Any]) -> _Target:
    path: Path = options["html"]
    built = StaticSite(path, options["url"].rstrip("/"), parsoid=options["parser"] == "parsoid")

    def finish(state: State) -> None:
        with Progress("Lists and search", None, "steps", 1):
            built.finish(site, state)

    return _Target(
        path,
        _namespaces(site, options, for_readers=True),
        f"html {options['parser']} {built.address}",
        built.export,
        lambda _: nullcontext(built.sink(site)),
        ending=_HTML,
        folder=path,
        finish=finish,
    )


def _zim(site: Site, options: dict[str, Any]) -> _Target:
    path: Path = options["zim"]
    folder = path.with_name(f"{path.name}.parts")
    built = StaticSite(folder, "", is_zim=True, parsoid=options["parser"] == "parsoid")

    def finish(state: State) -> None:
        with Progress("ZIM file", None, "steps", 1):
            built.finish(site, state)
            write_zim(site, state, folder, path, options["jobs"])

    return _Target(
        path,
        _namespaces(site, options, for_readers=True),
        f"zim {options['parser']}",
        built.export,
        lambda _: nullcontext(built.sink(site)),
        ending=_HTML,
        folder=folder,
        finish=finish,
        clean_up=built.remove,
    )


_TARGETS: Mapping[str, Callable[[Site, dict[str, Any]], _Target]] = {
    "html": _html,
    "zim": _zim,
    "jsonl": _jsonl,
    "parquet": _parquet,
    "markdown": _markdown,
}


def _export(site: Site, plan: _Plan, target: _Target) -> None:
    """Write an export, or what an interrupted one lacks.

    Raises:
        ExportError: the folder is not empty and does not contain an unfinished export, or shards
            are missing.
    """
    fingerprint = running.fingerprint(site, target.facts, target.namespaces)
    results = plan.results(target, fingerprint)
    with closing(_opened_state(target, fingerprint)) as state:
        with target.open_sink(state) as sink:
            _run(site, plan, target, state, results, sink)
        target.finish(state)
        _report(state, target.path)
        state.remove()
    target.clean_up()


def _opened_state(target: _Target, fingerprint: str) -> State:
    folder = target.folder
    if folder is not None:
        path = folder / _STATE
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists() and any(folder.iterdir()):
            raise ExportError(f"{folder} is not empty: choose another folder, or remove it first")
        return State(path, fingerprint)
    path, part = target.path.with_name(f"{target.path.name}.state"), part_of(target.path)
    state = State(path, fingerprint)
    if state.length and (not part.exists() or part.stat().st_size < state.length):
        # The part of the file that the state tells of is gone.
        state.remove()
        state = State(path, fingerprint)
    return state


def _export_shard(site: Site, plan: _Plan, shard: Shard, target: _Target) -> None:
    """Write one shard of an export, unless it is finished."""
    fingerprint = running.fingerprint(site, target.facts, target.namespaces)
    state = shards.open_state(target.path, shard, fingerprint)
    with closing(state):
        if not shards.is_finished(state):
            _run(site, plan, target, state, plan.results(target, fingerprint), StateSink())
            shards.finish(state)
        state.make_single_file()
        _report(state, state.path)


def _check_targets(targets: Mapping[str, Path]) -> None:
    """Check where the exports will be, before anything is rendered.

    Raises:
        ExportError: a name has the ending of another format, or a folder cannot be written to.
    """
    for name, path in targets.items():
        if name in _FILE_ENDINGS and path.suffix and path.suffix not in _FILE_ENDINGS[name]:
            endings = " or ".join(_FILE_ENDINGS[name])
            raise ExportError(f"--{name} {path}: the name of the file must end with {endings}")
        existing = path
        while not existing.exists():
            existing = existing.parent
        if existing != path and not existing.is_dir():
            raise ExportError(f"--{name} {path}: {existing} is not a folder")
        if not os.access(existing, os.W_OK):
            raise ExportError(f"--{name} {path}: {existing} cannot be written to")


def _namespaces(site: Site, options: dict[str, Any], *, for_readers: bool) -> list[int]:
    """Return the numbers of the namespaces to export, in ascending order.

    Raises:
        UsageError: the options name a namespace that the wiki does not have.
    """
    existing = [number for number in site.namespaces.ids() if number >= 0]
    if chosen := sorted(set(options["namespaces"])):
        if unknown := [number for number in chosen if number not in existing]:
            raise click.UsageError(f"there is no namespace {unknown[0]}")
        return chosen
    return [number for number in existing if _is_default(site, number, for_readers=for_readers)]


def _is_default(site: Site, number: int, *, for_readers: bool) -> bool:
    namespace = site.namespaces[number]
    if namespace.is_talk or number in _NOT_FOR_READERS:
        return False
    return number == 0 or namespace.content or (for_readers and number in {4, 12, FILE, CATEGORY})


def _run(
    site: Site, plan: _Plan, target: _Target, state: State, results: Results, sink: ResultSink
) -> None:
    if target.ending:
        fill_names(state, site, target.namespaces, target.ending)
    if state.pages:
        click.echo(f"Resuming after {counted(state.pages, 'page')}.", err=True)
    export, total = plan.export(target, state), results.count(site, target.namespaces)
    with Progress("Pages", total, "pages", 1) as bar:
        running.run(site, state, target.namespaces, export, sink, results, bar.move_to)


def _report(state: State, path: Path) -> None:
    click.echo(f"Exported {counted(state.pages, 'page')} to {path}.", err=True)
    if state.failed:
        failed = counted(state.failed, "page")
        click.echo(f"Warning: {failed} could not be rendered; see the log.", err=True)
