"""``wikiapi export``: exporting a wiki's pages for readers, search engines and language models."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import click

from wikiapi.cli.support.progress import Progress
from wikiapi.config import Config
from wikiapi.factory import existing_site, reading_workers
from wikiapi.site import Site
from wikiapi.texts import counted
from wikiapi.title import CATEGORY, FILE, MEDIAWIKI, MODULE, TEMPLATE, USER
from wikiapi_plugins.export import CHUNKS, PAGES, ExportError, running
from wikiapi_plugins.export.names import fill_names
from wikiapi_plugins.export.parquet import check_pyarrow, write_dataset
from wikiapi_plugins.export.records import (
    AppendedFile,
    JsonLines,
    MarkdownFile,
    MarkdownFolder,
    part_of,
)
from wikiapi_plugins.export.running import Export, NullSink, ResultSink
from wikiapi_plugins.export.site.build import StaticSite
from wikiapi_plugins.export.state import State
from wikiapi_plugins.export.zim import check_libzim, write_zim

_STATE = ".wikiapi-export"
_NOT_FOR_READERS = frozenset({USER, MEDIAWIKI, TEMPLATE, MODULE})
_RECORDS = ".records.jsonl"
_MARKDOWN = ".md"
_FILE_ENDINGS: Mapping[str, Sequence[str]] = {"zim": (".zim",), "jsonl": (".jsonl", ".ndjson")}
Workers = tuple[int, running.OpenSite] | None


def run(config: Config, options: dict[str, Any]) -> None:
    """Write the requested exports.

    Raises:
        UsageError: the options name no kind of export, or an unknown namespace.
        ExportError: the destination of an export cannot be used, or the export failed.
    """
    kinds = [name for name in _EXPORTS if options[name]]
    if not kinds:
        names = [f"--{name}" for name in _EXPORTS]
        raise click.UsageError(f"give at least one of {', '.join(names[:-1])} and {names[-1]}")
    _check_targets({name: options[name] for name in kinds})
    if "zim" in kinds:
        check_libzim()
    if "parquet" in kinds:
        check_pyarrow()
    workers = reading_workers(config, options["jobs"])
    with existing_site(config, read_only=True) as site:
        for kind in kinds:
            _EXPORTS[kind](site, workers, options)


def _export_jsonl(site: Site, workers: Workers, options: dict[str, Any]) -> None:
    _export_file(site, workers, options, options["jsonl"], _json_lines(options))


def _json_lines(options: dict[str, Any]) -> JsonLines:
    return JsonLines(tuple(options["kinds"]) or (PAGES, CHUNKS), options["chunk_size"])


def _export_parquet(site: Site, workers: Workers, options: dict[str, Any]) -> None:
    path: Path = options["parquet"]
    export = _json_lines(options)
    namespaces = _namespaces(site, options, for_readers=False)
    records = path / _RECORDS
    with _folder_state(site, path, repr(export), namespaces) as state:
        with closing(AppendedFile(records, state.length)) as file:
            _run(site, state, namespaces, export, file, workers)
            file.finish()
        with Progress("Parquet files", None, "steps", 1):
            write_dataset(site, state, records, export.kinds)
        records.unlink()
        _report(state, path)
        state.remove()


def _export_markdown(site: Site, workers: Workers, options: dict[str, Any]) -> None:
    path: Path = options["markdown"]
    if path.suffix == _MARKDOWN and not path.is_dir():
        _export_file(site, workers, options, path, MarkdownFile())
        return
    namespaces = _namespaces(site, options, for_readers=False)
    with _folder_state(site, path, "markdown", namespaces) as state:
        fill_names(state, site, namespaces, _MARKDOWN)
        export = MarkdownFolder(path, state.path)
        _run(site, state, namespaces, export, NullSink(), workers)
        _report(state, path)
        state.remove()


def _export_file(
    site: Site, workers: Workers, options: dict[str, Any], path: Path, export: Export
) -> None:
    namespaces = _namespaces(site, options, for_readers=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    state_path = path.with_name(f"{path.name}.state")
    state = State(state_path, running.fingerprint(site, export, namespaces))
    length = state.length
    part = part_of(path)
    if length and (not part.exists() or part.stat().st_size < length):
        state.remove()
        state = State(state_path, running.fingerprint(site, export, namespaces))
        length = 0
    file = AppendedFile(path, length)
    try:
        _run(site, state, namespaces, export, file, workers)
        file.finish()
        _report(state, path)
        state.remove()
    finally:
        file.close()
        state.close()


def _export_html(site: Site, workers: Workers, options: dict[str, Any]) -> None:
    path: Path = options["html"]
    built = StaticSite(path, options["url"].rstrip("/"), parsoid=options["parser"] == "parsoid")
    namespaces = _namespaces(site, options, for_readers=True)
    with _folder_state(site, path, f"html {options['parser']}", namespaces) as state:
        fill_names(state, site, namespaces, ".html")
        _run(site, state, namespaces, built.export(state.path), built.sink(), workers)
        with Progress("Lists and search", None, "steps", 1):
            built.finish(site, state)
        _report(state, path)
        state.remove()


def _export_zim(site: Site, workers: Workers, options: dict[str, Any]) -> None:
    path: Path = options["zim"]
    path.parent.mkdir(parents=True, exist_ok=True)
    folder = path.with_name(f"{path.name}.parts")
    built = StaticSite(folder, "", is_zim=True, parsoid=options["parser"] == "parsoid")
    namespaces = _namespaces(site, options, for_readers=True)
    with _folder_state(site, folder, f"zim {options['parser']}", namespaces) as state:
        fill_names(state, site, namespaces, ".html")
        _run(site, state, namespaces, built.export(state.path), built.sink(), workers)
        with Progress("ZIM file", None, "steps", 1):
            built.finish(site, state)
            write_zim(site, state, folder, path)
        _report(state, path)
        state.remove()
    built.remove()


_EXPORTS = {
    "html": _export_html,
    "zim": _export_zim,
    "jsonl": _export_jsonl,
    "parquet": _export_parquet,
    "markdown": _export_markdown,
}


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


@contextmanager
def _folder_state(
    site: Site, folder: Path, kind: str, namespaces: Sequence[int]
) -> Iterator[State]:
    """Open the state of an export to a folder.

    Raises:
        ExportError: the folder is not empty and does not contain an unfinished export.
    """
    path = folder / _STATE
    folder.mkdir(parents=True, exist_ok=True)
    if not path.exists() and any(folder.iterdir()):
        raise ExportError(f"{folder} is not empty: choose another folder, or remove it first")
    state = State(path, running.fingerprint(site, kind, namespaces))
    try:
        yield state
    finally:
        state.close()


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
    site: Site,
    state: State,
    namespaces: Sequence[int],
    export: Export,
    sink: ResultSink,
    workers: Workers,
) -> None:
    if state.pages:
        click.echo(f"Resuming after {counted(state.pages, 'page')}.", err=True)
    total = running.count(site, namespaces)
    with Progress("Pages", total, "pages", 1) as bar:
        running.run(site, state, namespaces, export, sink, workers, bar.move_to)


def _report(state: State, path: Path) -> None:
    click.echo(f"Exported {counted(state.pages, 'page')} to {path}.", err=True)
    if state.failed:
        failed = counted(state.failed, "page")
        click.echo(f"Warning: {failed} could not be rendered; see the log.", err=True)
