"""The configuration: ``wikiapi.toml`` read into frozen dataclasses.

Each class is a table of the file, and each field is a setting, documented by the docstring below
it. The permitted values are in its annotation. Unknown settings and values that are not permitted
raise an error that names all of them.
"""

from __future__ import annotations

import dataclasses
import difflib
import functools
import math
import tomllib
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from wikiapi.errors import ConfigError
from wikiapi.i18n.languages import is_existing_language

_YEAR = 31_536_000
_LAST_PORT = 65_535


@dataclass(frozen=True)
class Permitted:
    """The values that a setting may have: a description for people, and a check."""

    text: str
    accepts: Callable[[Any], bool]


@dataclass(frozen=True)
class Range:
    """The smallest and the largest number that a setting may have."""

    least: float
    most: float = math.inf

    @property
    def text(self) -> str:
        """The range for people to read."""
        if math.isinf(self.most):
            return f"{self.least:,} or more"
        return f"{self.least:,} to {self.most:,}"

    def accepts(self, value: float) -> bool:
        """Return whether a number is permitted; infinity and NaN never are."""
        return math.isfinite(value) and self.least <= value <= self.most


def is_address(listen: str) -> bool:
    """Return whether a text is ``HOST:PORT`` with a port of at most 16 bits."""
    _, colon, port = listen.rpartition(":")
    # The resolver silently truncates larger numbers.
    return bool(colon and port.isascii() and port.isdigit() and int(port[:6]) <= _LAST_PORT)


def _is_time_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


NUMBER = Range(0)
POSITIVE = Range(1)
SECONDS = Range(0, _YEAR)
ADDRESS = Permitted(f"HOST:PORT, with a port from 0 to {_LAST_PORT}", is_address)
LANGUAGE = Permitted("the code of a language, such as en or pt-br", is_existing_language)
TIME_ZONE = Permitted("an IANA name, such as UTC or Europe/Berlin", _is_time_zone)


@dataclass(frozen=True)
class SiteConfig:
    """``[site]``: the wiki's name, addresses and language."""

    name: str = "Wiki"
    """Name of the wiki, and of its project namespace unless ``project_namespace`` is set."""
    project_namespace: str = ""
    """Name of the project namespace (4). Defaults to the wiki's name with underscores."""
    wiki_id: str = "wiki"
    """Database name, which is the prefix of cookies and the value of ``wikiid``."""
    server: str = ""
    """Scheme, host and port of every full URL. They are never taken from a request. Defaults to the
    address of ``http.listen``."""
    script_path: str = "/w"
    """Path of the directory of ``api.php``, without a trailing slash."""
    article_path: str = "/wiki/$1"
    """Path of a page; ``$1`` stands for its name."""
    variant_article_path: str = ""
    """Path of a page in a variant of the content language (Chinese, Serbian); ``$1`` stands for its
    name, ``$2`` for the variant, as in ``/$2/$1``. Empty for none."""
    main_page: str = "Main Page"
    """Title of the main page."""
    language: Annotated[str, LANGUAGE] = "en"
    """Content language."""
    timezone: Annotated[str, TIME_ZONE] = "UTC"
    """Time zone of variables such as ``{{LOCALTIME}}``, as an IANA name."""
    capital_links: bool = True
    """Whether the first letter of titles is capitalised, in all namespaces."""
    main_subpages: bool = False
    """Whether the main namespace has subpages."""
    generator: str = "MediaWiki 1.45.0"
    """Name and version of the software as reported to clients, which compare the version number."""
    logo: str = ""
    """Path or URL of the wiki's logo."""
    rights_url: str = ""
    """URL of the licence of the wiki's content."""
    rights_text: str = ""
    """Name of the licence of the wiki's content."""
    writable: bool = False
    """Whether users may log in and change the wiki. Has no effect on a database that is opened
    read-only. wikiapi never writes to MediaWiki's own databases: ``wikiapi serve`` refuses to start
    if this is set."""
    read_only: str = ""
    """Reason why the wiki is read-only, shown by siteinfo and in errors. Defaults to a general
    text."""
    announce_read_only: bool = True
    """Whether siteinfo reports a wiki that refuses all changes as read-only."""
    track_unknown: bool = True
    """Whether pages with tags or parser functions that no plugin knows get a tracking category
    (named by ``MediaWiki:wikiapi-unknown-category``), and ``wikiapi doctor`` lists these names."""
    source: str = ""
    """Address of the main page of the live wiki that the pages come from."""


