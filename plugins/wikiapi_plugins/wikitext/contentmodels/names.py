"""The content models and formats that a parameter may name."""

from __future__ import annotations

from wikiapi.site import Site


def content_models(site: Site) -> tuple[str, ...]:
    """Return every content model that a plugin registers."""
    return tuple(sorted(site.parser.registries.content_models))


def editable_models(site: Site) -> tuple[str, ...]:
    """Return the content models whose pages clients may edit."""
    models = site.parser.registries.content_models.values()
    return tuple(sorted(model.name for model in models if model.is_editable))


def content_formats(site: Site) -> tuple[str, ...]:
    """Return every serialisation that a content model has."""
    models = site.parser.registries.content_models.values()
    return tuple(sorted({name for model in models for name in model.formats}))
