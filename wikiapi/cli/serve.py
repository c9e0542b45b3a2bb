"""``wikiapi serve``: answer requests until interrupted."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import click

from wikiapi.cli.support.options import (
    DEFAULT_CONFIG,
    Command,
    configured,
    processors,
    read_config,
    setting_range,
)
from wikiapi.config import Config, HttpConfig, SiteConfig
from wikiapi.errors import CollationUnavailable, ConfigError
from wikiapi.languages.language import ENGLISH

if TYPE_CHECKING:
    from wikiapi.http.serving.reopening import Reopening
    from wikiapi.pages.links.collation import CollationChange
    from wikiapi.site import Site
    from wikiapi.store.database import Database


_MOST_PAGES = 1_000
"""The number of pages whose links are derived before the first request, which takes seconds."""


@click.command(
    "serve",
    cls=Command,
    examples=(
        (
            "wikiapi serve pages.xml.gz",
            "Import a dump, unless that is done, and serve it.",
        ),
        ("wikiapi serve", "Listen on the configured address, by default 127.0.0.1:8080."),
        ("wikiapi serve --listen 127.0.0.1:8000 --threads 8", "Use another port and more threads."),
        ("wikiapi serve --workers 1", "Use a single process."),
    ),
)
@click.argument("dumps", metavar="[DUMP]...", nargs=-1)
@configured
@click.option("--listen", metavar="HOST:PORT", help="Address and port to listen on.")
@click.option(
    "--threads", type=setting_range(HttpConfig, "threads"), help="Number of threads per process."
)
@click.option("--workers", type=setting_range(HttpConfig, "workers"), help="Number of processes.")
@click.pass_context
def command(
    context: click.Context,
    config: Config,
    dumps: tuple[str, ...],
    listen: str | None,
    threads: int | None,
    workers: int | None,
) -> None:
    """Answer requests over HTTP until interrupted.

    With dumps or folders, `wikiapi import` imports them first. On a terminal, a line is printed for
    each request, unless http.access_log is set.
    """
    from wikiapi.http.serving.server import check_free, serve

    options = {"listen": listen, "threads": threads, "workers": workers}
    config = _with_options(config, options)
    check_free(config.http.listen)
    read = partial(read_config, context.params["path"], context.params["database"])
    if dumps:
        from wikiapi.cli.import_dump import Import, Options

        path = context.params["path"] or DEFAULT_CONFIG
        Import(config, Options(dumps, path, processors())).run()
        config = _with_options(read(), options)
    _follow_settings(config)
    # The access log goes to standard output.
    handler = logging.StreamHandler(sys.stdout)
    logger = logging.getLogger("wikiapi.access")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    processes = number_of_workers(config)
    if processes > 1:
        from wikiapi.http.serving.workers import serve_by_workers  # imports gunicorn

        serve_by_workers(_opened, lambda: _with_options(read(), options), processes, _announce)
        return
    with _opened(config) as app:
        serve(app, config.http, partial(_announce, config, app))


def _follow_settings(config: Config) -> None:
    """Derive links again if settings of links have changed, and sort keys if the collation has.

    If these are many, the command that does it is named. The language of MediaWiki's own database
    is not known: the setting is named if there is none.
    """
    from peewee import fn

    from wikiapi.cli.support.linking import derive_links
    from wikiapi.factory import existing_site
    from wikiapi.importing.finish import finish_unless_done
    from wikiapi.importing.origin import completed, load_origin
    from wikiapi.pages.links.derivation import changed_settings
    from wikiapi.store.database import Database
    from wikiapi.store.models import Page
    from wikiapi.store.schema import migrate

    with closing(Database(config.database.url, read_only=True)) as db:
        migrate.check(db)
        if not migrate.version(db):
            _say_language(config, db)
            return
        settings = completed(config, load_origin(db))
        changed, order = changed_settings(db, settings), _new_order(db, settings.site)
        pages = db.scalar(Page.select(fn.COUNT(Page.page_id))) if changed or order else 0
    if not changed and order is None:
        return
    if config.database.read_only or pages > _MOST_PAGES:
        if changed:
            names = ", ".join(changed)
            click.echo(
                f"Links were derived with other settings ({names}):"
                " `wikiapi links` derives them again.",
                err=True,
            )
        if order:
            click.echo(f"{order} `wikiapi links` makes them again.", err=True)
        return
    with existing_site(config) as site:
        derive_links(site)
        finish_unless_done(site)


def _new_order(db: Database, settings: SiteConfig) -> CollationChange | None:
    """Return how the collation has changed; None also if it cannot make keys."""
    from wikiapi.languages.collation import collation
    from wikiapi.pages.links.collation import collation_change

    try:
        order = collation(settings.category_collation, settings.language)
        return collation_change(db, order)
    except CollationUnavailable:
        return None


def _say_language(config: Config, db: Database) -> None:
    from wikiapi.importing.origin import likely_languages

    if config.site.language:
        return
    likely = likely_languages(db)
    if ENGLISH not in likely:
        lines = " or ".join(f'language = "{code}"' for code in likely or ["CODE"])
        click.echo(
            "The database does not tell the language of the wiki, which is taken for English:"
            f" if it is not, write {lines} in [site] of wikiapi.toml.",
            err=True,
        )


def number_of_workers(config: Config) -> int:
    """Return the number of processes for a configuration.

    The default is one for each processor if gunicorn is installed. For a writable wiki it is a
    single process, because only one transaction at a time writes to the store.

    Raises:
        ConfigError: several processes are configured, but gunicorn is not installed.
    """
    workers = config.http.workers
    is_possible = hasattr(os, "fork") and find_spec("gunicorn") is not None
    if workers > 1 and not is_possible:
        raise ConfigError(
            "http.workers: several processes need gunicorn: pip install 'wikiapi-server[workers]'"
        )
    if not workers:
        return processors() if is_possible and not config.site.writable else 1
    return workers


def is_terminal() -> bool:
    """Return whether standard output is a terminal."""
    return sys.stdout.isatty()


def _with_options(config: Config, options: dict[str, Any]) -> Config:
    settings = {name: value for name, value in options.items() if value is not None}
    if config.http.access_log == "auto":
        settings["access_log"] = "short" if is_terminal() else "off"
    return replace(config, http=replace(config.http, **settings))


def _opened(config: Config) -> Reopening:
    from wikiapi.http.serving.reopening import Reopening

    return Reopening(lambda: _whole_site(config))


@contextmanager
def _whole_site(config: Config) -> Iterator[Site]:
    """Open the site, and do what a process that was killed has left undone.

    Raises:
        InvalidSetting: the wiki should be writable, and its database cannot be.
    """
    from wikiapi.factory import check_writable, existing_site
    from wikiapi.pages.links.pending import update_waiting

    with existing_site(config) as site:
        check_writable(site)
        if site.is_writable:
            update_waiting(site)
        yield site


def _announce(config: Config, app: Reopening, address: str) -> None:
    api = f"{address}{config.site.script_path}/api.php"
    click.echo(f"{app.name} answers at {api}; Ctrl-C stops it.")
    for mount in app.labelled:
        click.echo(f"{mount.label}: {address}{mount.path}")
