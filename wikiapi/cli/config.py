"""``wikiapi config``: take over the settings of an existing wiki."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wikiapi.cli.support.options import DEFAULT_CONFIG, TEXT, Command, printable
from wikiapi.cli.support.progress import say_retry
from wikiapi.config import Config, DatabaseConfig, parse_config
from wikiapi.errors import ConfigError, StoreError
from wikiapi.plugins import installed as installed_plugins
from wikiapi.registry import VERSION_PAGE, ExtensionCredits, Registry, collect, own_name

if TYPE_CHECKING:
    from wikiapi.attach.extensions import Installed
    from wikiapi.attach.livewiki import LiveWiki
    from wikiapi.attach.takeover import Takeover
    from wikiapi.importing.live.client import LiveApi
    from wikiapi.site import Site


_NAMES = 20
"""The number of unknown words that are listed."""


@click.group("config")
def command() -> None:
    """Take over the settings of an existing wiki."""


@command.command(
    "from",
    cls=Command,
    examples=(
        (
            "wikiapi config from mediawiki/LocalSettings.php",
            "Attach the wiki of a MediaWiki: its database, files, namespaces and other settings.",
        ),
        (
            "wikiapi config from https://wiki.example.org/wiki/Main_Page",
            "Complete the configuration of a dump with the settings of the live wiki.",
        ),
        (
            "wikiapi config from LocalSettings.php --dry-run",
            "Show what would be written.",
        ),
    ),
)
@click.argument("source", metavar="FILE|URL", type=TEXT)
@click.option(
    "--output",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    default=DEFAULT_CONFIG,
    show_default=True,
    help="Configuration to write, or to complete if it exists: its settings and comments stay.",
)
@click.option("--dry-run", is_flag=True, help="Print the configuration instead of writing it.")
@click.option(
    "--contact",
    type=TEXT,
    default="",
    help="Your mail or web address, for the operators of a live wiki. Wikimedia asks for one.",
)
def from_source(source: str, output: Path, dry_run: bool, contact: str) -> None:
    """Take over the settings of the wiki with the LocalSettings.php FILE, or of the one at URL.

    A LocalSettings.php is read, not run; with it, the files that it includes from its folder. The
    report lists what was taken over, what has no meaning here, and what could not be read or is not
    available. A configuration with the password of a database can be read by its owner only.
    """
    from wikiapi.attach import livewiki, localsettings, tomlfile
    from wikiapi.attach.livewiki import LiveWiki
    from wikiapi.attach.takeover import without_password

    if not contact.isprintable():
        raise click.UsageError("--contact is not a mail or web address")
    before = _read(output)
    if "://" in source:
        wiki = LiveWiki(_api(source, contact))
        takeover = livewiki.take_over(wiki, _installed())
        text = _completed(before, source, takeover, output)
        takeover.missing += _checked(wiki, parse_config(tomllib.loads(text), output.parent))
    else:
        takeover = localsettings.take_over(Path(source), _installed())
        text = _completed(before, Path(source).name, takeover, output)
    if dry_run:
        click.echo(without_password(text), nl=False)
    for line in takeover.lines(kept=tomlfile.kept_settings(before, takeover.settings)):
        click.echo(printable(line), err=True)
    if not dry_run:
        is_secret = tomlfile.write(text, output)
        done = "Completed" if before else "Wrote"
        guarded = ", which only you can read, since it has the database's password"
        click.echo(f"{done} {output}{guarded if is_secret else ''}.", err=True)


def _read(path: Path) -> str:
    """Return the text of a configuration; empty if it does not exist."""
    try:
        return path.read_text(encoding="utf-8") if path.exists() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read {path}: {error}") from error


def _completed(before: str, source: str, takeover: Takeover, path: Path) -> str:
    """Return the text of a configuration that has the settings, with which a wiki can be opened."""
    from wikiapi.attach import tomlfile
    from wikiapi.factory import empty_site

    try:
        text = tomlfile.completed(
            before or f"# Written by `wikiapi config from {printable(source)}`.\n",
            takeover.settings,
        )
        with empty_site(replace(parse_config(tomllib.loads(text)), database=DatabaseConfig())):
            return text
    except ConfigError as error:
        raise ConfigError(f"{path} cannot be completed: {error}") from error


def _installed() -> Installed:
    """Return the plugins that stand for extensions, and the rights of groups by default."""
    from wikiapi.attach.extensions import Installed
    from wikiapi.factory import empty_site

    with empty_site(Config()) as site:
        usual = set(_plugins(site).values())
        groups = _siteinfo(site, "usergroups")["usergroups"]
    with empty_site(Config(extensions={name: {} for name in installed_plugins()})) as site:
        plugins = _plugins(site)
    return Installed(
        plugins,
        optional=frozenset(plugins.values()) - usual,
        groups={group["name"]: group["rights"] for group in groups},
    )


def _plugins(site: Site) -> dict[str, str]:
    """Return the plugins that stand for extensions of MediaWiki, by the folded names of these."""
    from wikiapi.attach.extensions import folded

    credits_by_name: Registry[ExtensionCredits] = collect(
        site.plugins, "register_extension_credits", own_name, site=site
    )
    return {
        folded(each.name): credits_by_name.owner(each.name)
        for each in credits_by_name.values()
        if each.url.startswith(VERSION_PAGE)
    }


def _siteinfo(site: Site, parts: str) -> dict[str, Any]:
    from wikiapi.api.calling import call

    answer = call(site, {"action": "query", "meta": "siteinfo", "siprop": parts})
    query: dict[str, Any] = answer["query"]
    return query


def _api(address: str, contact: str) -> LiveApi:
    from wikiapi.fetching import user_agent
    from wikiapi.importing.live.client import LiveApi
    from wikiapi.importing.live.discovery import find_api

    return find_api(
        address,
        partial(
            LiveApi,
            wait=time.sleep,
            agent=user_agent("config", contact),
            on_retry=say_retry,
        ),
    )


def _checked(wiki: LiveWiki, config: Config) -> Iterator[str]:
    """Yield what the wiki has and the copy lacks: words of wikitext, pages and files."""
    from wikiapi.attach.livewiki import WORDS
    from wikiapi.factory import empty_site
    from wikiapi.store.database import Database
    from wikiapi.store.schema import migrate

    with empty_site(replace(config, database=DatabaseConfig())) as site:
        here = _siteinfo(site, "|".join(WORDS))
    for part, kind in WORDS.items():
        if unknown := sorted(wiki.words(part) - set(here[part])):
            more = f" and {len(unknown) - _NAMES} more" if len(unknown) > _NAMES else ""
            yield f"{kind} that no plugin knows: {', '.join(unknown[:_NAMES])}{more}"
    try:
        with closing(Database(config.database.url, read_only=True)) as db:
            if migrate.has_table(db, "page"):
                yield from wiki.differences(db)
    except StoreError:
        return  # There is no store yet: the dump is imported later.
