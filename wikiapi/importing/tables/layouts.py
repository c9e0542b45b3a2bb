"""The tables that can be loaded, and how their values become those of the store.

SQL literals are converted by the types of columns, older and redacted layouts of tables by columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from wikiapi.expiry import INFINITY
from wikiapi.languages.collation import Collation
from wikiapi.store.database import Database
from wikiapi.store.fields import Column, DateTime, Double, Number, Payload, Timestamp
from wikiapi.store.models import (
    Category,
    CategoryLinks,
    ChangeTag,
    ChangeTagDef,
    ExistenceLinks,
    ExternalLinks,
    Image,
    ImageLinks,
    Interwiki,
    IwLinks,
    LangLinks,
    LinkTarget,
    Page,
    PageLinks,
    PageProps,
    PageRestrictions,
    Redirect,
    SiteStats,
    TemplateLinks,
    UserFormerGroups,
    UserGroups,
)
from wikiapi.store.queries.externallinks import split_url
from wikiapi.store.sql.compiled import ByValues
from wikiapi.store.write.ids import Actors, Comments, LinkTargets, Person
from wikiapi.store.write.links import collation_id
from wikiapi.timestamps import is_real
from wikiapi.title.interwiki import is_linkable
from wikiapi.title.namespaces import CATEGORY, FILE

Converter = Callable[[bytes], Any]

_INTEGER = re.compile(rb"[-+]?[0-9]{1,19}", re.ASCII)
_LARGEST = 2**63 - 1
_DATED = re.compile(r"(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.\d+)?", re.ASCII)
_EPOCH = "19700101000000"
_NO_TIME = ("", "0000-00-00 00:00:00")
"""The values of an empty column, and of a date that was never set."""
_ADDRESSES = ("iw_url", "iw_api")
_ESCAPED = re.compile(rb"\\(.)|''", re.DOTALL)
# Letters with a meaning after a backslash; any other character stands for itself.
_ESCAPES = {b"0": b"\0", b"b": b"\b", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"Z": b"\x1a"}


class BadValue(ValueError):
    """A value does not fit its column."""


def converter(column: Column) -> Converter:
    """Return the function that converts values of a column; it raises BadValue."""
    convert: Converter = text
    if isinstance(column, Number):
        convert = integer
    elif isinstance(column, Double):
        convert = _double
    elif isinstance(column, Payload):
        convert = content
    elif isinstance(column, Timestamp | DateTime):
        convert = _expiry if column.column_name.endswith("_expiry") else _timestamp
    elif column.column_name in _ADDRESSES:
        convert = _address
    if column.null:
        return lambda value: None if value == b"NULL" else convert(value)
    return convert


def integer(value: bytes) -> int:
    """Return an integer of at most 64 bits."""
    bare = value[1:-1] if value[:1] == b"'" else value
    if not _INTEGER.fullmatch(bare) or not -_LARGEST <= (number := int(bare)) <= _LARGEST:
        raise BadValue(f"{_quoted(value)} is not an integer of 64 bits")
    return number


def text(value: bytes) -> str:
    """Return a text; invalid UTF-8 is replaced by the replacement character."""
    return content(value).decode("utf-8", "replace")


def _address(value: bytes) -> str:
    """Return the URL of an interwiki prefix, or "" if it has none."""
    url = text(value)
    if url and not is_linkable(url):
        raise BadValue(f"{_quoted(value)} is neither an http or https address nor a relative one")
    return url


def content(value: bytes) -> bytes:
    """Return the bytes of a quoted string, a hexadecimal literal or a number."""
    if value[:1] == b"_":
        value = value.partition(b" ")[2]
    if value[:1] == b"'":
        inner = value[1:-1]
        escaped = b"\\" in inner or b"'" in inner
        return _ESCAPED.sub(_unescaped, inner) if escaped else inner
    if value[:2] == b"0x":
        digits = value[2:].decode("ascii")
        return bytes.fromhex(digits if len(digits) % 2 == 0 else f"0{digits}")
    if value == b"NULL":
        raise BadValue("NULL where a value is required")
    return value


def _unescaped(match: re.Match[bytes]) -> bytes:
    char = match[1]
    return b"'" if char is None else _ESCAPES.get(char, char)


def _double(value: bytes) -> float:
    try:
        return float(text(value))
    except ValueError:
        raise BadValue(f"{_quoted(value)} is not a number") from None


def _timestamp(value: bytes) -> str:
    """Return the 14 digits of a time, or those of the epoch if it was never set."""
    time = text(value).rstrip("\0")
    return _EPOCH if time in _NO_TIME else _digits(time, value)


def _expiry(value: bytes) -> str:
    """Return 14 digits, or ``infinity`` or "", which both mean that it never expires."""
    time = text(value).rstrip("\0")
    return time if time in ("", INFINITY) else _digits(time, value)


def _digits(time: str, value: bytes) -> str:
    match = _DATED.fullmatch(time)
    digits = "".join(match.groups()) if match else time
    if not is_real(digits):
        raise BadValue(f"{_quoted(value)} is not a timestamp")
    return digits


def _quoted(value: bytes) -> str:
    return repr(value[:40].decode("utf-8", "replace"))


Values = tuple[bytes, ...]
Rows = Iterable[tuple[Any, ...] | None]
Convert = Callable[[Database, Sequence[Values]], Rows]


_UNKNOWN = Person(0, "Unknown user")


@dataclass(frozen=True, slots=True)
class Conversion:
    """Computes ``outputs``, columns of the store, from ``inputs``, columns of the dump.

    ``convert`` is called with the inputs of many rows, and yields None for a row to leave out. A
    conversion is used if the dump lacks one of the outputs, or in any case if ``always`` is true.
    """

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    convert: Convert
    always: bool = False


def _title_targets(db: Database, rows: Sequence[Values]) -> Rows:
    return _targets(db, [(integer(namespace), text(title)) for namespace, title in rows])


def _category_targets(db: Database, rows: Sequence[Values]) -> Rows:
    return _targets(db, [(CATEGORY, text(title)) for (title,) in rows])


def _targets(db: Database, keys: Sequence[tuple[int, str]]) -> Rows:
    ids = LinkTargets(db).ids(keys)
    return [(ids[key],) for key in keys]


_TITLES = ByValues(Page.select(Page.page_id, Page.page_title), Page.page_id)
_FILE_NAMES = ByValues(
    LinkTarget.select(LinkTarget.lt_id, LinkTarget.lt_title).where(LinkTarget.lt_namespace == FILE),
    LinkTarget.lt_id,
)


def _sort_keys(collation: Collation, db: Database, rows: Sequence[Values]) -> Rows:
    """Yield sort keys of this wiki's collation, since that of the dump's wiki may be another."""
    members = [(integer(page), text(prefix)) for page, prefix in rows]
    titles: dict[int, str] = dict(_TITLES.rows(db, (page for page, _ in members)))
    for page, prefix in members:
        if title := titles.get(page):
            yield (collation.member_key(title.replace("_", " "), prefix),)
        else:
            yield None


def _file_names(db: Database, rows: Sequence[Values]) -> Rows:
    targets = [integer(target) for (target,) in rows]
    names: dict[int, str] = dict(_FILE_NAMES.rows(db, targets))
    return [(names[number],) if number in names else None for number in targets]


def _external_links(_: Database, rows: Sequence[Values]) -> Rows:
    return [split_url(text(url)) for (url,) in rows]


def _uploaders(db: Database, rows: Sequence[Values]) -> Rows:
    """Return placeholders, since Wikimedia publishes neither actors nor comments."""
    actor = Actors(db).ids([_UNKNOWN])[_UNKNOWN]
    comment = Comments(db).ids([""])[""]
    return [(actor, comment)] * len(rows)


PAGES = Conversion(("pl_namespace", "pl_title"), ("pl_target_id",), _title_targets)
TEMPLATES = Conversion(("tl_namespace", "tl_title"), ("tl_target_id",), _title_targets)
CATEGORIES = Conversion(("cl_to",), ("cl_target_id",), _category_targets)
FILES = Conversion(("il_target_id",), ("il_to",), _file_names)
EXTERNAL_LINKS = Conversion(("el_to",), ("el_to_domain_index", "el_to_path"), _external_links)
UPLOADERS = Conversion((), ("img_actor", "img_description_id"), _uploaders, always=True)


@dataclass(frozen=True, slots=True)
class Layout:
    """A table of the store, and how a dump of it is loaded.

    Attributes:
        model: the table.
        dropped: columns of dumps that are ignored.
        conversions: how to compute columns that the dump lacks or has in another form.
        needs: tables that must be loaded before this one.
        empties: tables that refer to rows of this one, emptied with it unless they were loaded.
    """

    model: Any
    dropped: tuple[str, ...] = ()
    conversions: tuple[Conversion, ...] = ()
    needs: tuple[Any, ...] = ()
    empties: tuple[Any, ...] = ()

    @property
    def name(self) -> str:
        """The table's name."""
        return str(self.model._meta.table_name)


