"""EmbedVideo: videos from other sites, which are loaded only when a reader asks for them.

``{{#ev:}}``, ``{{#evt:}}``, ``{{#evu:}}``, ``{{#evl:}}``, ``<embedvideo>`` and a tag for each
service. Settings of ``[extensions.embedvideo]``: ``default_width`` (640) in pixels; ``services``,
the names of the allowed services, all by default.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.resources import read_modules
from wikiapi.site import Site
from wikiapi_plugins.extensions import BundledExtension
from wikiapi_plugins.extensions.embedvideo import calls
from wikiapi_plugins.extensions.embedvideo.services import PLAYER_SITES

FOLDER = Path(__file__).parent


@hookimpl
def register_extensions(site: Site) -> Iterable[Extension]:
    """Return the extension."""
    return (
        BundledExtension(
            "EmbedVideo",
            description="Videos of other sites",
            tags=calls.tags(site),
            functions=calls.FUNCTIONS,
            messages=FOLDER / "messages",
            resources=lambda: read_modules(
                FOLDER / "resources", in_reader=True, frame_sources=PLAYER_SITES
            ),
        ),
    )
