"""What the wiki is called and where it lives: settings that are well-formed and still wrong."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel import Locale, UnknownLocaleError

from wikiapi.cli.doctor.declaration import note, problem, warning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikiapi.config import Config
    from wikiapi.store.check.finding import Finding

_NAME = "wiki"


def check_addresses(config: Config) -> Iterator[Finding]:
    """Server, script path and article path make addresses."""
    site = config.site
    parts = urlsplit(config.server)
    if parts.scheme not in {"http", "https"} or not parts.netloc or parts.path:
        yield problem(
            _NAME,
            f"site.server is {site.server!r}",
            'It is a scheme and a host without a slash at the end: "https://wiki.example.org".',
        )
    if "$1" not in site.article_path:
        yield problem(
            _NAME,
            f"site.article_path is {site.article_path!r}, without a place for the page",
            'Write $1 where the page\'s name stands: "/wiki/$1".',
        )
    if site.script_path and (site.script_path[0] != "/" or site.script_path[-1] == "/"):
        yield problem(
            _NAME,
            f"site.script_path is {site.script_path!r}",
            'It begins with a slash and ends without: "/w"; empty for the root.',
        )


def check_time_zone(config: Config) -> Iterator[Finding]:
    """The time zone is one that there is."""
    name = config.site.timezone
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        advice = "Write an IANA name such as UTC or Europe/Berlin; `pip install tzdata` if it is."
        yield problem(_NAME, f"there is no time zone {name!r}", advice)


def check_language(config: Config) -> Iterator[Finding]:
    """The content language is known."""
    code = config.site.language
    try:
        Locale.parse(code, sep="-")
    except (UnknownLocaleError, ValueError):
        text = f"the language {code!r} is not known: numbers and dates will be English"
        yield warning(_NAME, text, "Write MediaWiki's code of it in site.language: en, pt-br.")


def check_namespaces(config: Config) -> Iterator[Finding]:
    """No number or name is given twice."""
    entries = config.namespaces
    for number, count in Counter(entry.id for entry in entries).items():
        if count > 1:
            yield problem(
                _NAME, f"namespace {number} is configured {count} times", "Keep one of them."
            )
    names = Counter(entry.name.lower() for entry in entries)
    for name, count in names.items():
        if count > 1:
            yield problem(
                _NAME, f"{count} namespaces are called {name!r}", "Give each a name of its own."
            )


def check_rights(config: Config) -> Iterator[Finding]:
    """Visitors may read."""
    if "read" not in config.permissions.anonymous_rights:
        text = "visitors have no right to read: nearly every request will be refused"
        advice = 'If that is not meant so, add "read" to permissions.anonymous_rights.'
        yield note(_NAME, text, advice)
