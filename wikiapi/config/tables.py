"""The tables of ``wikiapi.toml``.

Each class is a table of the file, and each field is a setting, documented by the docstring below
it. The permitted values, and the variables of MediaWiki that say the same, are in its annotation.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from wikiapi.config.permitted import (
    ADDRESS,
    COLLATION,
    FRAGMENT_MODE,
    LANGUAGE,
    NUMBER,
    POSITIVE,
    PROTOCOLS,
    ROBOTS,
    SAFE_PROTOCOLS,
    SECONDS,
    SIZES,
    TIME_ZONE,
    WIDTHS,
    Counterpart,
    Index,
    Linking,
    Range,
)

FOLDER = Annotated[str, "no setting"]
"""The type of what is kept beside the settings."""


@dataclass(frozen=True)
class SiteConfig:
    """``[site]``: the wiki's name, addresses and language."""

    name: Annotated[str, Counterpart("wgSitename")] = "Wiki"
    """Name of the wiki, and of its project namespace unless ``project_namespace`` is set."""
    project_namespace: Annotated[str, Counterpart("wgMetaNamespace"), Linking] = ""
    """Name of the project namespace (4). Defaults to the wiki's name with underscores."""
    wiki_id: Annotated[str, Counterpart("wgDBname", "wgDBprefix")] = "wiki"
    """Database name, which is the prefix of cookies and the value of ``wikiid``."""
    server: Annotated[str, Counterpart("wgServer")] = ""
    """Scheme, host and port of every full URL. They are never taken from a request. Defaults to the
    address of ``http.listen``."""
    script_path: Annotated[str, Counterpart("wgScriptPath")] = "/w"
    """Path of the directory of ``api.php``, without a trailing slash."""
    article_path: Annotated[str, Counterpart("wgArticlePath")] = "/wiki/$1"
    """Path of a page; ``$1`` stands for its name."""
    variant_article_path: Annotated[str, Counterpart("wgVariantArticlePath")] = ""
    """Path of a page in a variant of the content language (Chinese, Serbian); ``$1`` stands for its
    name, ``$2`` for the variant, as in ``/$2/$1``. Empty for none."""
    main_page: str = ""
    """Title of the main page. Defaults to that of the dump whose pages are in the store, to the one
    that the page ``MediaWiki:Mainpage`` names, or to the usual one in the content language, which
    is ``Main Page`` in English."""
    language: Annotated[str, LANGUAGE, Counterpart("wgLanguageCode"), Linking] = ""
    """Code of the content language, such as ``fr``. Defaults to that of the dump whose pages are in
    the store, or English."""
    timezone: Annotated[str, TIME_ZONE, Counterpart("wgLocaltimezone")] = "UTC"
    """Time zone of variables such as ``{{LOCALTIME}}``, of ``#timel`` and of signatures, as an IANA
    name."""
    capital_links: Annotated[bool, Counterpart("wgCapitalLinks"), Linking] = True
    """Whether the first letter of titles is capitalised. ``first_letter`` of a namespace overrides
    it; titles of special, user and interface pages always begin with a capital."""
    category_collation: Annotated[str, COLLATION, Counterpart("wgCategoryCollation")] = "uppercase"
    """How the members of categories are ordered: ``uppercase`` by code points of capital letters,
    ``identity`` by code points, ``numeric`` as ``uppercase`` with numbers by their value, and
    ``uca-default`` or ``uca-fr`` as dictionaries do, for which the extra ``icu`` must be installed;
    with ``-u-kn`` they order numbers by their value as well. Sort keys are stored: after a change
    ``wikiapi links`` makes them again. Those of MediaWiki's own databases are used as they are."""
    local_interwikis: Annotated[tuple[str, ...], Counterpart("wgLocalInterwikis"), Linking] = ()
    """Interwiki prefixes, among those of the store, that lead to this wiki: ``[[prefix:Page]]`` is
    a link to its own page."""
    main_subpages: Annotated[bool, Counterpart("wgNamespacesWithSubpages"), Linking] = False
    """Whether the main namespace has subpages."""
    generator: str = "MediaWiki 1.45.0"
    """Name and version of the software as reported to clients, which compare the version number."""
    logo: Annotated[str, Counterpart("wgLogos", "wgLogo")] = ""
    """Path or URL of the wiki's logo."""
    rights_url: Annotated[str, Counterpart("wgRightsUrl")] = ""
    """URL of the licence of the wiki's content."""
    rights_text: Annotated[str, Counterpart("wgRightsText")] = ""
    """Name of the licence of the wiki's content."""
    writable: bool = False
    """Whether users may log in and change the wiki. Has no effect on a database that is opened
    read-only. wikiapi never writes to MediaWiki's own databases: ``wikiapi serve`` refuses to start
    if this is set."""
    read_only: Annotated[str, Counterpart("wgReadOnly")] = ""
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
    """``[[namespaces]]``: an additional namespace, or a change to one that every wiki has."""

    id: Annotated[int, Range(-2, 2_147_483_647), Counterpart("wgExtraNamespaces"), Linking]
    """Number: even for a subject namespace, the next odd number for its talk namespace."""
    name: Annotated[str, Linking] = ""
    """Local name, with spaces. Defaults to that of the content language for the namespaces from -2
    to 15, 828 (Module) and 829."""
    canonical: str = ""
    """English name. Defaults to the local name."""
    aliases: Annotated[tuple[str, ...], Counterpart("wgNamespaceAliases"), Linking] = ()
    """Alternative names."""
    subpages: Annotated[bool | None, Counterpart("wgNamespacesWithSubpages"), Linking] = None
    """Whether ``/`` separates pages from their subpages. Defaults to what it is in MediaWiki, which
    is false for additional namespaces."""
    content: Annotated[bool | None, Counterpart("wgContentNamespaces")] = None
    """Whether its pages count as articles. Only those of the main namespace do by default."""
    first_letter: Annotated[bool | None, Counterpart("wgCapitalLinkOverrides"), Linking] = None
    """Whether the first letter of titles is capitalised. Defaults to ``site.capital_links``; a talk
    namespace follows its subject namespace."""
    includable: Annotated[bool, Counterpart("wgNonincludableNamespaces"), Linking] = True
    """Whether its pages can be transcluded."""
    robots: Annotated[str, ROBOTS, Counterpart("wgNamespaceRobotPolicies")] = ""
    """What search engines are told of its pages; ``__INDEX__`` in a page overrides ``noindex``."""
    content_model: Annotated[str, Counterpart("wgNamespaceContentModels"), Linking] = ""
    """Default content model of its pages. Defaults to wikitext."""
    protection: Annotated[tuple[str, ...], Counterpart("wgNamespaceProtection")] = ()
    """Rights that editing its pages takes, besides those for all pages."""


