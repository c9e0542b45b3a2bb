"""The content models and formats that a parameter may name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wikiapi.site import Site


def content_models(site: Site) -> tuple[str, ...]:
    """Every content model that a plugin registers."""
    return tuple(sorted(site.parser.registries.content_models))


def content_formats(site: Site) -> tuple[str, ...]:
    """Every serialisation that one of them has."""
    models = site.parser.registries.content_models.values()
    return tuple(sorted({name for model in models for name in model.formats}))
