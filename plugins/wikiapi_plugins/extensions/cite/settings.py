"""``[extensions.cite]`` of the configuration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wikiapi.errors import ConfigError

if TYPE_CHECKING:
    from wikiapi.site import Site

NAME = "cite"


@dataclass(frozen=True, slots=True)
class Settings:
    """How lists of references look."""

    responsive: bool = True
    """Whether a list of references is wrapped, and a long one set in columns."""
    responsive_threshold: int = 10
    """A list of more footnotes than this is long."""
    sub_references: bool = False
    """Whether ``<ref details="...">`` makes a footnote that tells details of another."""

    @classmethod
    def of(cls, site: Site) -> Settings:
        """The settings of a wiki.

        Raises:
            ConfigError: a setting is unknown or of the wrong type.
        """
        given = site.config.extensions.get(NAME, {})
        for name, value in given.items():
            cls._check(name, value)
        return cls(**given)

    @classmethod
    def _check(cls, name: str, value: Any) -> None:
        kind = type(getattr(cls(), name, None)) if name in cls.__slots__ else None
        if type(value) is not kind:
            raise ConfigError(f"extensions.{NAME}.{name}: no such setting, or no value for it")
