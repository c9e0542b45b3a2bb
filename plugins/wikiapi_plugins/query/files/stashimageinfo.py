"""``prop=stashimageinfo``."""

from __future__ import annotations

from wikiapi.api import Arr, CacheMode, PropModule, enum, integer, string
from wikiapi.errors import ApiError
from wikiapi.filerepo import File, ThumbRequest
from wikiapi.languages import Message, Plain, plain_list
from wikiapi_plugins.query.files.fileinfo import PROP_HELP, PROP_NAMES, file_items
from wikiapi_plugins.query.files.fileprops import InfoOptions, ListedVersion, Thumbnails
from wikiapi_plugins.query.files.stash import Stash, stashed_file
from wikiapi_plugins.query.files.thumbparams import NOT_GIVEN, RequestedThumb

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
                default=NOT_GIVEN),
        integer("urlheight", "Height in pixels of the thumbnails in prop=url.",
                default=NOT_GIVEN),
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
        requested = RequestedThumb.of(
            self.p.number("urlwidth"),
            self.p.number("urlheight"),
            self.p.text("urlparam"),
            self.actual_prefix,
        )
        files = [self._file(key) for key in keys]
        options = InfoOptions(frozenset(self.p.texts("prop")), self.site.files.full_url)
        thumbnails: list[Thumbnails | None] = [None] * len(files)
        if requested and "url" in options.props:
            thumbnails = [self._thumbnails(file, requested) for file in files]
        listed = [
            ListedVersion(file, file.current, thumbnail)
            for file, thumbnail in zip(files, thumbnails, strict=True)
        ]
        items = file_items(self.site, options, listed)
        self.result.set(("query",), self.name, Arr(items, self.prefix))

    def _file(self, key: str) -> File:
        found = Stash(self.context).peek(key)
        file = stashed_file(self.site, found) if found else None
        if file is None:
            message = Message("uploadstash-file-not-found", (Plain(key),))
            raise ApiError(message.key, message)
        return file

    def _thumbnails(self, file: File, requested: RequestedThumb) -> Thumbnails | None:
        params = requested.params_for(file, self.warn)
        if params is None:
            return None
        return Thumbnails(
            file.repository.thumbnails([ThumbRequest(file, file.current, params)])[0], {}
        )

    def cache_mode(self) -> CacheMode:
        """Return ``PRIVATE``, because a stash is only shown to its owner."""
        return CacheMode.PRIVATE
