"""``wikiapi fetch-files``: get the files that pages use."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from wikiapi.cli.support.advice import Failure, resumable
from wikiapi.cli.support.options import TEXT, Command, configured, jobs_option, printable
from wikiapi.config import Config
from wikiapi.texts import counted

if TYPE_CHECKING:
    from wikiapi.cli.support.progress import Progress
    from wikiapi.importing.files.download import Downloader
    from wikiapi.importing.files.fetch import FetchLimits, FetchReport
    from wikiapi.importing.files.remote import RemoteFiles
    from wikiapi.importing.live.client import LiveApi
    from wikiapi.site import Site


_GO_ON = "Files that are complete are kept: run the same command again to resume."
_FAILED = "Run the same command again to try these files once more."


_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


_SIZE = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,9})?)([kmgt]?)b?", re.ASCII | re.IGNORECASE)


if TYPE_CHECKING:
    _SizeType = click.ParamType[int]
else:
    _SizeType = click.ParamType  # generic since click 8.5 only


class _Size(_SizeType):
    """A number of bytes, written with a unit: ``500k``, ``20M``, ``1.5G``."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        match = _SIZE.fullmatch(str(value))
        if match is None:
            self.fail(f"{value!r} is not a size such as 500k, 20M or 1.5G", param, ctx)
        return int(float(match[1]) * _UNITS[match[2].lower()])


@click.command(
    "fetch-files",
    cls=Command,
    short_help="Get the files that pages use.",
    examples=(
        (
            "wikiapi fetch-files https://wiki.example.org/w/api.php",
            "Get them from the live wiki, and the rest from the configured repositories.",
        ),
        ("wikiapi fetch-files --dry-run", "Show the number and size of the files, but get none."),
        ("wikiapi fetch-files --from images.zip", "Get them from a ZIP archive."),
    ),
)
@click.argument("url", required=False, type=TEXT)
@click.option(
    "--from",
    "place",
    metavar="PLACE",
    type=click.Path(exists=True, path_type=Path),
    help="Folder, ZIP or tar archive to get the files from; subfolders are included.",
)
@click.option(
    "--max-size", type=_Size(), default="100M", show_default=True, help="Maximum size of a file."
)
@click.option(
    "--max-total",
    type=_Size(),
    default="10G",
    show_default=True,
    help="Maximum size of all files together.",
)
@click.option(
    "--rate",
    type=click.FloatRange(0.01, 100),
    default=5,
    show_default=True,
    help="Maximum number of requests per second. They are sent one at a time.",
)
@click.option(
    "--host",
    "hosts",
    metavar="HOST",
    multiple=True,
    type=TEXT,
    help="Another host that files may come from, as in files.fetch_hosts. Can be repeated.",
)
@click.option(
    "--contact",
    type=TEXT,
    default="",
    help="Your mail or web address, for the operators of the wiki. Wikimedia asks for one.",
)
@click.option("--dry-run", is_flag=True, help="Only show what would be fetched.")
@jobs_option
@configured
def command(
    config: Config,
    url: str | None,
    place: Path | None,
    max_size: int,
    max_total: int,
    rate: float,
    hosts: tuple[str, ...],
    contact: str,
    dry_run: bool,
    jobs: int,
) -> None:
    """Get the files that pages use and the wiki does not have.

    They come from the live wiki whose api.php is at URL, by default the wiki in site.source, and
    from the configured repositories; or from a folder or archive. They are put into files.folder.
    An interrupted run resumes when the same command is run again. The exit status is 1 if files
    failed that a later run may get; files that are missing there or too large do not count.
    """
    from wikiapi.cli.support.linking import derive_links
    from wikiapi.factory import existing_site
    from wikiapi.importing.files.fetch import FetchLimits
    from wikiapi.importing.finish import finish_unless_done

    if url and place:
        raise click.UsageError("give either a URL or --from")
    if not contact.isprintable():
        raise click.UsageError("--contact is not a mail or web address")
    limits = FetchLimits(max_size, max_total)
    with resumable(_GO_ON), existing_site(config, read_only=dry_run) as site:
        if place:
            report = _from_collection(site, place, limits, dry_run)
        else:
            # The language is that of the pages unless it is set.
            source = _Source(site.config, url or site.config.site.source, hosts, rate, contact)
            report = _from_wikis(site, source, limits, dry_run)
        _show(report, dry_run)
        if report.fetched and not dry_run:
            derive_links(site, jobs)
            finish_unless_done(site)
    if report.failed.count:
        raise Failure(f"{counted(report.failed.count, 'file')} failed", _FAILED)


