"""The configuration: ``wikiapi.toml`` read into frozen dataclasses."""

from __future__ import annotations

from wikiapi.config.permitted import ADDRESS, Counterpart, Permitted, Range, is_address
from wikiapi.config.reading import (
    check_config,
    check_setting,
    counterparts,
    linking_settings,
    load_config,
    parse_config,
    permitted,
)
from wikiapi.config.tables import (
    CacheConfig,
    Config,
    DatabaseConfig,
    EditingConfig,
    FilesConfig,
    GalleryConfig,
    HttpConfig,
    LimitsConfig,
    MessagesConfig,
    NamespaceConfig,
    PermissionsConfig,
    PluginsConfig,
    RepositoryConfig,
    SiteConfig,
    WikitextConfig,
)

__all__ = [
    "ADDRESS",
    "CacheConfig",
    "Config",
    "Counterpart",
    "DatabaseConfig",
    "EditingConfig",
    "FilesConfig",
    "GalleryConfig",
    "HttpConfig",
    "LimitsConfig",
    "MessagesConfig",
    "NamespaceConfig",
    "PermissionsConfig",
    "Permitted",
    "PluginsConfig",
    "Range",
    "RepositoryConfig",
    "SiteConfig",
    "WikitextConfig",
    "check_config",
    "check_setting",
    "counterparts",
    "is_address",
    "linking_settings",
    "load_config",
    "parse_config",
    "permitted",
]