@dataclass(frozen=True)
class WikitextConfig:
    """``[wikitext]``: what wikitext may contain, and how it is rendered."""

    max_toc_level: Annotated[int, NUMBER, Counterpart("wgMaxTocLevel")] = 999
    """Number of levels of headings in tables of contents."""
    magic_links: Annotated[
        tuple[Literal["ISBN", "PMID", "RFC"], ...], Counterpart("wgEnableMagicLinks"), Linking
    ] = ()
    """Kinds of numbers that become links without brackets: ``ISBN``, ``PMID`` and ``RFC``."""
    display_title: Annotated[
        Literal["restricted", "free", "off"],
        Counterpart("wgAllowDisplayTitle", "wgRestrictDisplayTitle"),
        Linking,
    ] = "restricted"
    """What ``{{DISPLAYTITLE:}}`` may do: with ``restricted``, change the case and the format of the
    title, with ``free``, show any title; with ``off`` it has no effect."""
    raw_html: Annotated[bool, Counterpart("wgRawHtml"), Linking] = False
    """Whether ``<html>`` inserts its content without changes. Everyone who can edit could insert
    scripts, so that it is refused on a wiki that anonymous visitors can edit. The reader's content
    security policy then allows all sources."""
    external_images: Annotated[
        bool | tuple[str, ...],
        Counterpart("wgAllowExternalImages", "wgAllowExternalImagesFrom"),
        Linking,
    ] = False
    """Whether addresses of images (``gif``, ``jpeg``, ``jpg``, ``png``) become images: all, or
    those with such beginnings. The servers of the images learn the readers' addresses."""
    image_tag: Annotated[bool, Counterpart("wgAllowImageTag")] = False
    """Has no effect: MediaWiki has had no ``<img>`` in pages since 1.42."""
    no_follow: Annotated[bool, Counterpart("wgNoFollowLinks")] = True
    """Whether search engines are told not to follow external links."""
    no_follow_domains: Annotated[tuple[str, ...], Counterpart("wgNoFollowDomainExceptions")] = (
        "mediawiki.org",
    )
    """Domains, with their subdomains, whose links they may follow all the same."""
    no_follow_namespaces: Annotated[tuple[int, ...], Counterpart("wgNoFollowNsExceptions")] = ()
    """Numbers of namespaces on whose pages they may follow all links."""
    external_link_target: Annotated[str, Counterpart("wgExternalLinkTarget")] = ""
    """Window in which external links open, such as ``_blank``; empty for the same one. Unless it is
    ``_self``, ``_parent`` or ``_top``, the other site is not told where its readers come from."""
    add_protocols: Annotated[
        tuple[str, ...], SAFE_PROTOCOLS, Counterpart("wgUrlProtocols"), Linking
    ] = ()
    """Beginnings of addresses that become links, besides the usual ones."""
    remove_protocols: Annotated[
        tuple[str, ...], PROTOCOLS, Counterpart("wgUrlProtocols"), Linking
    ] = ()
    """Beginnings of addresses, among the usual ones, that do not become links."""
    fragment_mode: Annotated[
        tuple[Literal["html5", "legacy"], ...], FRAGMENT_MODE, Counterpart("wgFragmentMode")
    ] = ("html5", "legacy")
    """How headings are spelt in addresses: with all letters (``html5``) or encoded with full stops
    (``legacy``). The second, if there is one, is a further target of links to the heading."""
    legacy_media: Annotated[bool, Counterpart("wgParserEnableLegacyMediaDOM")] = False
    """Whether images have the HTML of MediaWiki before 1.41, as some skins and scripts expect.
    Parsoid's HTML stays as it is."""
    legacy_headings: Annotated[bool, Counterpart("wgParserEnableLegacyHeadingDOM")] = False
    """Whether headings have the HTML of MediaWiki before 1.44, as some skins and scripts expect.
    Parsoid's HTML stays as it is."""
    interwiki_magic: Annotated[bool, Counterpart("wgInterwikiMagic"), Linking] = True
    """Whether links to other languages are listed beside the page rather than shown in its text."""
    language_prefixes: Annotated[
        tuple[str, ...], Counterpart("wgExtraInterlanguageLinkPrefixes"), Linking
    ] = ()
    """Interwiki prefixes that are no languages, but whose links are listed with those to other
    languages."""
    american_dates: Annotated[bool, Counterpart("wgAmericanDates")] = False
    """Whether dates in English have the month before the day."""
    slow_functions: Annotated[bool, Counterpart("wgAllowSlowParserFunctions"), Linking] = False
    """Whether functions that count pages, such as ``{{PAGESINNAMESPACE:}}``, are available."""


