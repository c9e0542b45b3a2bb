"""File repositories: the wiki's own files, and those of other wikis."""

from __future__ import annotations

from wikiapi.filerepo.file import Description, File, FileVersion, Hidden, Uploader
from wikiapi.filerepo.repository import FileRepository, RepositoryUnavailable
from wikiapi.filerepo.scaling import Size, ThumbParams
from wikiapi.filerepo.thumbnail import Thumbnail, ThumbRequest

__all__ = [
    "Description",
    "File",
    "FileRepository",
    "FileVersion",
    "Hidden",
    "RepositoryUnavailable",
    "Size",
    "ThumbParams",
    "ThumbRequest",
    "Thumbnail",
    "Uploader",
]
