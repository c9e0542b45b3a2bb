"""``wikiapi serve``: answer requests until interrupted."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from typing import Any

import click

from wikiapi.cli.support.options import read_config
from wikiapi.config import Config
from wikiapi.dump.links.pages import update_waiting
from wikiapi.errors import ConfigError
from wikiapi.factory import check_writable, existing_site
from wikiapi.http.serving.reopening import Reopening
from wikiapi.http.serving.server import check_free, serve
from wikiapi.processors import processors
from wikiapi.site import Site


def run(config: Config, listen: str | None, threads: int | None, workers: int | None) -> None:
    """Serve the wiki until interrupted, in one process or several."""
    options = {"listen": listen, "threads": threads, "workers": workers}
    config = _with_options(config, options)
    check_free(config.http.listen)
    _show_access_log()
    processes = number_of_workers(config)
    if processes > 1:
        from wikiapi.http.serving.workers import serve_by_workers  # imports gunicorn

        files = click.get_current_context().params
        read = partial(read_config, files["path"], files["database"])
        serve_by_workers(_opened, lambda: _with_options(read(), options), processes, _announce)
        return
    with _opened(config) as app:
        serve(app, config.http, partial(_announce, config, app))


def number_of_workers(config: Config) -> int:
    """Return the number of processes for a configuration.

    The default is one for each processor if gunicorn is installed. For a writable wiki it is a
    single process, because only one transaction at a time writes to the store.

    Raises:
        ConfigError: several processes are configured, but gunicorn is not installed.
    """
    wanted = config.http.workers
    is_possible = hasattr(os, "fork") and find_spec("gunicorn") is not None
    if wanted > 1 and not is_possible:
        raise ConfigError(
            "http.workers: several processes need gunicorn: pip install 'wikiapi-server[workers]'"
        )
    if not wanted:
        return processors() if is_possible and not config.site.writable else 1
    return wanted


def is_terminal() -> bool:
    """Return whether standard output is a terminal."""
    return sys.stdout.isatty()


def _with_options(config: Config, options: dict[str, Any]) -> Config:
    given = {name: value for name, value in options.items() if value is not None}
    if config.http.access_log == "auto":
        given["access_log"] = "short" if is_terminal() else "off"
    return replace(config, http=replace(config.http, **given))


def _opened(config: Config) -> Reopening:
    return Reopening(lambda: _whole_site(config))


@contextmanager
def _whole_site(config: Config) -> Iterator[Site]:
    """Open the site, and do what a process that was killed has left undone.

    Raises:
        InvalidSetting: the wiki should be writable, and its database cannot be.
    """
    with existing_site(config) as site:
        check_writable(site)
        if site.is_writable:
            update_waiting(site)
        yield site


def _announce(config: Config, app: Reopening, address: str) -> None:
    api = f"{address}{config.site.script_path}/api.php"
    click.echo(f"{config.site.name} answers at {api}; Ctrl-C stops it.")
    for mount in app.labelled:
        click.echo(f"{mount.label}: {address}{mount.path}")


def _show_access_log() -> None:
    """Write the access log to standard output."""
    handler = logging.StreamHandler(sys.stdout)
    logger = logging.getLogger("wikiapi.access")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
