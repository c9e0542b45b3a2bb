"""``wikiapi import``: import dumps and folders of wikitext."""

from __future__ import annotations

import shutil
import tomllib
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from wikiapi.cli.support.advice import Failure, resumable
from wikiapi.cli.support.options import (
    DEFAULT_CONFIG,
    Command,
    check_readable,
    cluster_option,
    configured,
    jobs_option,
    recent_option,
    warn_of_titles,
)
from wikiapi.config import Config, load_config, parse_config
from wikiapi.errors import ConfigError, DumpError, InvalidSetting
from wikiapi.heap import collected_rarely
from wikiapi.importing import RECENT_DAYS
from wikiapi.importing.source import STDIN, DumpLimits, limits_for, open_source
from wikiapi.languages.language import language
from wikiapi.texts import counted

if TYPE_CHECKING:
    from wikiapi.cli.support.progress import Progress
    from wikiapi.importing.importer import Checkpoint, ImportReport
    from wikiapi.importing.wikidump import Comparison, WikiDump
    from wikiapi.importing.xml.records import SiteInfo
    from wikiapi.site import Site
    from wikiapi.store.database import Database


_UPLOADS = "images"
_SQLITE = "sqlite:///"
_GO_ON = "The pages imported so far are saved: run the same command again to resume."


@click.command(
    "import",
    cls=Command,
    short_help="Import dumps or folders of wikitext.",
    examples=(
        (
            "wikiapi import pages.xml.gz",
            "Import into wikiapi.sqlite, and write wikiapi.toml, unless there is one.",
        ),
        (
            "wikiapi import --database wiki.sqlite pages.xml.gz",
            "Import into another store.",
        ),
        (
            "wikiapi import --write-config wiki.toml pages.xml.gz",
            "Write the configuration to another file.",
        ),
        (
            "wikiapi import examplewiki-20260101-wikidump.7z",
            "Import pages and files from an archive of WikiTeam's tools.",
        ),
    ),
)
@click.argument("dumps", metavar="DUMP...", nargs=-1, required=True)
@click.option(
    "--interwiki",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Interwiki map for a new store: a JSON answer of meta=siteinfo.",
)
@click.option(
    "--write-config",
    type=click.Path(path_type=Path),
    help="Write a configuration for the dump's wiki, unless the file exists, and use it. Defaults"
    " to wikiapi.toml if there is no configuration.",
)
@click.option("--any-wiki", is_flag=True, help="Allow dumps of different wikis in one store.")
@click.option(
    "--prune",
    "prune_gone",
    is_flag=True,
    help="Remove pages that are not in the dumps, which together must be complete and current.",
)
@click.option("--links/--no-links", default=True, help="Derive the link tables afterwards.")
@jobs_option
@cluster_option
@recent_option
@configured
@click.pass_context
def command(
    context: click.Context,
    config: Config,
    dumps: tuple[str, ...],
    interwiki: Path | None,
    write_config: Path | None,
    any_wiki: bool,
    prune_gone: bool,
    links: bool,
    jobs: int,
    cluster: str,
    recent_days: int,
) -> None:
    """Import XML dumps (plain, .gz, .bz2, .xz, .zst, .7z; - for standard input) or folders.

    A folder, or a .7z file with several files, may also be an archive that WikiTeam's tools made.
    Without a configuration, wikiapi.toml is written from the head of the dump. An interrupted
    import resumes when the same command is run again.
    """
    used = write_config or context.params["path"] or DEFAULT_CONFIG
    options = Options(
        dumps=dumps,
        config=used,
        interwiki=interwiki,
        write_config=write_config,
        any_wiki=any_wiki,
        prune=prune_gone,
        links=links,
        jobs=jobs,
        cluster=cluster,
        recent_days=recent_days,
        serve=_command_to_serve(used, context.params["database"]),
    )
    Import(config, options).run()


def _command_to_serve(path: Path, database: str | None) -> str:
    """Return the command that serves the store with the same configuration."""
    words = ["wikiapi serve"]
    if path != DEFAULT_CONFIG:
        words.append(f"--config {path}")
    if database is not None:
        words.append(f"--database {database.removeprefix('sqlite:///')}")
    return " ".join(words)


