"""The configuration: ``wikiapi.toml`` read into frozen dataclasses.

Each field is a setting, its table in the file is the class that holds it, and its docstring below
the field is its documentation. An unknown or ill-typed setting is refused by name.
"""

from __future__ import annotations

import dataclasses
import difflib
import tomllib
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from wikiapi.errors import ConfigError


@dataclass(frozen=True)
class SiteConfig:
    """``[site]``: what the wiki is called and where it lives."""

    name: str = "Wiki"
    """Name of the wiki, and of its project namespace unless that is set apart."""
    project_namespace: str = ""
    """Name of the project namespace (4); empty takes the wiki's name with underscores."""
    wiki_id: str = "wiki"
    """Database name: prefix of cookies and value of ``wikiid``."""
    server: str = ""
    """Scheme, host and port of every full URL, never taken from a request; empty takes the address
    of ``http.listen``."""
    script_path: str = "/w"
    """Path under which ``api.php`` lies, without a slash at its end."""
    article_path: str = "/wiki/$1"
    """Path of a page; ``$1`` is its name."""
    main_page: str = "Main Page"
    """Title of the main page."""
    language: str = "en"
    """Content language."""
    timezone: str = "UTC"
    """Time zone of the local time words, an IANA name."""
    capital_links: bool = True
    """Whether titles begin with a capital letter in every namespace."""
    main_subpages: bool = False
    """Whether the main namespace has sub-pages."""
    generator: str = "MediaWiki 1.45.0"
    """The engine that answers name; clients compare its version number."""
    logo: str = ""
    """Address of the wiki's logo, a path or URL."""
    rights_url: str = ""
    """Address of the licence of the wiki's texts."""
    rights_text: str = ""
    """Name of that licence."""
    read_only: str = ""
    """A reason why nothing can be written, shown by siteinfo; empty for none."""


@dataclass(frozen=True)
class NamespaceConfig:
    """``[[namespaces]]``: a namespace beyond the core ones, or a change to a core one."""

    id: int
    """Number; even for a subject namespace, the next odd one for its talk."""
    name: str
    """Local name, with spaces."""
    canonical: str = ""
    """English name; empty takes the local one."""
    aliases: tuple[str, ...] = ()
    """Other names that lead to it."""
    subpages: bool = False
    """Whether ``/`` parts pages from their sub-pages."""
    content: bool = False
    """Whether its pages count as articles."""
    first_letter: bool = True
    """Whether titles begin with a capital letter."""
    content_model: str = ""
    """Default content model of its pages; empty for the usual."""


@dataclass(frozen=True)
class DatabaseConfig:
    """``[database]``: where the pages are."""

    url: str = "sqlite:///wikiapi.sqlite"
    """Database URL: ``sqlite:///relative.sqlite``, ``sqlite:////absolute.sqlite``, ``mysql://``,
    ``postgresql://``."""
    read_only: bool = False
    """Open it without ever writing, as an existing MediaWiki database should be."""
    query_deadline: float = 10.0
    """Seconds that the statements of a request may take together."""
    replicas: tuple[str, ...] = ()
    """URLs of copies of the database, which are read from in turn; one that fails rests for half a
    minute. What is written goes to ``url``."""
    pool_size: int = 10
    """Connections that a process opens at most to each database server: one for each thread of
    the server will do."""


@dataclass(frozen=True)
class HttpConfig:
    """``[http]``: the server and what it lets through."""

    listen: str = "127.0.0.1:8080"
    """Address and port of ``wikiapi serve``."""
    threads: int = 4
    """Number of worker threads of ``wikiapi serve``."""
    max_waiting: int = 200
    """Requests that may wait for a thread of ``wikiapi serve``; more receive 503."""
    max_connections: int = 500
    """Connections that ``wikiapi serve`` has open at most, fewer where the system allows fewer open
    files. Before there are more, those are closed that have waited longest for their client."""
    keep_alive: float = 15.0
    """Seconds for which a connection to ``wikiapi serve`` may wait for the next request."""
    client_timeout: float = 30.0
    """Seconds that a client of ``wikiapi serve`` has to send the head of a request, and that may
    pass in which it takes nothing of its answer. A body has to come with 1 kB a second."""
    request_deadline: float = 60.0
    """Seconds after which a request is given up, whatever it does; 0 for never."""
    shutdown_grace: float = 30.0
    """Seconds that running requests are given when ``wikiapi serve`` is stopped."""
    stale_while_revalidate: int = 0
    """Seconds for which shared caches may give an outdated public answer while they ask for a
    new one; 0 leaves the directive out, as MediaWiki does."""
    debug_info: Literal["auto", "on", "off"] = "auto"
    """Whether answers carry ``debuginfo``; ``auto`` means for the user alone who runs the server,
    asking it directly on the same machine (Linux), and not for scripts of other sites. Answers that
    shared caches may keep never carry it."""
    secret_key: str = ""
    """Key that signs tokens; processes that share it accept each other's. Empty: made up anew."""
    max_body: int = 12_582_912
    """Largest request body accepted, in bytes."""
    max_parts: int = 1000
    """Largest number of form fields accepted."""
    compress: bool = True
    """Whether answers are compressed for clients that ask for it."""
    cors_origins: tuple[str, ...] = ()
    """Origins that may read with credentials; ``*`` and ``?`` are wildcards."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses whose ``X-Forwarded-For`` is believed."""
    access_log: Literal["off", "json", "combined"] = "off"
    """A line for each request, to the logger ``wikiapi.access`` and, under ``wikiapi serve``, to
    the standard output."""
    slow_query_log: float = 0.0
    """Milliseconds from which a statement is logged, to the logger ``wikiapi.slow``, with its
    values, the module and the request that it is for; 0 for none."""
    health_path: str = "/healthz"
    """Path of the health check; empty for none."""
    metrics: Literal["off", "local", "public"] = "off"
    """Figures for Prometheus at ``/metrics``: for the user who runs the server, asking it directly
    on the same machine (Linux), or for everybody. A Prometheus that another user runs needs
    ``public``; the proxy in front then has to keep the path from others."""
    secure_cookies: bool = False
    """Whether cookies are marked Secure."""
    stream_above: int = 1_048_576
    """Bytes of text above which an answer is sent while it is made, without ``Content-Length`` and
    ``ETag``; 0 for never."""
    result_size_limit: int = 8_388_608
    """Largest result that query modules may build, in bytes."""


