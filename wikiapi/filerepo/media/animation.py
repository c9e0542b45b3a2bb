"""PNG and GIF: formats whose metadata lies within a description of their frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from wikiapi.filerepo.media.image import ImageHandler
from wikiapi.filerepo.metadata import pairs

if TYPE_CHECKING:
    from collections.abc import Mapping


class FramesHandler(ImageHandler):
    """Common names are under ``metadata``, beside the version of the reader that found them."""

    version_key: ClassVar[str]

    def common_metadata(self, metadata: Mapping[str, Any]) -> Mapping[str, Any]:
        inner = pairs(metadata.get("metadata"))
        return {str(key): value for key, value in inner if key != self.version_key}


class PngHandler(FramesHandler):
    """PNG."""

    version_key = "_MW_PNG_VERSION"


class GifHandler(FramesHandler):
    """GIF."""

    version_key = "_MW_GIF_VERSION"
