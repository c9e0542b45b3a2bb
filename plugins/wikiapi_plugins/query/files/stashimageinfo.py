"""``prop=stashimageinfo``."""

from __future__ import annotations

from wikiapi.api import CacheMode, PropModule, enum, integer, string
from wikiapi.errors import ApiError
from wikiapi.i18n import Message, Plain, plain_list
from wikiapi_plugins.query.files.fileinfo import PROP_HELP, PROP_NAMES
from wikiapi_plugins.query.files.thumbparams import NOT_GIVEN

_NOT_OF_STASHES = frozenset(
    {"user", "userid", "comment", "parsedcomment", "mediatype", "archivename"}
)
"""What is only known once a file has been published."""


class StashImageInfo(PropModule):
    """Returns file information for stashed files.

    A stash belongs to an account that uploads; nothing is uploaded here, so every stash is empty.
    """

    name = "stashimageinfo"
    prefix = "sii"
    params = (
        string("filekey", "The keys of the files.", multi=True),
        string("sessionkey", "Use filekey instead.", multi=True, deprecated=True),
        enum("prop", *(name for name in PROP_NAMES if name not in _NOT_OF_STASHES), "badfile",
             multi=True, default="timestamp|url",
             help="Properties to include.", value_help=PROP_HELP),
        integer("urlwidth", "Width in pixels of the thumbnails in prop=url.",
                default=NOT_GIVEN),
        integer("urlheight", "The same for the height.", default=NOT_GIVEN),
        string("urlparam", "Thumbnail parameters as in its name, such as page2-100px.",
               default=""),
    )  # fmt: skip
    examples = (("action=query&prop=stashimageinfo&siifilekey=124sd34rsdf567", "A stashed file"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Stashimageinfo",)

    def execute(self) -> None:
        """Refuse: there are no files in a stash."""
        if self.context.user.is_anonymous:
            raise ApiError(Message("apierror-mustbeloggedin-uploadstash"), "notloggedin")
        names = plain_list([self.full("filekey"), self.full("sessionkey")])
        keys = self.p.texts("filekey") or self.p.texts("sessionkey")
        if not keys:
            message = Message("apierror-missingparam-at-least-one-of", (names, 2))
            raise ApiError(message, "missingparam")
        message = Message("apierror-stashedfilenotfound", (Plain(keys[0]),))
        raise ApiError(message, "stashedfilenotfound")

    def cache_mode(self) -> CacheMode:
        """Return private: a stash is shown to its owner only."""
        return CacheMode.PRIVATE
