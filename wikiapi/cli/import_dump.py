"""``wikiapi import``: import dumps and folders of wikitext into the store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import click

from wikiapi.cli.support.advice import Interrupted
from wikiapi.cli.support.linking import derive_links, jobs_option, recent_option
from wikiapi.cli.support.options import Command, configured, refuse_unreadable, warn_of_titles
from wikiapi.cli.support.progress import Progress
from wikiapi.config import Config, load_config
from wikiapi.dump.deletion import SeenPages, prune, settle_displaced
from wikiapi.dump.finish import finish_unless_done
from wikiapi.dump.folder import import_folder, left_out
from wikiapi.dump.garbage import collected_rarely
from wikiapi.dump.importer import DumpImporter, ImportReport
from wikiapi.dump.siteinfo import (
    config_text,
    default_interwiki,
    differences,
    fill_interwiki,
    read_interwiki,
)
from wikiapi.dump.source import open_source
from wikiapi.dump.xml.records import SiteInfo
from wikiapi.errors import ConfigError
from wikiapi.factory import open_site
from wikiapi.site import Site
from wikiapi.store.database import Database
from wikiapi.store.queries.interwiki import InterwikiRow
from wikiapi.store.schema import migrate
from wikiapi.store.write.bulk import loading

_GO_ON = "The pages imported so far are saved: run the same command again to resume."


@click.command(
    "import",
    cls=Command,
    short_help="Import dumps or folders of wikitext.",
    examples=(
        (
            "wikiapi import pages.xml.gz",
            "Import into the store of wikiapi.toml, or wikiapi.sqlite.",
        ),
        (
            "wikiapi import --write-config wikiapi.toml pages.xml.gz",
            "Also take the wiki's name and namespaces from the dump. Recommended for a new store.",
        ),
        (
            "wikiapi import --database sqlite:///wiki.sqlite pages.xml.gz",
            "Import into another store.",
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
    help="Write a configuration for the dump's wiki, unless the file exists, and use it.",
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
@recent_option
@configured
def command(
    config: Config,
    dumps: tuple[str, ...],
    interwiki: Path | None,
    write_config: Path | None,
    any_wiki: bool,
    prune_gone: bool,
    links: bool,
    jobs: int,
    recent_days: int,
) -> None:
    """Import XML dumps (plain, .gz, .bz2, .xz, .zst, .7z; - for standard input) or folders.

    An interrupted import resumes when the same command is run again.
    """
    # The file exists already if an interrupted import is resumed: use it, never overwrite it.
    config = _reloaded(config, write_config)
    rows = read_interwiki(interwiki) if interwiki else None
    refuse_unreadable(dumps)
    with collected_rarely(), closing(Database(config.database.url)) as db:
        migrate.upgrade(db)
        run = _Run(open_site(config, database=db), rows, write_config, any_wiki, prune_gone)
        with _resumable(), loading(db):
            for name in dumps:
                run.import_one(name)
            run.clear_up()
            # Reopened because the dump supplied an interwiki map, and perhaps a configuration.
            site = open_site(_reloaded(config, write_config), database=db)
            if links:
                derive_links(site, jobs)
        finish_unless_done(site, recent_days)


@contextmanager
def _resumable() -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        raise Interrupted(_GO_ON) from None


def _reloaded(config: Config, path: Path | None) -> Config:
    if path is None or not path.exists():
        return config
    return replace(load_config(path), database=config.database)


class _Run:
    """The state of one run of the command, shared by its dumps."""

    def __init__(
        self,
        site: Site,
        rows: list[InterwikiRow] | None,
        write_config: Path | None,
        any_wiki: bool,
        prune_gone: bool,
    ) -> None:
        self._site, self._rows = site, rows
        self._seen = SeenPages(site.db) if prune_gone else None
        self._write_config, self._any_wiki = write_config, any_wiki
        self._warnings_shown: set[str] = set()

    def import_one(self, name: str) -> None:
        if Path(name).is_dir():
            report = import_folder(self._site, Path(name))
            for folder in left_out(self._site, Path(name)):
                click.echo(f"Warning: left out {folder!r}, which is not a namespace", err=True)
        else:
            report = self._import_dump(name)
        warn_of_titles(report.refused)
        if report.without_text:
            click.echo(f"Warning: {report.without_text} revisions have no text in it", err=True)
        if report.already_done:
            click.echo(f"{name} has been imported already.", err=True)
        else:
            click.echo(f"Imported {report.pages} pages from {name}.", err=True)

    def clear_up(self) -> None:
        """Remove pages that none of the dumps contains, after all dumps have been read."""
        settle_displaced(self._site.db)
        if self._seen is not None:
            click.echo(f"Removed {prune(self._site.db)} pages that are not in the dumps.", err=True)

    def _import_dump(self, name: str) -> ImportReport:
        with open_source(name) as source, Progress("Pages", source.size) as bar:
            importer = DumpImporter(
                self._site,
                any_wiki=self._any_wiki,
                seen=self._seen,
                on_site_info=self._meet,
                on_progress=lambda report: bar.move_to(source.position, f"{report.pages} pages"),
            )
            return importer.import_dump(source)

    def _meet(self, info: SiteInfo) -> None:
        rows = default_interwiki(info.base) if self._rows is None else self._rows
        fill_interwiki(self._site.db, rows)
        if self._write_config and not self._write_config.exists():
            self._write(config_text(info, self._site.config.database.url), self._write_config)
            return
        for difference in differences(info, self._site):
            if difference not in self._warnings_shown:
                click.echo(f"Warning: {difference}", err=True)
                self._warnings_shown.add(difference)

    def _write(self, text: str, path: Path) -> None:
        partial = path.with_name(f"{path.name}.partial")
        try:
            partial.write_text(text, encoding="utf-8")
            partial.replace(path)
        except OSError as error:
            raise ConfigError(f"cannot write {path}: {error.strerror}") from error