@dataclass(frozen=True)
class NamespaceConfig:
    """``[[namespaces]]``: an additional namespace, or a change to a core namespace."""

    id: Annotated[int, Range(-2, 2_147_483_647)]
    """Number: even for a subject namespace, the next odd number for its talk namespace."""
    name: str
    """Local name, with spaces."""
    canonical: str = ""
    """English name. Defaults to the local name."""
    aliases: tuple[str, ...] = ()
    """Alternative names."""
    subpages: bool = False
    """Whether ``/`` separates pages from their subpages."""
    content: bool = False
    """Whether its pages count as articles."""
    first_letter: bool = True
    """Whether the first letter of titles is capitalised."""
    content_model: str = ""
    """Default content model of its pages. Defaults to wikitext."""


@dataclass(frozen=True)
class DatabaseConfig:
    """``[database]``: the database that holds the wiki."""

    url: str = "sqlite:///wikiapi.sqlite"
    """Database URL: ``sqlite:///relative.sqlite``, ``sqlite:////absolute.sqlite``, ``mysql://``,
    ``postgresql://``."""
    read_only: bool = False
    """Whether to open the database read-only, as recommended for an existing MediaWiki database."""
    query_deadline: Annotated[float, SECONDS] = 10.0
    """Total time limit in seconds for the SQL statements of a request."""
    replicas: tuple[str, ...] = ()
    """URLs of replicas of the database. Requests read from them in turn; a replica that fails is
    skipped for thirty seconds. Writes always use ``url``."""
    pool_size: Annotated[int, Range(1, 10_000)] = 10
    """Maximum number of connections that a process opens to each database server. One for each
    thread of the server, and one for its health check, is enough."""


@dataclass(frozen=True)
class HttpConfig:
    """``[http]``: the server and its limits."""

    listen: Annotated[str, ADDRESS] = "127.0.0.1:8080"
    """Address and port on which ``wikiapi serve`` listens."""
    threads: Annotated[int, Range(1, 1000)] = 4
    """Number of worker threads of each process of ``wikiapi serve``."""
    workers: Annotated[int, Range(0, 256)] = 0
    """Number of processes of ``wikiapi serve``. With 0, one for each processor if
    ``wikiapi-server[workers]`` is installed; otherwise, and if the wiki is writable, one."""
    max_waiting: Annotated[int, NUMBER] = 200
    """Maximum number of requests that wait for a thread of ``wikiapi serve``. Further requests
    receive status 503."""
    max_connections: Annotated[int, POSITIVE] = 500
    """Maximum number of open connections of ``wikiapi serve``, reduced if the system allows fewer
    open files. To stay below it, the server closes the connections that have waited longest for
    their client."""
    keep_alive: Annotated[float, SECONDS] = 15.0
    """Seconds for which ``wikiapi serve`` keeps an idle connection open."""
    client_timeout: Annotated[float, SECONDS] = 30.0
    """Seconds in which a client of ``wikiapi serve`` must send the head of a request, and after
    which a client that reads none of its answer is disconnected. Bodies must arrive at 1 kB per
    second or faster."""
    request_deadline: Annotated[float, SECONDS] = 60.0
    """Time limit for a request in seconds; 0 for no limit."""
    shutdown_grace: Annotated[float, SECONDS] = 30.0
    """Seconds in which running requests may finish when ``wikiapi serve`` is stopped."""
    stale_while_revalidate: Annotated[int, NUMBER] = 0
    """Seconds for which shared caches may serve an outdated public answer while they request a new
    one. With 0 the directive is omitted, as in MediaWiki."""
    debug_info: Literal["auto", "on", "off"] = "auto"
    """Whether answers contain ``debuginfo``. With ``auto``, only direct requests from the same
    machine by the user who runs the server receive it (Linux), and scripts of other sites do not.
    Answers that shared caches may store never contain it."""
    secret_key: str = ""
    """Key that signs tokens. Processes with the same key accept each other's tokens. Defaults to a
    random key."""
    max_body: Annotated[int, POSITIVE] = 12_582_912
    """Maximum size of a request body in bytes. Files that are larger are uploaded in chunks."""
    max_parts: Annotated[int, POSITIVE] = 1000
    """Maximum number of form fields."""
    compress: bool = True
    """Whether answers are compressed for clients that accept it."""
    cors_origins: tuple[str, ...] = ()
    """Origins that may send requests with credentials; ``*`` and ``?`` are wildcards."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses of proxies whose ``X-Forwarded-For`` header is trusted."""
    access_log: Literal["auto", "off", "short", "json", "combined"] = "auto"
    """Format of the access log, one line per request. It is written to the logger
    ``wikiapi.access`` and, by ``wikiapi serve``, to standard output. ``auto`` is ``short`` for
    ``wikiapi serve`` on a terminal and otherwise ``off``."""
    slow_query_log: Annotated[float, NUMBER] = 0.0
    """Milliseconds from which an SQL statement is logged as slow, with its values, module and
    request, to the logger ``wikiapi.slow``; 0 to disable."""
    health_path: str = "/healthz"
    """Path of the health check; empty for none."""
    metrics: Literal["off", "local", "public"] = "off"
    """Who may read the Prometheus metrics at ``/metrics``: with ``local``, only the user who runs
    the server, by direct requests from the same machine (Linux); with ``public``, everyone. A
    Prometheus that runs as another user needs ``public``; restrict the path in the proxy then."""
    secure_cookies: bool = False
    """Whether cookies are marked as Secure."""
    stream_above: Annotated[int, NUMBER] = 1_048_576
    """Bytes of text above which an answer is sent while it is generated, without
    ``Content-Length`` and ``ETag``; 0 for never."""
    result_size_limit: Annotated[int, POSITIVE] = 8_388_608
    """Maximum size in bytes of the result of query modules."""


