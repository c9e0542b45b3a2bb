"""The settings in ``[extensions.reader]`` of the configuration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wikiapi.errors import ConfigError
from wikiapi.site import Site

NAME = "reader"


@dataclass(frozen=True, slots=True)
class Settings:
    """The limits of thumbnails, the hosts of pictures, and whether scripts of the wiki run."""

    thumbnail_folder: str = ""
    """Folder of the thumbnails; empty for a folder in the cache folder of the user."""
    thumbnail_bytes: int = 268_435_456
    """Bytes that thumbnails may take; the oldest are removed first."""
    largest_picture: int = 50_000_000
    """Pixels of the largest picture of which thumbnails are made."""
    image_sources: tuple[str, ...] = ()
    """Other hosts from which pictures may come (``https://upload.example.org``)."""

    site_scripts: bool = False
    """Whether scripts of the wiki (``MediaWiki:Common.js``) and of its default gadgets run."""

    @classmethod
    def of(cls, site: Site) -> Settings:
        """Return the settings of a wiki.

        Raises:
            ConfigError: a setting is unknown or of the wrong type.
        """
        values = site.config.extensions.get(NAME, {})
        return cls(**{name: _checked(cls, name, value) for name, value in values.items()})


def _checked(settings: type[Settings], name: str, value: Any) -> Any:
    if name == "image_sources" and isinstance(value, list):
        for entry in value:
            # It becomes part of a header.
            if not isinstance(entry, str) or not entry or any(c in entry for c in " ;,\r\n\t"):
                raise ConfigError(f"extensions.{NAME}.image_sources: {entry!r} is not a host")
        return tuple(value)
    kind = type(getattr(settings(), name, None)) if name in settings.__slots__ else None
    if type(value) is not kind:
        raise ConfigError(f"extensions.{NAME}.{name}: unknown setting, or value of the wrong type")
    return value
