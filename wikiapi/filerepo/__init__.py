"""File repositories: the wiki's own files, and those of other wikis."""

from __future__ import annotations

from wikiapi.filerepo import paths
from wikiapi.filerepo.badfiles import BadFiles
from wikiapi.filerepo.durable import sync
from wikiapi.filerepo.file import (
    Description,
    File,
    FileRepository,
    FileVersion,
    Hidden,
    RepositoryUnavailable,
    Thumbnail,
    ThumbRequest,
    Uploader,
    enlarged,
    icon,
    reduced,
)
from wikiapi.filerepo.folder import FolderChanges, UploadFolder, link_or_copy
from wikiapi.filerepo.metadata import decode_metadata, pairs
from wikiapi.filerepo.paths import extension, file_path, hash_path
from wikiapi.filerepo.scaling import Scaled, Size, ThumbParams
from wikiapi.filerepo.sha1 import from_hex, sha1_of_file, to_hex

__all__ = [
    "BadFiles",
    "Description",
    "File",
    "FileRepository",
    "FileVersion",
    "FolderChanges",
    "Hidden",
    "RepositoryUnavailable",
    "Scaled",
    "Size",
    "ThumbParams",
    "ThumbRequest",
    "Thumbnail",
    "UploadFolder",
    "Uploader",
    "decode_metadata",
    "enlarged",
    "extension",
    "file_path",
    "from_hex",
    "hash_path",
    "icon",
    "link_or_copy",
    "pairs",
    "paths",
    "reduced",
    "sha1_of_file",
    "sync",
    "to_hex",
]