@dataclass(frozen=True)
class DatabaseConfig:
    """``[database]``: the database that holds the wiki."""

    url: str = "sqlite:///wikiapi.sqlite"
    """Database URL: ``sqlite:///relative.sqlite`` from the folder of the configuration file,
    ``sqlite:////absolute.sqlite``, ``mysql://``, ``postgresql://``. ``?prefix=mw_`` at its end
    names a prefix of the tables of a MediaWiki."""
    read_only: bool = False
    """Whether to open the database read-only, as recommended for an existing MediaWiki database."""
    query_deadline: Annotated[float, SECONDS] = 10.0
    """Total time limit in seconds for the SQL statements of a request."""
    replicas: tuple[str, ...] = ()
    """URLs of replicas of the database. Requests read from them in turn; a replica that fails is
    skipped for thirty seconds. Writes always use ``url``."""
    max_lag: Annotated[float, SECONDS] = 6.0
    """Number of seconds by which a replica may lag; one that lags more is not used until it has
    caught up. Known for PostgreSQL's streaming replicas."""
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
    cors_origins: Annotated[tuple[str, ...], Counterpart("wgCrossSiteAJAXdomains")] = ()
    """Origins that may send requests with credentials; ``*`` and ``?`` are wildcards."""
    show_host_name: Annotated[bool, Counterpart("wgShowHostnames")] = False
    """Whether answers name the server that gave them (``servedby``, errors of ``maxlag``)."""
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
class MessagesConfig:
    """``[messages]``: where the texts of the interface are read, besides wikiapi's own."""

    folders: tuple[str, ...] = ()
    """Folders with the texts of MediaWiki's interface, relative to the configuration file. Each has
    a file ``XX.json`` or ``XX.json.gz`` for the language XX, an object with texts by name, as
    MediaWiki and its extensions have them in their folders ``i18n``; the first folder that has a
    text is used. ``*`` is a wildcard, as in ``/usr/share/mediawiki/extensions/*/i18n``. The folder
    beside an SQLite database, ``wiki.sqlite.messages`` for ``wiki.sqlite``, is read after these."""


