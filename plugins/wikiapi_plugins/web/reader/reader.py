"""What all views of one site share: settings, addresses, templates and renderings."""

from __future__ import annotations

from wikiapi.site import Site
from wikiapi_plugins.web.reader.addresses import Addresses
from wikiapi_plugins.web.reader.rendering import Renderings
from wikiapi_plugins.web.reader.settings import Settings
from wikiapi_plugins.web.reader.skin import Skin, image_sources


class Reader:
    """The reader of one site. Safe to use from several threads."""

    def __init__(self, site: Site) -> None:
        """Read settings and static files.

        Raises:
            ConfigError: a setting of the reader is invalid.
        """
        self.site = site
        self.settings = Settings.of(site)
        self.addresses = Addresses(site)
        sources = image_sources(site, self.settings.image_sources)
        self.skin = Skin(self.addresses.static, sources)
        self.renderings = Renderings(site)
        self.is_private = "read" not in site.config.permissions.anonymous_rights
