"""``prop=stashimageinfo``."""

from __future__ import annotations

from wikiapi.api import Arr, CacheMode, PropModule, enum, integer, string
from wikiapi.errors import ApiError
from wikiapi.filerepo import File, ThumbRequest
from wikiapi.languages import Message, Plain, plain_list
from wikiapi_plugins.query.files.fileinfo import (
    PROP_HELP,
    PROP_NAMES,
    InfoOptions,
    ListedVersion,
    file_items,
)
from wikiapi_plugins.query.files.stash import Stash, stashed_file
from wikiapi_plugins.query.files.thumbnails import NO_SIZE, Thumbnails, requested_thumb

_NOT_OF_STASHES = frozenset(
    {"user", "userid", "comment", "parsedcomment", "mediatype", "archivename"}
)
"""Properties that are only known once a file has been published."""
PROPS_OF_STASHES = tuple(name for name in PROP_NAMES if name not in _NOT_OF_STASHES)


class StashImageInfo(PropModule):
    """Return facts about stashed files."""

    name = "stashimageinfo"
    prefix = "sii"
    params = (
        string("filekey", "The keys of the files.", multi=True),
        string("sessionkey", "Use filekey instead.", multi=True, deprecated=True),
        enum("prop", *PROPS_OF_STASHES, "badfile",
             multi=True, default="timestamp|url",
             help="Properties to include.", value_help=PROP_HELP),
        integer("urlwidth", "Width in pixels of the thumbnails in prop=url.",
                default=NO_SIZE),
        integer("urlheight", "Height in pixels of the thumbnails in prop=url.",
                default=NO_SIZE),
        string("urlparam", "Parameters of the thumbnail as in its name, such as page2-100px.",
               default=""),
    )  # fmt: skip
    examples = (("action=query&prop=stashimageinfo&siifilekey=124sd34rsdf567", "A stashed file"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Stashimageinfo",)

    def execute(self) -> None:
        """List facts about the user's stashed files, in the order of the keys.

        Raises:
            ApiError: ``notloggedin``, ``missingparam``, ``uploadstash-file-not-found``.
        """
        keys = self.p.texts("filekey") or self.p.texts("sessionkey")
        if self.context.user.is_anonymous:
            raise ApiError("notloggedin", "apierror-mustbeloggedin-uploadstash")
        if not keys:
            names = plain_list([self.full("filekey"), self.full("sessionkey")])
            message = Message("apierror-missingparam-at-least-one-of", (names, 2))
            raise ApiError("missingparam", message)
        files = [self._file(key) for key in keys]
        options = InfoOptions(frozenset(self.p.texts("prop")), self.site.files.full_url)
        has_url = "url" in options.props
        listed = [
            ListedVersion(file, file.current, self._thumbnails(file) if has_url else None)
            for file in files
        ]
        items = file_items(self.site, options, listed)
        self.result.set(("query",), self.name, Arr(items, self.prefix))

    def _file(self, key: str) -> File:
        stashed = Stash(self.context).peek(key)
        file = stashed_file(self.site, stashed) if stashed else None
        if file is None:
            message = Message("uploadstash-file-not-found", (Plain(key),))
            raise ApiError(message.key, message)
        return file

    def _thumbnails(self, file: File) -> Thumbnails | None:
        params = requested_thumb(self, file)
        if params is None:
            return None
        request = ThumbRequest(file, file.current, params)
        return Thumbnails(file.repository.thumbnails([request])[0], {})

    def cache_mode(self) -> CacheMode:
        """Return ``PRIVATE``, because a stash is only shown to its owner."""
        return CacheMode.PRIVATE