@dataclass(frozen=True)
class PermissionsConfig:
    """``[permissions]``: the rights of visitors and of groups of users."""

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
    """Rights of anonymous visitors. Without ``read`` the wiki is private."""
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Rights by group, in place of those that MediaWiki gives the group by default."""
    autoconfirm_days: Annotated[int, NUMBER] = 0
    """Days after which an account is in the group ``autoconfirmed``."""
    autoconfirm_edits: Annotated[int, NUMBER] = 0
    """Edits after which an account is in the group ``autoconfirmed``."""

    @property
    def is_private(self) -> bool:
        """Whether visitors may not read the wiki."""
        return "read" not in self.anonymous_rights


@dataclass(frozen=True)
class EditingConfig:
    """``[editing]``: what users may do on a wiki with ``site.writable``."""

    watchlist_expiry: bool = False
    """Whether pages can be watched for a limited time."""
    page_languages: bool = False
    """Whether the language of a page can be changed."""
    import_sources: tuple[str, ...] = ()
    """Interwiki prefixes of the wikis whose pages can be imported."""
    upload_types: tuple[str, ...] = ("png", "gif", "jpg", "jpeg", "webp")
    """Extensions of files that may be uploaded."""
    upload_bytes: Annotated[int, POSITIVE] = 104_857_600
    """Maximum size of an uploaded file in bytes."""
    min_chunk_bytes: Annotated[int, POSITIVE] = 1024
    """Minimum size of a chunk of an upload in bytes."""
    upload_hosts: tuple[str, ...] = ()
    """Hosts from which files may be uploaded by URL."""
    email: bool = True
    """Whether users can send each other mail. Messages are stored in the database for another
    program to send."""
    rate_limits: bool = False
    """Whether users are limited to MediaWiki's default numbers of edits and other actions."""


@dataclass(frozen=True)
class FilesConfig:
    """``[files]``: the wiki's own files."""

    url: str = "/images"
    """Path or URL of the upload folder."""
    folder: str = ""
    """The upload folder on disk; empty for none. Its folders ``deleted`` and ``temp`` contain
    deleted and stashed files and must not be served."""
    hash_levels: Annotated[int, Range(0, 8)] = 2
    """Number of levels of hashed subfolders."""
    thumbnail_url: str = ""
    """Path or URL of the thumbnails. Defaults to ``thumb`` below the upload folder."""
    svg_thumbnails: bool = False
    """Whether thumbnails of SVG files are PNG images. Otherwise browsers receive the SVG itself."""
    bad_files: tuple[str, ...] = ()
    """Names of files that must not be shown inline."""
    fetch_hosts: tuple[str, ...] = (
        "upload.wikimedia.org",
        "static.wikia.nocookie.net",
        "static.wikitide.net",
    )
    """Hosts from which ``wikiapi fetch-files`` may get files, besides those of the wikis
    themselves; ``*`` and ``?`` are wildcards."""
    repository_cache_seconds: Annotated[float, SECONDS] = 300.0
    """Seconds for which answers of foreign repositories are cached."""


