"""The wikis of a farm, as the configuration and the interwiki map describe them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any
from urllib.parse import urlsplit

from wikiapi.errors import ConfigError
from wikiapi.languages import is_known_language
from wikiapi.site import Site
from wikiapi.title import is_linkable

NAME = "sitematrix"
STATES = ("closed", "private", "fishbowl", "nonglobal")
_WIKIPEDIA = "wiki"


@dataclass(frozen=True, slots=True)
class Wiki:
    """A wiki of the farm, as in ``[[extensions.sitematrix.wikis]]``.

    ``dbname`` is the name of its database, ``url`` its address without a path, ``code`` the kind of
    project, or the name of a special wiki. A wiki with a ``language`` is listed under it; others
    are special, and their ``lang`` is the language of their content.
    """

    url: str
    dbname: str
    code: str = _WIKIPEDIA
    sitename: str = ""
    language: str = ""
    lang: str = ""
    closed: bool = False
    private: bool = False
    fishbowl: bool = False
    nonglobal: bool = False

    @property
    def states(self) -> tuple[str, ...]:
        """The special states of the wiki."""
        return tuple(state for state in STATES if getattr(self, state))


class Wikis:
    """The wikis of one farm; made with ``site.derived``."""

    def __init__(self, site: Site) -> None:
        """Collect the wikis.

        Raises:
            ConfigError: a wiki is configured incorrectly.
        """
        wikis: dict[str, Wiki] = {}
        tables = site.config.extensions.get(NAME, {}).get("wikis", ())
        config = site.config.site
        own = Wiki(config.server, config.wiki_id, sitename=config.name, language=site.language)
        for wiki in (*map(_configured_wiki, tables), own, *_linked(site)):
            wikis.setdefault(wiki.dbname, wiki)
        self.all = tuple(sorted(wikis.values(), key=lambda wiki: (wiki.code, wiki.dbname)))
        self.special = tuple(wiki for wiki in self.all if not wiki.language)
        self.languages = tuple(sorted({wiki.language for wiki in self.all if wiki.language}))

    def of(self, language: str) -> tuple[Wiki, ...]:
        """Return the wikis in a language."""
        return tuple(wiki for wiki in self.all if wiki.language == language)


def _linked(site: Site) -> Iterator[Wiki]:
    for entry in site.interwiki:
        if entry.local and entry.wiki_id and is_known_language(entry.prefix):
            parts = urlsplit(entry.url, site.config.site.server.partition(":")[0])
            url = f"{parts.scheme}://{parts.netloc}"
            yield Wiki(url, entry.wiki_id, language=entry.prefix, sitename=site.config.site.name)


def _configured_wiki(settings: Mapping[str, Any]) -> Wiki:
    kinds = {field.name: str(field.type) for field in fields(Wiki)}
    for name, value in settings.items():
        if name not in kinds:
            raise ConfigError(f"[[extensions.{NAME}.wikis]] has no setting {name}")
        if type(value).__name__ != kinds[name]:
            raise ConfigError(f"[[extensions.{NAME}.wikis]] {name}: not a {kinds[name]}")
    for name in ("url", "dbname"):
        if not settings.get(name):
            raise ConfigError(f"[[extensions.{NAME}.wikis]]: {name} must be set")
    if not is_linkable(settings["url"]):
        raise ConfigError(f"[[extensions.{NAME}.wikis]] url: not an http or https address")
    return Wiki(**settings)
