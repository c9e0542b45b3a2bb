"""Whether a wiki is writable, and the reason if it is read-only."""

from __future__ import annotations

from wikiapi.site import Site


def is_writable(site: Site) -> bool:
    """Return whether users may log in and change the wiki.

    A database that was opened read-only is never changed, whatever the settings.
    """
    return (
        site.config.site.writable and not site.db.read_only and site.plugins.has_plugin("editing")
    )


USUAL_REASON = "This server shows a copy of the wiki and writes nothing."


def read_only_reason(site: Site) -> str:
    """Return the reason why all changes are refused; empty if the wiki can be changed."""
    configured = site.config.site.read_only
    return configured if is_writable(site) else configured or USUAL_REASON