@dataclass(frozen=True)
class RepositoryConfig:
    """``[[repositories]]``: another wiki whose files can be used as if they were local."""

    name: str
    """Name shown as ``imagerepository`` and in uploader names."""
    api: str
    """URL of its ``api.php``."""
    display_name: str = ""
    """Name shown to people. Defaults to ``name``."""
    timeout: Annotated[float, SECONDS] = 5.0
    """Seconds to wait for an answer. All answers for one page together may take one and a half
    times as long."""
    max_bytes: Annotated[int, POSITIVE] = 4_194_304
    """Maximum size of an answer in bytes."""
    allow_private: bool = False
    """Whether the URL may point to a private or loopback network."""
    fetch_description: bool = False
    """Whether file descriptions are fetched as well."""


@dataclass(frozen=True)
class LimitsConfig:
    """``[limits]``: limits of the parser, as shown in the limit report, and of requests."""

    article_size: Annotated[int, POSITIVE] = 2_097_152
    """Maximum size in bytes of a page's text, of transcluded texts and of template arguments."""
    preprocessor_nodes: Annotated[int, NUMBER] = 1_000_000
    """Maximum number of nodes that the preprocessor visits."""
    expansion_depth: Annotated[int, NUMBER] = 100
    """Maximum depth of nested templates."""
    expensive_functions: Annotated[int, NUMBER] = 100
    """Maximum number of calls of parser functions that query the database."""
    unstrip_depth: Annotated[int, NUMBER] = 20
    """Maximum depth of nested strip markers."""
    unstrip_size: Annotated[int, NUMBER] = 5_000_000
    """Maximum number of bytes that replace strip markers."""
    parser_cache_expiry: Annotated[int, NUMBER] = 86_400
    """Lifetime of a rendering in seconds, as stated in the limit report."""
    request_steps: Annotated[int, NUMBER] = 4_000_000
    """Maximum number of nodes, functions, tags and calls from Lua for a request; 0 for no limit."""
    request_bytes: Annotated[int, NUMBER] = 150_000_000
    """Maximum number of bytes that rendering may hold in memory for a request; 0 for no limit."""
    request_fetches: Annotated[int, NUMBER] = 100
    """Maximum number of requests to foreign repositories for a request; 0 for no limit."""
    miser_pages: Annotated[int, NUMBER] = 100_000
    """Number of pages from which the wiki is in MediaWiki's miser mode, in which no request reads
    whole tables; 0 for never."""
    query_cache_rows: Annotated[int, NUMBER] = 1000
    """Maximum number of results that are stored for each special page in miser mode."""
    template_cache_bytes: Annotated[int, NUMBER] = 33_554_432
    """Size in bytes of the cache of template trees."""
    text_cache_bytes: Annotated[int, NUMBER] = 16_777_216
    """Size in bytes of the cache of template and module texts."""


@dataclass(frozen=True)
class CacheConfig:
    """``[cache]``: where rendered pages and other results are cached."""

    url: str = "memory://"
    """The cache: ``memory://`` in each process, or ``redis://HOST:PORT/N`` or
    ``memcached://HOST:PORT`` shared by several processes. Empty disables caching."""
    size: Annotated[int, NUMBER] = 33_554_432
    """Maximum size of a cache in memory, in bytes."""
    secret_key: str = ""
    """Key that signs values in a cache server. All processes that share the server need the same
    key."""
    page_seconds: Annotated[int, NUMBER] = 86_400
    """Seconds for which a rendered page is valid, unless its content changes sooner."""


@dataclass(frozen=True)
class PluginsConfig:
    """``[plugins]``: which plugins are loaded, and in which order."""

    disabled: tuple[str, ...] = ()
    """Names of installed plugins that are not loaded."""
    order: tuple[str, ...] = ()
    """Names of plugins that are loaded first, in this order."""


@dataclass(frozen=True)
class Config:
    """The complete configuration."""

    site: SiteConfig = field(default_factory=SiteConfig)
    database: DatabaseConfig = field(default_factory=DatabaseConfig)
    http: HttpConfig = field(default_factory=HttpConfig)
    permissions: PermissionsConfig = field(default_factory=PermissionsConfig)
    editing: EditingConfig = field(default_factory=EditingConfig)
    files: FilesConfig = field(default_factory=FilesConfig)
    limits: LimitsConfig = field(default_factory=LimitsConfig)
    cache: CacheConfig = field(default_factory=CacheConfig)
    plugins: PluginsConfig = field(default_factory=PluginsConfig)
    namespaces: tuple[NamespaceConfig, ...] = ()
    repositories: tuple[RepositoryConfig, ...] = ()
    extensions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """``[extensions.NAME]``: the settings of a plugin."""

    @property
    def server(self) -> str:
        """Scheme, host and port of full URLs: ``site.server`` or the address to listen on."""
        return self.site.server or _reached_at(self.http.listen)


