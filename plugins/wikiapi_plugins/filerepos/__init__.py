"""Foreign file repositories, built from the ``[[repositories]]`` tables of the configuration."""

from __future__ import annotations

from wikiapi.config import RepositoryConfig
from wikiapi.errors import ConfigError
from wikiapi.site import Site
from wikiapi_plugins.filerepos.apirepo import ApiRepository, is_own
from wikiapi_plugins.filerepos.fetch import Endpoint, Fetcher
from wikiapi_plugins.filerepos.remoteapi import Bounds, RemoteApi


def configured(site: Site) -> list[ApiRepository]:
    """Return the file repositories of a site's configuration, in its order.

    Raises:
        ConfigError: the address of a repository cannot be used, or is that of the wiki itself.
    """
    return [_repository(config, site) for config in site.config.repositories]


def _repository(config: RepositoryConfig, site: Site) -> ApiRepository:
    if is_own(config.api, site):
        raise ConfigError(f"repository {config.name} is the wiki itself")
    fetcher = Fetcher(Endpoint.of(config.api), config.max_bytes, allow_private=config.allow_private)
    # At most half of the server's threads may wait for a repository, however slow it is.
    bounds = Bounds(config.timeout, config.max_bytes, max(1, site.config.http.threads // 2))
    return ApiRepository(config, site, RemoteApi(fetcher, bounds, site.budgets))
