"""``list=allimages``."""

from __future__ import annotations

from typing import Any

from peewee import fn

from wikiapi.api import (
    GeneratedPages,
    ListModule,
    Obj,
    continuation,
    enum,
    integer,
    limit,
    string,
    timestamp,
    title_data,
)
from wikiapi.api import user as user_param
from wikiapi.errors import ApiError
from wikiapi.languages import Message, Plain
from wikiapi.store import bounds
from wikiapi.store.models import Actor, Image, UserGroups
from wikiapi.store.queries import SELECT_FILES, FileVersion, read_current
from wikiapi.title import FILE
from wikiapi_plugins.query.authorship import users_visible_to
from wikiapi_plugins.query.files.filearchive import requested_sha1
from wikiapi_plugins.query.files.fileinfo import (
    PROP_HELP,
    PROP_NAMES,
    InfoOptions,
    ListedVersion,
    file_items,
    readable_file_bits,
)
from wikiapi_plugins.query.titlepart import title_conditions
from wikiapi_plugins.query.userfilter import KINDS, is_user

_NOT_OF_LISTS = frozenset({"archivename", "thumbmime"})
"""Properties that only make sense for earlier versions or thumbnails."""

_BY_NAME, _BY_TIME = ("from", "to", "prefix"), ("start", "end", "user")
"""The parameters that belong to one order only."""


class AllImages(ListModule):
    """List the files of the wiki by name or by time of upload."""

    name = "allimages"
    prefix = "ai"
    element = "img"
    params = (
        enum("sort", "name", "timestamp", default="name", help="What to sort by."),
        enum("dir", "ascending", "descending", "newer", "older", default="ascending",
             help="The direction in which to list."),
        string("from", "The name to begin with; only when sorting by name."),
        string("to", "The name to end with; only when sorting by name."),
        continuation(),
        timestamp("start", "The time to begin with; only when sorting by timestamp."),
        timestamp("end", "The time to end with; only when sorting by timestamp."),
        enum("prop", *(name for name in PROP_NAMES if name not in _NOT_OF_LISTS), "badfile",
             multi=True, default="timestamp|url",
             help="Properties to include.", value_help=PROP_HELP),
        string("prefix", "Files whose name begins with this text; only when sorting by name."),
        integer("minsize", "Only files with at least this many bytes."),
        integer("maxsize", "Only files with at most this many bytes."),
        string("sha1", "Files with this SHA-1, in hexadecimal digits."),
        string("sha1base36", "Files with this SHA-1, in base 36."),
        user_param("user", "Files that this user uploaded; only when sorting by timestamp.",
                   kinds=KINDS),
        enum("filterbots", "all", "bots", "nobots", default="all",
             help="Whether to list all files, only uploads by bots, or only uploads by others; "
             "only when sorting by timestamp."),
        string("mime", "Only files of these MIME types.", multi=True),
        limit(),
    )  # fmt: skip
    examples = (
        ("action=query&list=allimages&aifrom=B", "Files from B on"),
        ("action=query&list=allimages&aiprop=user|timestamp|url&aisort=timestamp&aidir=older",
         "The newest files"),
        ("action=query&generator=allimages&gailimit=4&gaifrom=T&prop=info", "Facts about four"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Allimages",)

    def execute(self) -> None:
        """List the files."""
        rows = self._rows()
        listed = rows[: self.limit]
        files = [self.site.files.local.file_of(row) for row in listed]
        options = InfoOptions(frozenset(self.p.texts("prop")), self.site.files.full_url)
        data = file_items(self.site, options, [ListedVersion(f, f.current) for f in files])
        items = (
            Obj(item | {"name": row.name} | title_data(file.title))
            for row, file, item in zip(listed, files, data, strict=True)
        )
        self.emit(items, rows, self._continue_value)

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the files' pages.

        Raises:
            ApiError: ``invalidparammix``; files have no redirects that could be followed.
        """
        if self.query.follows_redirects:
            raise ApiError("invalidparammix", "apierror-allimages-redirect")
        rows = self.within_limit(self._rows(), self._continue_value)
        pages.titles += [self.site.titles.make(FILE, row.name) for row in rows]

    @property
    def _is_by_name(self) -> bool:
        return self.p.text("sort") == "name"

    def _continue_value(self, row: FileVersion) -> str:
        return row.name if self._is_by_name else f"{row.timestamp}|{row.name}"

    def _rows(self) -> list[FileVersion]:
        descending = self.p.text("dir") in ("descending", "older")
        self._refuse_mixes()
        order = [Image.img_name] if self._is_by_name else [Image.img_timestamp, Image.img_name]
        conditions = self._range(order, descending=descending) + self._kinds() + self._uploaders()
        if (sha1 := requested_sha1(self.p)) is not None:
            conditions.append(Image.img_sha1 == sha1)
        query = SELECT_FILES
        query = query.where(*conditions) if conditions else query
        query = bounds.ordered(query, *order, descending=descending)
        seen = readable_file_bits(self.context.user)
        rows = self.rows(query.limit(self.p.number("limit") + 1))
        return [read_current(row, seen) for row in rows]

    def _refuse_mixes(self) -> None:
        misplaced, order = (_BY_TIME, "timestamp") if self._is_by_name else (_BY_NAME, "name")
        names = [name for name in misplaced if self.p[name] is not None]
        if self._is_by_name and self.p.text("filterbots") != "all":
            names.append("filterbots")
        for name in names:
            params = (Plain(self.full(name)), Plain(f"{self.full('sort')}={order}"))
            message = Message("apierror-invalidparammix-mustusewith", params)
            raise ApiError("invalidparammix", message)
        if self.p.is_given("user") and self.p.text("filterbots") != "all":
            both = (Plain(self.full("user")), Plain(self.full("filterbots")))
            message = Message("apierror-invalidparammix-cannotusewith", both)
            raise ApiError("invalidparammix-cannotusewith", message)

    def _range(self, order: list[Any], *, descending: bool) -> list[Any]:
        conditions: list[Any] = []
        if parts := self.continue_parts(len(order)):
            if not self._is_by_name:
                self.continue_int(parts[0])
            conditions.append(bounds.starting_at(order, parts, descending=descending))
        if not self._is_by_name:
            ends = (self.p.text_or_none("start"), self.p.text_or_none("end"))
            return conditions + bounds.between(order[0], *ends, descending=descending)
        return conditions + title_conditions(self, order[0], FILE, descending=descending)

    def _kinds(self) -> list[Any]:
        conditions = []
        if self.p.is_given("minsize"):
            conditions.append(Image.img_size >= self.p.number("minsize"))
        if self.p.is_given("maxsize"):
            conditions.append(Image.img_size <= self.p.number("maxsize"))
        if self.p.texts("mime"):
            types = [mime.partition("/")[::2] for mime in self.p.texts("mime")]
            one_of = [(Image.img_major_mime == a) & (Image.img_minor_mime == b) for a, b in types]
            matching = one_of[0]
            for other in one_of[1:]:
                matching |= other
            conditions.append(matching)
        return conditions

    def _uploaders(self) -> list[Any]:
        if self.p.is_given("user"):
            may_see = users_visible_to(self.context.user, Actor.actor_user)
            return [is_user(self.p.text("user")), *may_see]
        if self.p.text("filterbots") == "all":
            return []
        bots = UserGroups.select(UserGroups.ug_user).where(
            UserGroups.ug_user == Actor.actor_user, UserGroups.ug_group == "bot"
        )
        is_bot = fn.EXISTS(bots)
        return [is_bot if self.p.text("filterbots") == "bots" else ~is_bot]