class Options(NamedTuple):
    """The options of the command.

    ``config`` is the configuration file that is used. ``write_config`` is the one to write if it
    does not exist; None for that of the current folder, if it is used. ``serve`` is the command
    that serves the store, to be run next; empty if it is served anyway.
    """

    dumps: tuple[str, ...]
    config: Path
    jobs: int
    cluster: str = ""
    interwiki: Path | None = None
    write_config: Path | None = None
    any_wiki: bool = False
    prune: bool = False
    links: bool = True
    recent_days: int = RECENT_DAYS
    serve: str = ""


class Import:
    """One run of the command."""

    def __init__(self, config: Config, options: Options) -> None:
        """Prepare a run with the configuration and the options of the command."""
        from wikiapi.importing.siteinfo import read_interwiki

        self._options = options
        self._write_config = options.write_config
        if options.config == DEFAULT_CONFIG and not options.config.exists():
            self._write_config = DEFAULT_CONFIG
        # The file exists if an interrupted import is resumed; it is used and never overwritten.
        self._config = self._reloaded(config)
        self._rows = read_interwiki(options.interwiki) if options.interwiki else None
        self._wikidumps: dict[str, WikiDump] = {}
        self._unpacked: list[Path] = []
        self._bar: Progress | None = None
        self._said: set[str] = set()
        self._resumes = False
        self._wrote = False

    def run(self) -> None:
        """Import all dumps, derive links and recent changes, and print a summary.

        Raises:
            WikiapiError: a dump cannot be imported. Files that this run created are removed if the
                store contains no pages.
        """
        from wikiapi.cli.support.cleanup import removing_on_failure
        from wikiapi.store.database import Database
        from wikiapi.store.schema import migrate

        self._check()
        url = self._config.database.url
        with (
            removing_on_failure(url, self._write_config),
            collected_rarely(),
            closing(Database(url)) as db,
        ):
            migrate.upgrade(db)
            self._import(db)
        # Kept until here, so that an interrupted import can be resumed.
        for folder in self._unpacked:
            shutil.rmtree(folder, ignore_errors=True)

    def _check(self) -> None:
        """Check all files before anything is created."""
        from wikiapi.importing.compression import check_is_dump, is_address

        for name in self._options.dumps:
            if is_address(name):
                raise Failure(
                    f"{name} is a URL: download the file first",
                    f"`curl -LO {name}`, then `wikiapi import {name.rpartition('/')[2] or 'FILE'}`",
                )
        check_readable(self._options.dumps)
        limits = limits_for(self._config.limits.article_size)
        for name in self._options.dumps:
            if dump := self._wikidump(Path(name), limits):
                self._wikidumps[name] = dump
            path = dump.pages if dump else Path(name)
            if path.is_file():  # a pipe can be read only once
                with open_source(str(path)) as source:
                    check_is_dump(source, limits)

    def _wikidump(self, path: Path, limits: DumpLimits) -> WikiDump | None:
        """Return the parts of an archive of WikiTeam's tools; ``None`` for another dump."""
        from wikiapi.importing import wikidump

        if path.is_dir():
            return wikidump.in_folder(path)
        if not path.is_file() or not wikidump.holds_folder(path, limits):
            return None
        # Beside the store, or in the current folder for a server's.
        url = self._config.database.url
        state = Path(url.removeprefix(_SQLITE)).parent if url.startswith(_SQLITE) else Path()
        folder = wikidump.unpacked_folder(path, state)
        click.echo(f"Unpacking {path} into {folder}", err=True)
        wikidump.unpack(path, folder, limits)
        self._unpacked.append(folder)
        dump = wikidump.in_folder(folder)
        if dump is None:
            raise DumpError(f"{path} is an archive without a dump in XML")
        return dump

    def _import(self, db: Database) -> None:
        from wikiapi.cli.support.linking import derive_links
        from wikiapi.cli.support.progress import Progress
        from wikiapi.cli.support.summary import summary
        from wikiapi.factory import open_site
        from wikiapi.importing.deletion import prune, settle_displaced
        from wikiapi.importing.finish import finish_unless_done
        from wikiapi.store.write.bulk import loading

        site = open_site(self._config, database=db)
        with resumable(_GO_ON), loading(db):
            for name in self._options.dumps:
                self._import_one(site, name)
            settle_displaced(db)
            if self._options.prune:
                gone = counted(prune(db), "page that is", "pages that are")
                click.echo(f"Removed {gone} not in the dumps.", err=True)
            # Reopened because the dump supplied an interwiki map, and perhaps a configuration.
            site = open_site(self._reloaded(self._config), database=db)
            for dump in self._wikidumps.values():
                self._import_images(site, dump)
            if self._options.links:
                derive_links(site, self._options.jobs, self._options.cluster, resumed=self._resumes)
        with resumable(_GO_ON), Progress("Counts", None, "steps", 1):
            finish_unless_done(site, self._options.recent_days)
        self._settle_main_page(site)
        for line in summary(
            site,
            serve=self._options.serve,
            links=self._options.links,
            config=self._write_config if self._wrote else None,
        ):
            click.echo(line, err=True)

    def _import_one(self, site: Site, name: str) -> None:
        from wikiapi.importing.folder import import_folder, skipped_folders
        from wikiapi.importing.wikidump import interwiki_of

        label = "standard input" if name == STDIN else name
        if dump := self._wikidumps.get(name):
            self._rows = self._rows or interwiki_of(dump)
            report = self._import_dump(site, str(dump.pages))
        elif Path(name).is_dir():
            report = import_folder(site, Path(name))
            for folder in skipped_folders(site, Path(name)):
                click.echo(f"Warning: skipped {folder!r}, which is not a namespace", err=True)
        else:
            report = self._import_dump(site, name)
        warn_of_titles(report.refused)
        if report.without_text:
            empty = counted(report.without_text, "revision has", "revisions have")
            click.echo(f"Warning: {empty} no text in {label}", err=True)
        if report.already_done:
            self._resumes = True
            click.echo(f"{label} has been imported already.", err=True)
        else:
            click.echo(f"Imported {counted(report.pages, 'page')} from {label}.", err=True)

    def _import_images(self, site: Site, dump: WikiDump) -> None:
        """Import the files of an archive, and compare pages and files with its lists."""
        from wikiapi.cli.support.progress import Progress
        from wikiapi.importing.files.importer import import_files
        from wikiapi.importing.wikidump import missing_images, missing_titles, pictures_of

        origins = pictures_of(site, dump)
        if origins:
            with Progress("Files", len(origins), "files", 1) as bar:
                move = dump.pages.parent in self._unpacked
                report = import_files(site, list(origins), bar.move_to, origins=origins, move=move)
            for file, reason in report.refused:
                click.echo(f"Warning: skipped {file!r}: {reason}", err=True)
            unchanged = f", {report.unchanged} unchanged" if report.unchanged else ""
            click.echo(f"Imported {counted(report.imported, 'file')}{unchanged}.", err=True)
        for noun, comparison in (
            ("page", missing_titles(site, dump)),
            ("file", missing_images(site, dump)),
        ):
            if comparison is not None:
                click.echo(_compared(noun, comparison), err=True)

    def _import_dump(self, site: Site, name: str) -> ImportReport:
        from wikiapi.cli.support.progress import Progress
        from wikiapi.factory import parsing_workers
        from wikiapi.importing.importer import DumpImporter

        with (
            open_source(name) as source,
            Progress("Pages", source.size, reached=lambda: source.position) as bar,
        ):
            self._bar = bar

            def resume(checkpoint: Checkpoint) -> None:
                self._resumes = True
                left = ""
                if source.size and checkpoint.position:
                    percent = 100 - 100 * checkpoint.position // source.size
                    left = f"; {percent} % of the file are left"
                bar.say(f"Resuming after {counted(checkpoint.items, 'page')} of {name}{left}.")

            importer = DumpImporter(
                site,
                workers=parsing_workers(site.config, self._options.jobs, self._options.cluster),
                any_wiki=self._options.any_wiki,
                for_pruning=self._options.prune,
                on_site_info=lambda info: self._meet(site, info),
                on_resume=resume,
                on_progress=lambda report: bar.move_to(
                    source.position, counted(report.items, "page")
                ),
            )
            try:
                return importer.import_dump(source)
            except DumpError as error:
                named = DumpError(f"{source.name if name == STDIN else name}: {error}")
                named.line = error.line
                raise named from error

    def _meet(self, site: Site, info: SiteInfo) -> None:
        """Write the configuration from the head of a dump, or print how it differs."""
        from wikiapi.factory import title_codec
        from wikiapi.importing.origin import completed, origin_of
        from wikiapi.importing.siteinfo import default_interwiki, differences, fill_interwiki

        fill_interwiki(site.db, default_interwiki(info.base) if self._rows is None else self._rows)
        path = self._write_config
        if path and not path.exists():
            _write(self._config_text(info, site, path), path)
            self._say(f"Wrote {path}: name, language and namespaces of {info.name or 'the wiki'}.")
            self._wrote = True
            return
        # The settings that the wiki will have, with those of the dump that it does not set itself.
        origin = origin_of(info)
        config = completed(self._config, origin)
        namespaces = title_codec(config, site.interwiki).namespaces
        for difference in differences(origin, config.site, namespaces):
            if difference not in self._said:
                self._say(f"Warning: {difference}")
                self._said.add(difference)

    def _config_text(self, info: SiteInfo, site: Site, path: Path) -> str:
        """Return the text of a configuration, with a default main page if the dump's is invalid."""
        from wikiapi.factory import check_main_page, interwiki_map, title_codec
        from wikiapi.importing.siteinfo import config_text, with_main_page

        url = _seen_from(site.config.database.url, path.parent)
        is_only = path.name == DEFAULT_CONFIG.name
        text = config_text(
            info, url, path.with_name(_UPLOADS if is_only else f"{path.stem}-{_UPLOADS}").name
        )
        config = parse_config(tomllib.loads(text))
        try:
            check_main_page(config, title_codec(config, interwiki_map(config, site.db)))
        except InvalidSetting:
            return with_main_page(text, language(config.site.language).main_page)
        return text

    def _say(self, text: str) -> None:
        if self._bar is not None:
            self._bar.say(text)

    def _settle_main_page(self, site: Site) -> None:
        """Set another main page in the configuration if the configured one is not in the store."""
        from wikiapi.importing.siteinfo import (
            WRITTEN,
            guessed_main_page,
            has_main_page,
            with_main_page,
        )

        if has_main_page(site):
            return
        main_page = guessed_main_page(site)
        if main_page is None:
            return
        name, path = main_page.prefixed_text, self._options.config
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        missing = f"There is no page {site.main_page.prefixed_text!r}"
        if text.startswith(WRITTEN) and "[site]" in text.split("\n"):
            _write(with_main_page(text, name), path)
            click.echo(f"{missing}: {name!r} is the main page now (see {path}).", err=True)
        else:
            click.echo(f"{missing}: set main_page = {name!r} in [site].", err=True)

    def _reloaded(self, config: Config) -> Config:
        path = self._write_config
        if path is None or not path.exists():
            return config
        return replace(load_config(path), database=config.database)


def _compared(noun: str, comparison: Comparison) -> str:
    """Return a sentence about the pages or files that an archive lists but does not contain."""
    listed, missing, examples = comparison
    count = counted(listed, noun)
    if not missing:
        return f"The archive lists {count}, and has them all."
    names = ", ".join(map(repr, examples))
    more = ", …" if missing > len(examples) else ""
    return f"Warning: the archive lists {count}, and lacks {missing}: {names}{more}"


def _seen_from(url: str, folder: Path) -> str:
    """Return the URL of a database for a configuration in a folder, whose paths begin there."""
    file = Path(url.removeprefix(_SQLITE))
    if not url.startswith(_SQLITE) or file.is_absolute() or folder == Path():
        return url
    file, folder = file.absolute(), folder.absolute()
    return f"{_SQLITE}{file.relative_to(folder) if file.is_relative_to(folder) else file}"


def _write(text: str, path: Path) -> None:
    from wikiapi.filerepo import durable

    partial = path.with_name(f"{path.name}.partial")
    try:
        partial.write_text(text, encoding="utf-8")
        durable.replace(partial, path)
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror}") from error