class _Source:
    """The wikis to query, the rate of requests, and the allowed hosts."""

    def __init__(
        self, config: Config, address: str, hosts: tuple[str, ...], rate: float, contact: str
    ) -> None:
        from wikiapi.fetching import RateLimit, user_agent
        from wikiapi.importing.live.discovery import find_api

        self._config = config
        self._agent = user_agent("fetch-files", contact)
        self._rate_limit = RateLimit(rate, time.sleep)
        self._private = {*hosts, *([_host(address)] if address else [])}
        self._public = [*config.files.fetch_hosts, *hosts]
        self.say: Callable[[str], None] = partial(click.echo, err=True)
        self.wikis: list[RemoteFiles] = []
        if address:
            self._add(find_api(address, self._api), "")
        for repository in config.repositories:
            api = self._api(repository.api, public_only=not repository.allow_private)
            (self._public.append if api.public_only else self._private.add)(_host(api.url))
            self._add(api, repository.name)

    def downloader(self, folder: Path) -> Downloader:
        from wikiapi.importing.files.download import Downloader, Hosts

        hosts = Hosts(self._public, self._private)
        return Downloader(
            folder, hosts, self._agent, self._rate_limit, time.sleep, on_retry=self._on_retry
        )

    def _add(self, api: LiveApi, prefix: str) -> None:
        from wikiapi.importing.files.remote import RemoteFiles

        language, longest = self._config.site.language, self._config.limits.article_size
        self.wikis.append(RemoteFiles(api, prefix, language, longest))

    def _api(self, url: str, *, public_only: bool = False) -> LiveApi:
        from wikiapi.importing.live.client import LiveApi

        return LiveApi(
            url,
            wait=time.sleep,
            agent=self._agent,
            before_request=self._rate_limit,
            public_only=public_only,
            on_retry=self._on_retry,
        )

    def _on_retry(self, reason: str, seconds: float) -> None:
        self.say(printable(f"No answer ({reason}): trying again in {seconds:.0f} s."))


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _from_wikis(site: Site, source: _Source, limits: FetchLimits, dry_run: bool) -> FetchReport:
    from wikiapi.importing.files.fetch import RemoteRun, staging_folder

    if not source.wikis:
        raise click.UsageError(
            "give the URL of the live wiki's api.php, or set site.source or repositories"
        )
    with _progress(site) as bar:
        source.say = bar.say
        if dry_run:
            return RemoteRun(site, source.wikis, limits, None, _mover(bar)).run()
        with staging_folder(site) as folder:
            downloader = source.downloader(folder)
            return RemoteRun(site, source.wikis, limits, downloader, _mover(bar)).run()


def _from_collection(site: Site, place: Path, limits: FetchLimits, dry_run: bool) -> FetchReport:
    from wikiapi.importing.files.fetch import CollectionRun, staging_folder, unpacking_folder

    with _progress(site) as bar:
        if dry_run:
            return CollectionRun(site, place, limits, None, _mover(bar)).run()
        with staging_folder(site) as staging, unpacking_folder(staging) as folder:
            return CollectionRun(site, place, limits, folder, _mover(bar)).run()


def _progress(site: Site) -> Progress:
    from wikiapi.cli.support.progress import Progress
    from wikiapi.importing.files.fetch import count_used

    return Progress("Files", count_used(site.db), "files", 1)


def _mover(bar: Progress) -> Callable[[FetchReport], None]:
    """Return a function that updates a progress bar from a report."""
    return lambda report: bar.move_to(
        report.seen, f"{report.fetched} fetched, {_megabytes(report.size)}"
    )


def _show(report: FetchReport, dry_run: bool) -> None:
    for names, what in (
        (report.missing, "Missing there"),
        (report.too_large, "Too large"),
        (report.failed, "Failed"),
    ):
        for name, reason in names.first:
            title = name.replace("_", " ")
            click.echo(printable(f"{what}: {title}{': ' if reason else ''}{reason}"), err=True)
        if names.count > len(names.first):
            click.echo(f"{what}: {names.count - len(names.first)} more", err=True)
    done = "Would fetch" if dry_run else "Fetched"
    click.echo(
        f"{done} {counted(report.fetched, 'file')} ({_megabytes(report.size)});"
        f" {report.present} already there, {report.missing.count} missing there,"
        f" {report.too_large.count} too large, {report.failed.count} failed.",
        err=True,
    )
    if report.is_full:
        click.echo("There are more files: --max-total limits their size.", err=True)


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
