"""SiteMatrix: ``action=sitematrix`` lists the wikis of a farm, by language, and special ones.

For wikis whose configuration has a table ``[extensions.sitematrix]``; without it the action does
not exist. The wikis are those of ``[[extensions.sitematrix.wikis]]``, this one, and the local
entries of the interwiki map that have a language code as prefix and the name of a database.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from wikiapi.api import Action, Arr, CacheMode, Obj, bad_continue, continuation, enum, limit
from wikiapi.errors import ConfigError
from wikiapi.hookspecs import hookimpl
from wikiapi.languages import cldr_locale, direction, is_known_language
from wikiapi.plugins import Extension
from wikiapi.site import Site
from wikiapi.title import is_linkable
from wikiapi_plugins.extensions import BundledExtension
from wikiapi_plugins.wikitext.parserfunctions.language import language_name


@hookimpl
def register_extensions(site: Site) -> Iterable[Extension]:
    """Return the extension, if the wiki enables it.

    Raises:
        ConfigError: a wiki is configured incorrectly.
    """
    if NAME not in site.config.extensions:
        return ()
    Wikis(site)
    return (
        BundledExtension(
            "SiteMatrix",
            kind="specialpage",
            description="The wikis of a farm",
            actions=(SiteMatrix,),
        ),
    )


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
        linked: list[Wiki] = []
        for entry in site.interwiki:
            if entry.local and entry.wiki_id and is_known_language(entry.prefix):
                parts = urlsplit(entry.url, site.config.site.server.partition(":")[0])
                url = f"{parts.scheme}://{parts.netloc}"
                linked.append(
                    Wiki(url, entry.wiki_id, language=entry.prefix, sitename=site.config.site.name)
                )
        for wiki in (*map(_configured_wiki, tables), own, *linked):
            wikis.setdefault(wiki.dbname, wiki)
        self.all = tuple(sorted(wikis.values(), key=lambda wiki: (wiki.code, wiki.dbname)))
        self.special = tuple(wiki for wiki in self.all if not wiki.language)
        self.languages = tuple(sorted({wiki.language for wiki in self.all if wiki.language}))

    def of(self, language: str) -> tuple[Wiki, ...]:
        """Return the wikis in a language."""
        return tuple(wiki for wiki in self.all if wiki.language == language)


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


_LANGUAGE, _SPECIAL = "language", "special"
_LANGUAGE_PROPS = ("code", "name", "site", "dir", "localname")
_SITE_PROPS = ("url", "dbname", "code", "lang", "sitename")
_ALL = "all"
_MAX_DIGITS = 9


class SiteMatrix(Action):
    """Get a list of the wikis of this farm."""

    name = "sitematrix"
    prefix = "sm"
    params = (
        enum("type", _SPECIAL, _LANGUAGE, multi=True, default=f"{_SPECIAL}|{_LANGUAGE}",
             help="Which wikis to list: those of a language, or special ones."),
        enum("state", _ALL, *STATES, multi=True, default=_ALL,
             help="List only wikis in one of these states."),
        enum("langprop", *_LANGUAGE_PROPS, multi=True, default="|".join(_LANGUAGE_PROPS),
             help="Properties of languages to include."),
        enum("siteprop", *_SITE_PROPS, multi=True, default="|".join(_SITE_PROPS),
             help="Properties of wikis to include."),
        limit("How many languages and special wikis to list.",
              default=5000, largest=5000, highest=5000),
        continuation(),
    )  # fmt: skip
    examples = (("action=sitematrix", "All wikis of the farm"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/Extension:SiteMatrix",)

    def cache_mode(self) -> CacheMode:
        """Return public for anonymous users, whose answers differ only by language."""
        return CacheMode.ANON_PUBLIC_USER_PRIVATE

    def execute(self) -> None:
        """List languages by number, then special wikis, as far as the limit allows."""
        self._wikis = self.site.derived(Wikis)
        matrix = Obj({"count": len(self._wikis.all)}, element=_LANGUAGE)
        most = self.p["limit"]
        for count, (kind, number, item) in enumerate(islice(self._listed(), most + 1)):
            if count == most:
                where = {"smcontinue": f"{kind}|{number}", "continue": "-||"}
                self.result.set((), "continue", Obj(where))
            elif kind == _LANGUAGE:
                matrix[str(number)] = item
            else:
                matrix.setdefault("specials", Arr((), _SPECIAL)).append(item)
        self.result.set((), self.name, matrix)

    def _listed(self) -> Iterator[tuple[str, int, Obj]]:
        begun, first = self._start()
        if _LANGUAGE in self.p["type"] and begun == _LANGUAGE:
            for number, code in islice(enumerate(self._wikis.languages), first, None):
                sites = [wiki for wiki in self._wikis.of(code) if self._matches(wiki)]
                if sites:
                    yield _LANGUAGE, number, self._language(code, sites)
        if _SPECIAL in self.p["type"]:
            for number, wiki in enumerate(self._wikis.special):
                if self._matches(wiki) and (begun == _LANGUAGE or number >= first):
                    yield _SPECIAL, number, self._site(wiki, special=True)

    def _start(self) -> tuple[str, int]:
        """Return the kind and the number to begin with.

        Raises:
            ApiError: ``badcontinue``.
        """
        if self.p["continue"] is None:
            return _LANGUAGE, 0
        kind, _, number = self.p["continue"].partition("|")
        is_number = number.isascii() and number.isdigit() and len(number) <= _MAX_DIGITS
        if kind not in (_LANGUAGE, _SPECIAL) or not is_number:
            raise bad_continue()
        return kind, int(number)

    def _matches(self, wiki: Wiki) -> bool:
        states = self.p["state"]
        return _ALL in states or not set(states).isdisjoint(wiki.states)

    def _language(self, code: str, sites: list[Wiki]) -> Obj:
        # A language without a name in the requested language has its own.
        locale = cldr_locale(self.context.language)
        local_name = locale and locale.languages.get(code.replace("-", "_"))
        facts: dict[str, Any] = {
            "code": code,
            "name": language_name(code),
            "site": Arr((self._site(wiki) for wiki in sites), "site"),
            "dir": direction(code),
            "localname": local_name or language_name(code),
        }
        return Obj({name: value for name, value in facts.items() if name in self.p["langprop"]})

    def _site(self, wiki: Wiki, *, special: bool = False) -> Obj:
        item = Obj(
            {
                name: getattr(wiki, name)
                for name in _SITE_PROPS
                if name in self.p["siteprop"] and (special or name != "lang")
            }
        )
        item.update(dict.fromkeys(wiki.states, True))
        return item
