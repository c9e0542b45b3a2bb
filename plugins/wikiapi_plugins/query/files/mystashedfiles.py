"""``list=mystashedfiles``."""

from __future__ import annotations

from wikiapi.api import CacheMode, ListModule, Obj, bad_continue, continuation, enum, limit
from wikiapi.errors import ApiError
from wikiapi_plugins.query.files.stash import Stash, Stashed


class MyStashedFiles(ListModule):
    """List the files that the user has stashed but not yet published."""

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
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:mystashedfiles",)

    def cache_mode(self) -> CacheMode:
        """Return ``PRIVATE``, because a stash is only shown to its owner."""
        return CacheMode.PRIVATE

    def execute(self) -> None:
        """List the user's files in the order in which they were stashed.

        Raises:
            ApiError: ``stashnotloggedin``.
        """
        if self.context.user.is_anonymous:
            raise ApiError("stashnotloggedin", "apierror-mustbeloggedin-uploadstash")
        (first,) = self.continue_parts(1) or ("0",)
        if not (first.isascii() and first.isdecimal()):
            raise bad_continue()
        limit = self.limit
        most = None if limit is None else limit + 1
        files = Stash(self.context).listed(int(first), most)
        items = (self._item(stashed) for stashed in files[:limit])
        self.emit(items, files, lambda stashed: str(stashed.id))

    def _item(self, stashed: Stashed) -> Obj:
        prop, facts = self.p.texts("prop"), stashed.facts
        item = Obj({"filekey": stashed.key, "status": stashed.status})
        if "size" in prop:
            item["size"] = stashed.size
            if facts and facts.width:
                item |= {"width": facts.width, "height": facts.height, "bits": facts.bits}
        if "type" in prop:
            item["mimetype"] = facts.mime if facts else None
            item["mediatype"] = facts.media_type if facts else None
        return item