@dataclass(frozen=True)
class PermissionsConfig:
    """``[permissions]``: the rights of visitors and of groups of users."""

    anonymous_rights: Annotated[tuple[str, ...], Counterpart("wgGroupPermissions")] = (
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
    groups: Annotated[Mapping[str, tuple[str, ...]], Counterpart("wgGroupPermissions")] = field(
        default_factory=dict
    )
    """Rights by group, in place of those that MediaWiki gives the group by default."""
    autoconfirm_days: Annotated[int, NUMBER, Counterpart("wgAutoConfirmAge")] = 0
    """Days after which an account is in the group ``autoconfirmed``."""
    autoconfirm_edits: Annotated[int, NUMBER, Counterpart("wgAutoConfirmCount")] = 0
    """Edits after which an account is in the group ``autoconfirmed``."""
    protection_levels: Annotated[tuple[str, ...], Counterpart("wgRestrictionLevels")] = (
        "autoconfirmed",
        "sysop",
    )
    """Levels to which pages can be protected. Such a page can be edited with the right of that
    name; for ``autoconfirmed`` it is ``editsemiprotected``, for ``sysop`` it is ``editprotected``.
    """
    cascading_levels: Annotated[tuple[str, ...], Counterpart("wgCascadingRestrictionLevels")] = (
        "sysop",
    )
    """Levels whose protection can extend to the templates and files that a page uses."""
    semiprotected_levels: Annotated[
        tuple[str, ...], Counterpart("wgSemiprotectedRestrictionLevels")
    ] = ("autoconfirmed",)
    """Levels that ``siteinfo`` calls those of semi-protected pages."""

    @property
    def is_private(self) -> bool:
        """Whether visitors may not read the wiki."""
        return "read" not in self.anonymous_rights


@dataclass(frozen=True)
class EditingConfig:
    """``[editing]``: what users may do on a wiki with ``site.writable``."""

    watchlist_expiry: Annotated[bool, Counterpart("wgWatchlistExpiry")] = False
    """Whether pages can be watched for a limited time."""
    page_languages: Annotated[bool, Counterpart("wgPageLanguageUseDB")] = False
    """Whether the language of a page can be changed."""
    multiple_blocks: Annotated[bool, Counterpart("wgEnableMultiBlocks")] = False
    """Whether a user can be blocked several times at once (``newblock``)."""
    autoblock_expiry: Annotated[int, Counterpart("wgAutoblockExpiry")] = 86_400
    """How long addresses of blocked accounts are blocked, in seconds."""
    import_sources: Annotated[tuple[str, ...], Counterpart("wgImportSources")] = ()
    """Interwiki prefixes of the wikis whose pages can be imported."""
    upload_types: Annotated[tuple[str, ...], Counterpart("wgFileExtensions")] = (
        "png",
        "gif",
        "jpg",
        "jpeg",
        "webp",
    )
    """Extensions of files that may be uploaded."""
    upload_bytes: Annotated[int, POSITIVE, Counterpart("wgMaxUploadSize")] = 104_857_600
    """Maximum size of an uploaded file in bytes."""
    min_chunk_bytes: Annotated[int, POSITIVE, Counterpart("wgMinUploadChunkSize")] = 1024
    """Minimum size of a chunk of an upload in bytes."""
    upload_hosts: Annotated[tuple[str, ...], Counterpart("wgCopyUploadsDomains")] = ()
    """Hosts from which files may be uploaded by URL."""
    email: Annotated[bool, Counterpart("wgEnableEmail", "wgEnableUserEmail")] = True
    """Whether users can send each other mail. Messages are stored in the database for another
    program to send."""
    rate_limits: bool = False
    """Whether users are limited to MediaWiki's default numbers of edits and other actions."""


@dataclass(frozen=True)
class FilesConfig:
    """``[files]``: the wiki's own files."""

    url: Annotated[str, Counterpart("wgUploadPath")] = "/images"
    """Path or URL of the upload folder."""
    folder: Annotated[str, Counterpart("wgUploadDirectory")] = ""
    """The upload folder on disk, relative to the configuration file; empty for none. Its folders
    ``deleted`` and ``temp`` contain deleted and stashed files and must not be served."""
    hash_levels: Annotated[int, Range(0, 8), Counterpart("wgHashedUploadDirectory")] = 2
    """Number of levels of hashed subfolders."""
    thumbnail_url: str = ""
    """Path or URL of the thumbnails. Defaults to ``thumb`` below the upload folder."""
    svg_thumbnails: bool = False
    """Whether thumbnails of SVG files are PNG images. Otherwise browsers receive the SVG itself."""
    thumb_limits: Annotated[tuple[int, ...], WIDTHS, Counterpart("wgThumbLimits")] = (
        *(120, 150, 180),
        *(200, 250, 300),
    )
    """Widths of thumbnails in pixels that users can choose from."""
    thumb_size: Annotated[int, Index.of("thumb_limits"), Counterpart("wgDefaultUserOptions")] = 5
    """Index of the width in ``thumb_limits``, from 0, that thumbnails have by default."""
    image_limits: Annotated[tuple[tuple[int, ...], ...], SIZES, Counterpart("wgImageLimits")] = (
        *((320, 240), (640, 480), (800, 600)),
        *((1024, 768), (1280, 1024), (2560, 2048)),
    )
    """Widths and heights in pixels of the previews on the pages of files."""
    image_size: Annotated[int, Index.of("image_limits"), Counterpart("wgDefaultUserOptions")] = 2
    """Index of the size in ``image_limits``, from 0, that previews have by default."""
    uploads: Annotated[bool, Counterpart("wgEnableUploads")] = True
    """Whether files can be uploaded, on a wiki that can be edited; links to missing files lead to
    the form for it."""
    upload_missing_url: Annotated[str, Counterpart("wgUploadMissingFileUrl")] = ""
    """Path or URL to which links to missing files lead, with the name of the file added as
    ``wpDestFile``. Defaults to ``upload_navigation_url``, or the wiki's own form."""
    upload_navigation_url: Annotated[str, Counterpart("wgUploadNavigationUrl")] = ""
    """Path or URL of the page for uploads, in place of the wiki's own form."""
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

    @property
    def upload_url(self) -> str:
        """The address that stands in place of the wiki's own form for uploads; may be empty."""
        return self.upload_missing_url or self.upload_navigation_url

    def thumb_width(self, size: object = None) -> int:
        """Return the width of thumbnails for an index, or the default one if there is none such."""
        text = str(size)
        # It is stored among the preferences of a user, where it may be anything.
        is_number = text.isascii() and text.isdecimal() and len(text) < _DIGITS
        is_index = is_number and int(text) < len(self.thumb_limits)
        return self.thumb_limits[int(text) if is_index else self.thumb_size]

    def preview_size(self) -> tuple[int, int]:
        """Return the default size of previews."""
        width, height = self.image_limits[self.image_size]
        return width, height


_DIGITS = 9


@dataclass(frozen=True)
class GalleryConfig:
    """``[gallery]``: how ``<gallery>`` shows files unless its attributes say otherwise."""

    images_per_row: Annotated[int, NUMBER, Counterpart("wgGalleryOptions")] = 0
    """Number of files in a row; 0 for as many as fit."""
    image_width: Annotated[int, POSITIVE, Counterpart("wgGalleryOptions")] = 120
    """Width of the thumbnails in pixels."""
    image_height: Annotated[int, POSITIVE, Counterpart("wgGalleryOptions")] = 120
    """Height of the thumbnails in pixels."""
    show_bytes: Annotated[bool, Counterpart("wgGalleryOptions")] = True
    """Whether galleries of categories and special pages show the sizes of files in bytes."""
    show_dimensions: Annotated[bool, Counterpart("wgGalleryOptions")] = True
    """Whether galleries of categories and special pages show the widths and heights of files."""
    mode: Annotated[
        Literal["traditional", "nolines", "packed", "packed-overlay", "packed-hover", "slideshow"],
        Counterpart("wgGalleryOptions"),
    ] = "traditional"
    """How galleries are arranged."""


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

    article_size: Annotated[int, POSITIVE, Counterpart("wgMaxArticleSize"), Linking] = 2_097_152
    """Maximum size in bytes of a page's text, of transcluded texts and of template arguments."""
    preprocessor_nodes: Annotated[int, NUMBER, Counterpart("wgMaxPPNodeCount"), Linking] = 1_000_000
    """Maximum number of nodes that the preprocessor visits."""
    expansion_depth: Annotated[int, NUMBER, Counterpart("wgMaxPPExpandDepth"), Linking] = 100
    """Maximum depth of nested templates. Other calls may be nested as deeply, or 100 levels deep if
    that is more."""
    expensive_functions: Annotated[
        int, NUMBER, Counterpart("wgExpensiveParserFunctionLimit"), Linking
    ] = 100
    """Maximum number of calls of parser functions that query the database."""
    unstrip_depth: Annotated[int, NUMBER] = 20
    """Maximum depth of nested strip markers."""
    unstrip_size: Annotated[int, NUMBER] = 5_000_000
    """Maximum number of bytes that replace strip markers."""
    parser_cache_expiry: Annotated[int, NUMBER, Counterpart("wgParserCacheExpireTime")] = 86_400
    """Lifetime of a rendering in seconds, as stated in the limit report."""
    request_steps: Annotated[int, NUMBER] = 4_000_000
    """Maximum number of nodes, functions, tags and calls from Lua for a request; 0 for no limit."""
    request_bytes: Annotated[int, NUMBER] = 150_000_000
    """Maximum number of bytes that rendering may hold in memory for a request; 0 for no limit."""
    request_fetches: Annotated[int, NUMBER] = 100
    """Maximum number of requests to foreign repositories for a request; 0 for no limit."""
    miser: Annotated[bool | Literal["auto"], Counterpart("wgMiserMode")] = "auto"
    """Whether the wiki is in MediaWiki's miser mode, in which no request reads whole tables.
    With ``auto``, it is if it has ``miser_pages`` pages."""
    miser_pages: Annotated[int, NUMBER] = 100_000
    """Number of pages from which ``miser = "auto"`` is miser mode; 0 for never."""
    query_cache_rows: Annotated[int, NUMBER, Counterpart("wgQueryCacheLimit")] = 1000
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
    wikitext: WikitextConfig = field(default_factory=WikitextConfig)
    database: DatabaseConfig = field(default_factory=DatabaseConfig)
    http: HttpConfig = field(default_factory=HttpConfig)
    messages: MessagesConfig = field(default_factory=MessagesConfig)
    permissions: PermissionsConfig = field(default_factory=PermissionsConfig)
    editing: EditingConfig = field(default_factory=EditingConfig)
    files: FilesConfig = field(default_factory=FilesConfig)
    gallery: GalleryConfig = field(default_factory=GalleryConfig)
    limits: LimitsConfig = field(default_factory=LimitsConfig)
    cache: CacheConfig = field(default_factory=CacheConfig)
    plugins: PluginsConfig = field(default_factory=PluginsConfig)
    namespaces: tuple[NamespaceConfig, ...] = ()
    repositories: tuple[RepositoryConfig, ...] = ()
    extensions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """``[extensions.NAME]``: the settings of a plugin."""
    folder: FOLDER = field(default="", compare=False)
    """The folder of the configuration file, which is no setting; empty for that of the process."""

    def path(self, path: str) -> str:
        """Return a path of the configuration file as the process sees it; "" stays empty."""
        return str(Path(self.folder) / path) if path and self.folder else path

    @property
    def server(self) -> str:
        """Scheme, host and port of full URLs: ``site.server`` or the address to listen on."""
        if self.site.server:
            return self.site.server
        host, _, port = self.http.listen.rpartition(":")
        return f"http://{_EVERYWHERE.get(host, host)}" + (f":{port}" if port != "80" else "")


_EVERYWHERE: Mapping[str, str] = types.MappingProxyType(
    {"": "127.0.0.1", "*": "127.0.0.1", "0.0.0.0": "127.0.0.1", "[::]": "[::1]"}  # noqa: S104
)
"""Hosts that mean "all addresses" in ``http.listen``, and the address to use in URLs instead."""
