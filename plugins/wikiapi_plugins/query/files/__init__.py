"""Files: their versions and usage, duplicates, and deleted and stashed files."""

from __future__ import annotations

from wikiapi.api import QueryModule
from wikiapi_plugins.query.files.allfileusages import AllFileUsages
from wikiapi_plugins.query.files.allimages import AllImages
from wikiapi_plugins.query.files.duplicatefiles import DuplicateFiles
from wikiapi_plugins.query.files.filearchive import FileArchive
from wikiapi_plugins.query.files.fileusage import FileUsage
from wikiapi_plugins.query.files.imageinfo import ImageInfo
from wikiapi_plugins.query.files.images import Images
from wikiapi_plugins.query.files.imageusage import ImageUsage
from wikiapi_plugins.query.files.mystashedfiles import MyStashedFiles
from wikiapi_plugins.query.files.stashimageinfo import StashImageInfo

MODULES: tuple[type[QueryModule], ...] = (
    AllFileUsages,
    AllImages,
    DuplicateFiles,
    FileArchive,
    FileUsage,
    ImageInfo,
    Images,
    ImageUsage,
    MyStashedFiles,
    StashImageInfo,
)
