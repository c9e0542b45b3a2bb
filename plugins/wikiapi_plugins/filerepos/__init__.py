"""Foreign file repositories, built from the ``[[repositories]]`` tables of the configuration."""

from __future__ import annotations

from functools import partial
from urllib.parse import urlsplit

from wikiapi.config import RepositoryConfig
from wikiapi.errors import ConfigError
from wikiapi.fetching import HttpClient, WebAddress
from wikiapi.site import Site
from wikiapi_plugins.filerepos.apirepo import ApiRepository, is_own
from wikiapi_plugins.filerepos.remoteapi import Bounds, RemoteApi, fetch


def configured(site: Site) -> list[ApiRepository]:
    """Return the file repositories of a site's configuration, in its order.

    Raises:
        ConfigError: the address of a repository cannot be used, or is that of the wiki itself.
    """
    return [_repository(config, site) for config in site.config.repositories]


def _repository(config: RepositoryConfig, site: Site) -> ApiRepository:
    if is_own(config.api, site):
        raise ConfigError(f"repository {config.name} is the wiki itself")
    check_address(config.api)
    client = HttpClient(
        public_only=not config.allow_private,
        idle_seconds=config.timeout,
        max_bytes=config.max_bytes,
    )
    # At most half of the server's threads may wait for a repository, however slow it is.
    bounds = Bounds(config.timeout, config.max_bytes, max(1, site.config.http.threads // 2))
    api = RemoteApi(partial(fetch, client, config.api), bounds, site.budgets)
    return ApiRepository(config, site, api)


def check_address(url: str) -> None:
    """Raise ConfigError for a URL to which no parameters can be added."""
    try:
        WebAddress.of(url)
    except ValueError as error:
        raise ConfigError(f"{url!r} is not a plain http or https URL") from error
    parts = urlsplit(url)
    if parts.query or parts.fragment or any(c <= " " or c > "~" for c in url):
        raise ConfigError(f"{url!r} must end with its path and be plain ASCII")
