"""``list=mystashedfiles``."""

from __future__ import annotations

from wikiapi.api import CacheMode, ListModule, continuation, enum, limit
from wikiapi.errors import ApiError
from wikiapi.i18n import Message


class MyStashedFiles(ListModule):
    """Get a list of files in the current user's upload stash.

    A stash belongs to a user who has logged in, which nobody can here.
    """

    name = "mystashedfiles"
    prefix = "msf"
    element = "file"
    params = (
        enum("prop", "size", "type", multi=True, default="",
             help="Properties of each file to include.",
             value_help=(("size", "Its size and dimensions."), ("type", "Its media types."))),
        limit("How many files to return."),
        continuation(),
    )  # fmt: skip
    examples = (("action=query&list=mystashedfiles&msfprop=size", "The stashed files' sizes"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Mystashedfiles",)

    def cache_mode(self) -> CacheMode:
        """Return private: a stash is shown to its owner only."""
        return CacheMode.PRIVATE

    def execute(self) -> None:
        """Refuse.

        Raises:
            ApiError: ``stashnotloggedin``.
        """
        raise ApiError(Message("apierror-mustbeloggedin-uploadstash"), "stashnotloggedin")
