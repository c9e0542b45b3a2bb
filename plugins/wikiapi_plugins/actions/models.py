"""The content models and formats that a parameter may name."""

from __future__ import annotations

from wikiapi.site import Site

_UNKNOWN = "unknown"
_UNKNOWN_FORMATS = (
    "application/octet-stream",
    "application/unknown",
    "application/x-binary",
    "text/unknown",
    "unknown/unknown",
)
"""What stands for a model that no plugin knows, and for its serialisations."""


def content_models(site: Site) -> tuple[str, ...]:
    """Return every content model that a plugin registers."""
    return tuple(sorted({*site.parser.registries.content_models, _UNKNOWN}))


def content_formats(site: Site) -> tuple[str, ...]:
    """Return every serialisation that one of them has."""
    models = site.parser.registries.content_models.values()
    known = {name for model in models for name in model.formats}
    return tuple(sorted({*known, *_UNKNOWN_FORMATS}))