@dataclass(frozen=True)
class PermissionsConfig:
    """``[permissions]``: what a visitor without account may do."""

    anonymous_rights: tuple[str, ...] = (
        "createaccount",
        "read",
        "edit",
        "createpage",
        "createtalk",
        "viewmyprivateinfo",
        "editmyprivateinfo",
        "editmyoptions",
    )
    """Rights of an anonymous visitor; without ``read`` the wiki is private."""


@dataclass(frozen=True)
class FilesConfig:
    """``[files]``: the wiki's own files."""

    url: str = "/images"
    """Address of the upload folder, a path or URL."""
    folder: str = ""
    """The upload folder on disk, where there is one."""
    hash_levels: int = 2
    """Levels of hashed sub-folders."""
    thumbnail_url: str = ""
    """Address of the thumbnails; empty takes ``thumb`` below the upload folder."""
    svg_thumbnails: bool = False
    """Whether thumbnails of SVG files are PNG pictures; if not, browsers get the SVG itself."""
    bad_files: tuple[str, ...] = ()
    """Names of files that must not be shown inline."""
    repository_cache_seconds: float = 300.0
    """How long answers of foreign repositories are remembered."""


@dataclass(frozen=True)
class RepositoryConfig:
    """``[[repositories]]``: a wiki whose files are used as if they were local."""

    name: str
    """Name shown as ``imagerepository`` and in uploader names."""
    api: str
    """Address of its ``api.php``."""
    display_name: str = ""
    """Name shown to people; empty takes the name."""
    timeout: float = 5.0
    """Seconds to wait for an answer; for all answers together a page waits half as long again."""
    max_bytes: int = 4_194_304
    """Largest answer read, in bytes."""
    allow_private: bool = False
    """Whether the address may lie in a private or loopback network."""
    fetch_description: bool = False
    """Whether file descriptions are fetched as well."""


@dataclass(frozen=True)
class LimitsConfig:
    """``[limits]``: ceilings of the parser, as the limit report shows them."""

    article_size: int = 2_097_152
    """Bytes of a page's text, of included texts and of template arguments."""
    preprocessor_nodes: int = 1_000_000
    """Nodes the preprocessor may visit."""
    expansion_depth: int = 100
    """Levels of templates within templates."""
    expensive_functions: int = 100
    """Calls of parser functions that cost a database look-up."""
    unstrip_depth: int = 20
    """Levels of strip markers within strip markers."""
    unstrip_size: int = 5_000_000
    """Bytes that strip markers may put back."""
    parser_cache_expiry: int = 86_400
    """Seconds a rendering may be kept, as the limit report states it."""
    request_steps: int = 4_000_000
    """Nodes, functions, tags and questions of Lua that one request may take; 0 for any number."""
    request_bytes: int = 100_000_000
    """Bytes that the renderings of one request may keep until it ends; 0 for any number."""
    request_fetches: int = 100
    """Requests to foreign repositories that one request may cause; 0 for any number."""
    template_cache_bytes: int = 33_554_432
    """Bytes of template trees kept in memory."""
    text_cache_bytes: int = 16_777_216
    """Bytes of texts of templates and modules kept in memory."""


