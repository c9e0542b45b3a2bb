"""Files in wikitext: options of images, links to files, and their HTML.

The HTML depends on the files, which may be in a remote repository. A strip marker therefore stands
for each (:mod:`~wikiapi.wikitext.media.holders`) until all files of a page are looked up together.
"""

from __future__ import annotations

from wikiapi.wikitext.media import figures, thumbs
from wikiapi.wikitext.media.broken import (
    ERROR,
    broken_media,
    missing_link,
    thumbnail_error,
    upload_url,
)
from wikiapi.wikitext.media.form import MediaForm
from wikiapi.wikitext.media.holders import MediaUse, PageFiles
from wikiapi.wikitext.media.image import Image
from wikiapi.wikitext.media.options import LinkOption, is_language_tag, read_width, split_options
from wikiapi.wikitext.media.picture import Picture
from wikiapi.wikitext.media.plaintext import attribute_text
from wikiapi.wikitext.media.sizing import DENSITIES, RequestedSize, is_vector

__all__ = [
    "DENSITIES",
    "ERROR",
    "Image",
    "LinkOption",
    "MediaForm",
    "MediaUse",
    "PageFiles",
    "Picture",
    "RequestedSize",
    "attribute_text",
    "broken_media",
    "figures",
    "is_language_tag",
    "is_vector",
    "missing_link",
    "read_width",
    "split_options",
    "thumbnail_error",
    "thumbs",
    "upload_url",
]