_EVERYWHERE: Mapping[str, str] = types.MappingProxyType(
    {"": "127.0.0.1", "*": "127.0.0.1", "0.0.0.0": "127.0.0.1", "[::]": "[::1]"}  # noqa: S104
)
"""Hosts that mean "all addresses" in ``http.listen``, and the address to use in URLs instead."""


def _reached_at(listen: str) -> str:
    host, _, port = listen.rpartition(":")
    return f"http://{_EVERYWHERE.get(host, host)}" + (f":{port}" if port != "80" else "")


def load_config(path: str | PathLike[str]) -> Config:
    """Return the configuration in a file.

    Raises:
        ConfigError: the file cannot be read, is not valid TOML, or contains settings that are
            unknown or not permitted; one line for each.
    """
    try:
        with Path(path).open("rb") as file:
            data = tomllib.load(file)
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from error
    try:
        return parse_config(data)
    except ConfigError as error:
        lines = str(error).splitlines()
        raise ConfigError("\n".join(f"{path}: {line}" for line in lines)) from error


def parse_config(data: Mapping[str, Any]) -> Config:
    """Return a configuration built from the tables of a TOML document.

    Raises:
        ConfigError: settings are unknown or have values that are not permitted; one line for each.
    """
    return typing.cast("Config", _build(Config, data, ""))


def check_config(config: Config) -> None:
    """Check the values of a configuration, which may have been made or changed by a program.

    Raises:
        ConfigError: values are not permitted; one line for each.
    """
    problems = list(_problems(config, ""))
    if problems:
        raise ConfigError("\n".join(problems))


def permitted(cls: type, name: str) -> Permitted | Range | None:
    """Return the permitted values of a setting, besides its type; ``None`` for any."""
    return _permitted(_hints(cls)[name])


@functools.cache
def _hints(cls: Any) -> dict[str, Any]:
    return typing.get_type_hints(cls, include_extras=True)


def _permitted(hint: Any) -> Permitted | Range | None:
    found: Permitted | Range | None = getattr(hint, "__metadata__", (None,))[0]
    return found


def _problems(table: Any, where: str) -> Iterator[str]:
    cls: Any = type(table)
    for name, hint in _hints(cls).items():
        value, place = getattr(table, name), _joined(where, name)
        if dataclasses.is_dataclass(value):
            yield from _problems(value, place)
        elif isinstance(value, tuple):
            for number, entry in enumerate(value):
                if dataclasses.is_dataclass(entry):
                    yield from _problems(entry, f"{place}[{number}]")
        elif (accepted := _permitted(hint)) and not accepted.accepts(value):
            yield _refusal(place, value, accepted)


def _refusal(where: str, value: Any, accepted: Permitted | Range) -> str:
    return f"{where} is {value!r}; permitted: {accepted.text}"


def _build(cls: type, data: object, where: str) -> object:
    if not isinstance(data, Mapping):
        raise ConfigError(f"{where or 'the file'} must be a table")
    hints = _hints(cls)
    problems, values = [], {}
    for name in sorted(data.keys() - hints.keys()):
        close = difflib.get_close_matches(name, sorted(hints), 1)
        meant = f" (did you mean {_joined(where, close[0])}?)" if close else ""
        problems.append(f"unknown setting {_joined(where, name)}{meant}")
    for name in filter(hints.__contains__, data):
        try:
            values[name] = _value(hints[name], data[name], _joined(where, name))
        except ConfigError as error:
            problems += str(error).splitlines()
    for each in dataclasses.fields(cls):
        if _required(each) and each.name not in data:
            problems.append(f"{_joined(where, each.name)} must be set")
    if problems:
        raise ConfigError("\n".join(problems))
    return cls(**values)


def _required(f: dataclasses.Field[Any]) -> bool:
    return f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING


def _value(hint: Any, value: object, where: str) -> object:
    origin = typing.get_origin(hint)
    if origin is Annotated:
        accepted = _permitted(hint)
        checked: Any = _value(hint.__origin__, value, where)
        if accepted and not accepted.accepts(checked):
            raise ConfigError(_refusal(where, checked, accepted))
        return checked
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
    values, problems = [], []
    for number, entry in enumerate(value):
        try:
            values.append(_value(item, entry, f"{where}[{number}]"))
        except ConfigError as error:
            problems += str(error).splitlines()
    if problems:
        raise ConfigError("\n".join(problems))
    return tuple(values)


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
