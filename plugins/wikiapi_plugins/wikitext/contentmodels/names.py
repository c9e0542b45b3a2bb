"""Names of content models and formats, for parameters that accept them."""

from __future__ import annotations

from wikiapi.site import Site


def content_models(site: Site) -> tuple[str, ...]:
    """Return the names of all content models."""
    return tuple(sorted(site.content_models))


def editable_models(site: Site) -> tuple[str, ...]:
    """Return the names of the content models whose pages clients may edit."""
    models = site.content_models.values()
    return tuple(sorted(model.name for model in models if model.is_editable))


def content_formats(site: Site) -> tuple[str, ...]:
    """Return the serialisation formats of all content models."""
    models = site.content_models.values()
    return tuple(sorted({name for model in models for name in model.formats}))