_OF_TARGETS = (TemplateLinks, PageLinks, CategoryLinks, ExistenceLinks)

_ALL = (
    Layout(Interwiki),
    Layout(LinkTarget, empties=_OF_TARGETS),
    Layout(Page, ("page_restrictions", "page_counter", "page_no_title_convert")),
    Layout(ChangeTagDef, empties=(ChangeTag,)),
    Layout(SiteStats, ("ss_total_views", "ss_admins")),
    Layout(Category, ("cat_hidden",)),
    Layout(PageProps),
    Layout(PageRestrictions, ("pr_user",)),
    Layout(Redirect),
    Layout(LangLinks),
    Layout(IwLinks),
    Layout(
        ExternalLinks,
        ("el_index", "el_index_60", "el_to"),
        (EXTERNAL_LINKS,),
    ),
    Layout(CategoryLinks, ("cl_collation", "cl_to"), (CATEGORIES,), needs=(Page,)),
    Layout(PageLinks, ("pl_namespace", "pl_title"), (PAGES,)),
    Layout(TemplateLinks, ("tl_namespace", "tl_title"), (TEMPLATES,)),
    Layout(ExistenceLinks),
    Layout(ImageLinks, ("il_target_id",), (FILES,)),
    Layout(UserGroups),
    Layout(UserFormerGroups),
    Layout(ChangeTag, needs=(ChangeTagDef,)),
    Layout(Image, (), (UPLOADERS,)),
)

LAYOUTS: dict[str, Layout] = {layout.name: layout for layout in _ALL}
"""The tables by name, in an order in which all of them can be loaded."""


def sorted_by(layout: Layout, collation: Collation) -> Layout:
    """Return a layout in which the sort keys of categories are made by a collation."""
    if layout.model is not CategoryLinks:
        return layout

    def collation_ids(db: Database, rows: Sequence[Values]) -> Rows:
        return [(collation_id(db, collation.name),)] * len(rows)

    inputs = ("cl_from", "cl_sortkey_prefix")
    keys = Conversion(inputs, ("cl_sortkey",), partial(_sort_keys, collation), always=True)
    ids = Conversion((), ("cl_collation_id",), collation_ids, always=True)
    return replace(layout, conversions=(*layout.conversions, keys, ids))