@dataclass(frozen=True)
class CacheConfig:
    """``[cache]``: where rendered pages and other results are cached."""

    url: str = "memory://"
    """Where values are cached: ``memory://`` in each process, ``redis://HOST:PORT/N`` or
    ``memcached://HOST:PORT`` for several processes; empty keeps nothing."""
    size: int = 33_554_432
    """Bytes that a cache in memory may hold."""
    secret_key: str = ""
    """Key that signs values in a cache server; processes that share the server share it."""
    page_seconds: int = 86_400
    """Seconds for which a rendered page is good, unless what is on it changes sooner."""


@dataclass(frozen=True)
class PluginsConfig:
    """``[plugins]``: what is loaded beside the core."""

    disabled: tuple[str, ...] = ()
    """Names of installed plugins that are not loaded."""
    order: tuple[str, ...] = ()
    """Names of plugins that are loaded before the others, in this order."""


@dataclass(frozen=True)
class Config:
    """The whole of ``wikiapi.toml``."""

    site: SiteConfig = field(default_factory=SiteConfig)
    database: DatabaseConfig = field(default_factory=DatabaseConfig)
    http: HttpConfig = field(default_factory=HttpConfig)
    permissions: PermissionsConfig = field(default_factory=PermissionsConfig)
    files: FilesConfig = field(default_factory=FilesConfig)
    limits: LimitsConfig = field(default_factory=LimitsConfig)
    cache: CacheConfig = field(default_factory=CacheConfig)
    plugins: PluginsConfig = field(default_factory=PluginsConfig)
    namespaces: tuple[NamespaceConfig, ...] = ()
    repositories: tuple[RepositoryConfig, ...] = ()
    extensions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """``[extensions.NAME]``: settings that belong to a plugin, read by it alone."""

    @property
    def server(self) -> str:
        """Scheme, host and port of every full URL: as configured, or where the server listens."""
        return self.site.server or _reached_at(self.http.listen)


_EVERYWHERE: Mapping[str, str] = types.MappingProxyType(
    {"": "127.0.0.1", "*": "127.0.0.1", "0.0.0.0": "127.0.0.1", "[::]": "[::1]"}  # noqa: S104
)
"""Hosts to listen on that stand for all addresses of a machine; by which it can name itself."""


def _reached_at(listen: str) -> str:
    host, _, port = listen.rpartition(":")
    return f"http://{_EVERYWHERE.get(host, host)}" + (f":{port}" if port != "80" else "")


def load_config(path: str | PathLike[str]) -> Config:
    """Read a configuration file.

    Raises:
        ConfigError: the file cannot be read, is no TOML, or holds a setting that is not known.
    """
    try:
        with Path(path).open("rb") as file:
            return parse_config(tomllib.load(file))
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from error


def parse_config(data: Mapping[str, Any]) -> Config:
    """Build a configuration from the tables of a TOML document.

    Raises:
        ConfigError: a setting is unknown or has a value of the wrong type.
    """
    return typing.cast("Config", _build(Config, data, ""))


def _build(cls: type, data: object, where: str) -> object:
    if not isinstance(data, Mapping):
        raise ConfigError(f"{where or 'the file'} must be a table")
    hints = typing.get_type_hints(cls)
    unknown = data.keys() - hints.keys()
    if unknown:
        name = min(unknown)
        close = difflib.get_close_matches(name, sorted(hints), 1)
        meant = f" (did you mean {_joined(where, close[0])}?)" if close else ""
        raise ConfigError(f"unknown setting {_joined(where, name)}{meant}")
    values = {name: _value(hints[name], data[name], _joined(where, name)) for name in data}
    missing = [f.name for f in dataclasses.fields(cls) if _required(f) and f.name not in values]
    if missing:
        raise ConfigError(f"{_joined(where, missing[0])} must be set")
    return cls(**values)


def _required(f: dataclasses.Field[Any]) -> bool:
    return f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING


def _value(hint: Any, value: object, where: str) -> object:
    origin = typing.get_origin(hint)
    if dataclasses.is_dataclass(hint):
        return _build(typing.cast("type", hint), value, where)
    if origin is tuple:
        return _sequence(typing.get_args(hint)[0], value, where)
    if origin is Literal:
        return _choice(typing.get_args(hint), value, where)
    if origin is Mapping:
        return _mapping(value, where)
    return _scalar(hint, value, where)


def _sequence(item: Any, value: object, where: str) -> tuple[object, ...]:
    if not isinstance(value, list):
        raise ConfigError(f"{where} must be a list")
    return tuple(_value(item, entry, f"{where}[{n}]") for n, entry in enumerate(value))


def _choice(choices: tuple[object, ...], value: object, where: str) -> object:
    if value not in choices:
        raise ConfigError(f"{where} must be one of {', '.join(map(str, choices))}")
    return value


def _mapping(value: object, where: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise ConfigError(f"{where} must be a table")
    return types.MappingProxyType(value)


def _scalar(hint: type, value: object, where: str) -> object:
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, hint) or (hint is int and isinstance(value, bool)):
        raise ConfigError(f"{where} must be of type {hint.__name__}")
    return value


def _joined(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name
