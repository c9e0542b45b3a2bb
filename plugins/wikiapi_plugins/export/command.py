"""``wikiapi export``: write the wiki's pages for readers, search engines and language models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from wikiapi.cli.support.linking import jobs_option
from wikiapi.cli.support.linking import workers as link_workers
from wikiapi.cli.support.options import Command, configured
from wikiapi.cli.support.progress import Progress
from wikiapi.cli.support.sites import existing_site
from wikiapi.config import Config
from wikiapi.errors import WikiapiError
from wikiapi.site import Site
from wikiapi.title import CATEGORY, FILE, MEDIAWIKI, MODULE, TEMPLATE, USER
from wikiapi_plugins.export import running
from wikiapi_plugins.export.names import fill_names
from wikiapi_plugins.export.records import (
    CHUNKS,
    PAGES,
    AppendedFile,
    JsonLines,
    MarkdownFile,
    MarkdownFolder,
    Nothing,
    part_of,
)
from wikiapi_plugins.export.running import Export, Keeper
from wikiapi_plugins.export.site.build import StaticSite
from wikiapi_plugins.export.state import State
from wikiapi_plugins.export.zim import check_libzim, write_zim
from wikiapi_plugins.markdown.chunks import CHUNK_CHARACTERS

_STATE = ".wikiapi-export"
_NOT_FOR_READERS = frozenset({USER, MEDIAWIKI, TEMPLATE, MODULE})
_MARKDOWN = ".md"
Workers = tuple[int, running.OpenSite] | None


class ExportError(WikiapiError):
    """An export cannot be written where it is to go."""


@click.command(
    "export",
    cls=Command,
    short_help="Write pages as a static site, ZIM, JSON lines or Markdown.",
    examples=(
        ("wikiapi export --html site", "A site for any web server, or to open from disk."),
        ("wikiapi export --zim wiki.zim", "A file for Kiwix."),
        ("wikiapi export --jsonl wiki.jsonl", "Pages and chunks, a record on each line."),
        ("wikiapi export --markdown pages --namespace 0", "A Markdown file for each article."),
    ),
)
@configured
@click.option(
    "--html", type=click.Path(file_okay=False, path_type=Path), help="Folder for a static site."
)
@click.option("--zim", type=click.Path(dir_okay=False, path_type=Path), help="A ZIM file.")
@click.option(
    "--jsonl", type=click.Path(dir_okay=False, path_type=Path), help="A file of JSON lines."
)
@click.option(
    "--markdown",
    type=click.Path(path_type=Path),
    help="A folder for a Markdown file of each page, or one file if the name ends with .md.",
)
@click.option(
    "--namespace",
    "namespaces",
    type=int,
    multiple=True,
    help="Number of a namespace to export; may be repeated. Defaults to those of content, for a"
    " site also to files, categories and others that readers see.",
)
@click.option(
    "--kind",
    "kinds",
    type=click.Choice([PAGES, CHUNKS]),
    multiple=True,
    help="Which records --jsonl writes; by default both.",
)
@click.option(
    "--chunk-size",
    type=click.IntRange(200, 100_000),
    default=CHUNK_CHARACTERS,
    show_default=True,
    help="Characters of a chunk at most.",
)
@click.option("--url", default="", help="Address that the static site will have; for its sitemap.")
@jobs_option
def command(config: Config, **options: Any) -> None:
    """Write the pages of the wiki, rendered, with templates expanded and tables kept.

    An export that was interrupted goes on where it was when the same command is given again. The
    result does not depend on --jobs.
    """
    kinds = [name for name in ("html", "zim", "jsonl", "markdown") if options[name]]
    if not kinds:
        raise click.UsageError("say what to write: --html, --zim, --jsonl or --markdown")
    if "zim" in kinds:
        check_libzim()
    workers = link_workers(config, options["jobs"])
    with existing_site(config, read_only=True) as site:
        for kind in kinds:
            _EXPORTS[kind](site, workers, options)


def _export_jsonl(site: Site, workers: Workers, options: dict[str, Any]) -> None:
    kinds = tuple(options["kinds"]) or (PAGES, CHUNKS)
    export = JsonLines(kinds, options["chunk_size"])
    _export_file(site, workers, options, options["jsonl"], export)


def _export_markdown(site: Site, workers: Workers, options: dict[str, Any]) -> None:
    path: Path = options["markdown"]
    if path.suffix == _MARKDOWN and not path.is_dir():
        _export_file(site, workers, options, path, MarkdownFile())
        return
    namespaces = _namespaces(site, options, for_readers=False)
    with _folder_state(site, path, "markdown", namespaces) as state:
        fill_names(state, site, namespaces, _MARKDOWN)
        export = MarkdownFolder(path, state.path)
        _run(site, state, namespaces, export, Nothing(), workers)
        _say(state, path)
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
        _say(state, path)
        state.remove()
    finally:
        file.close()
        state.close()


def _export_html(site: Site, workers: Workers, options: dict[str, Any]) -> None:
    path: Path = options["html"]
    _build_site(site, workers, options, path, StaticSite(path, options["url"].rstrip("/")))


def _export_zim(site: Site, workers: Workers, options: dict[str, Any]) -> None:
    path: Path = options["zim"]
    path.parent.mkdir(parents=True, exist_ok=True)
    folder = path.with_name(f"{path.name}.parts")
    built = StaticSite(folder, "", is_zim=True)
    namespaces = _namespaces(site, options, for_readers=True)
    with _folder_state(site, folder, "zim", namespaces) as state:
        fill_names(state, site, namespaces, ".html")
        _run(site, state, namespaces, built.export(state.path), built.keeper(), workers)
        built.finish(site, state)
        write_zim(site, state, folder, path)
        _say(state, path)
        state.remove()
    built.remove()


def _build_site(
    site: Site, workers: Workers, options: dict[str, Any], path: Path, built: StaticSite
) -> None:
    namespaces = _namespaces(site, options, for_readers=True)
    with _folder_state(site, path, "html", namespaces) as state:
        fill_names(state, site, namespaces, ".html")
        _run(site, state, namespaces, built.export(state.path), built.keeper(), workers)
        built.finish(site, state)
        _say(state, path)
        state.remove()


_EXPORTS = {
    "html": _export_html,
    "zim": _export_zim,
    "jsonl": _export_jsonl,
    "markdown": _export_markdown,
}


@contextmanager
def _folder_state(
    site: Site, folder: Path, kind: str, namespaces: Sequence[int]
) -> Iterator[State]:
    """Open the state of an export into a folder, which must be empty or hold an unfinished one.

    Raises:
        ExportError: the folder holds anything else.
    """
    path = folder / _STATE
    folder.mkdir(parents=True, exist_ok=True)
    if not path.exists() and any(folder.iterdir()):
        raise ExportError(f"{folder} is not empty: name another folder, or remove it first")
    state = State(path, running.fingerprint(site, kind, namespaces))
    try:
        yield state
    finally:
        state.close()


def _namespaces(site: Site, options: dict[str, Any], *, for_readers: bool) -> list[int]:
    """Return the namespaces to export, in their order.

    Raises:
        UsageError: the wiki has no such namespace.
    """
    known = [number for number in site.namespaces.ids() if number >= 0]
    if given := sorted(set(options["namespaces"])):
        if unknown := [number for number in given if number not in known]:
            raise click.UsageError(f"there is no namespace {unknown[0]}")
        return given
    return [number for number in known if _is_default(site, number, for_readers=for_readers)]


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
    keeper: Keeper,
    workers: Workers,
) -> None:
    if state.pages:
        click.echo(f"Going on behind {state.pages} pages.", err=True)
    total = running.count(site, namespaces)
    with Progress("Pages", total, "pages", 1) as bar:
        running.run(site, state, namespaces, export, keeper, workers, bar.move_to)


def _say(state: State, path: Path) -> None:
    click.echo(f"Exported {state.pages} pages to {path}.", err=True)
    if state.failed:
        text = f"Warning: {state.failed} pages could not be rendered; the log names them."
        click.echo(text, err=True)
