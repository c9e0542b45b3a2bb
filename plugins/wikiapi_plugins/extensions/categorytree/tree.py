"""The HTML of a tree."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from peewee import Value, fn

from wikiapi.languages import Message, MessageParam, Num, Plain, direction
from wikiapi.store import CategoryRow, Database
from wikiapi.store.models import CategoryLinks, LinkTarget, Page
from wikiapi.store.queries import by_titles
from wikiapi.title import CATEGORY, Title
from wikiapi.wiki import Wiki
from wikiapi.wikitext import encode_attributes, escape_text, trim
from wikiapi_plugins.extensions.categorytree.options import Mode, TreeOptions

_NOTHING = {
    Mode.CATEGORIES: "no-subcategories",
    Mode.PAGES: "no-pages",
    Mode.PARENTS: "no-parent-categories",
}


def category_title(name: str, site: Wiki) -> Title | None:
    """Return the category of a name, with or without its namespace."""
    title = site.titles.try_parse(name, CATEGORY)
    if title is None or title.interwiki:
        return None
    return title if title.ns == CATEGORY else site.titles.try_parse(f"Category:{trim(name)}")


class Tree:
    """Writes the HTML of one category's tree, with its texts in ``language``."""

    def __init__(self, site: Wiki, options: TreeOptions, language: str) -> None:
        """Start without members, which are read as they are needed."""
        self._site = site
        self._options = options
        self._language = language
        self._members: dict[str, list[Member]] = {}

    def root(self, title: Title, depth: int) -> str:
        """Return the node of the category, with ``depth`` levels below it."""
        self._load(title.dbkey, depth)
        counts = by_titles(self._site.db, [title.dbkey]).get(title.dbkey)
        return self._node(Member(CATEGORY, title.dbkey, False, counts), depth)

    def children(self, title: Title, depth: int) -> str:
        """Return the nodes below the category, at least the first level."""
        self._load(title.dbkey, max(1, depth))
        return self._nodes(title.dbkey, depth)

    def _load(self, dbkey: str, depth: int) -> None:
        level = [dbkey]
        for _ in range(depth):
            lists = members(self._site.db, level, self._options)
            self._members.update({name: lists.get(name, []) for name in level})
            below = (one.dbkey for some in lists.values() for one in some if one.ns == CATEGORY)
            level = [name for name in dict.fromkeys(below) if name not in self._members]

    def _nodes(self, dbkey: str, depth: int) -> str:
        return "".join(self._node(one, depth - 1) for one in self._members.get(dbkey, ()))

    def _node(self, member: Member, depth: int) -> str:
        is_open = depth > 0
        site = self._site
        title = site.titles.make(member.ns, member.dbkey)
        bare = self._options.hides_prefix(member.ns)
        css = {"class": "mw-redirect"} if member.is_redirect else {}
        link = {"href": site.page_path(title), **css, "title": title.prefixed_text}
        text = escape_text(title.text if bare else title.prefixed_text)
        side = direction(site.language)
        label = f'<bdi dir="{side}"><a{encode_attributes(link)}>{text}</a></bdi>'
        item = f"{self._bullet(member, is_open)} {label}{self._count(member)}"
        inside = ""
        if is_open and member.ns == CATEGORY:
            inside = self._nodes(member.dbkey, depth)
            if not inside:
                notice = escape_text(self._say(_NOTHING.get(self._options.mode, "nothing-found")))
                inside = f'<i class="CategoryTreeNotice">{notice}</i>'
        style = {} if is_open else {"style": "display:none"}
        below = encode_attributes({"class": "CategoryTreeChildren", **style})
        return (
            f'<div class="CategoryTreeSection"><div class="CategoryTreeItem">{item}</div>'
            f"<div{below}>{inside}</div></div>"
        )

    def _bullet(self, member: Member, is_open: bool) -> str:
        if member.ns != CATEGORY:
            return '<span class="CategoryTreePageBullet"></span>'
        if self._children_of(member.counts) == 0:
            return '<span class="CategoryTreeEmptyBullet"></span>'
        loaded = {"data-ct-loaded": "1"} if is_open else {}
        toggle = {
            "class": "CategoryTreeToggle",
            "data-ct-title": member.dbkey,
            **loaded,
            "aria-expanded": "true" if is_open else "false",
        }
        return f'<span class="CategoryTreeBullet"><a{encode_attributes(toggle)}></a> </span>'

    def _children_of(self, counts: CategoryRow | None) -> int | None:
        """Return the number of nodes below a category; ``None`` if they are not counted."""
        mode = self._options.mode
        if mode is Mode.PARENTS:
            return None
        if counts is None:
            return 0
        if mode is Mode.CATEGORIES:
            return counts.subcats
        return counts.pages - counts.files if mode is Mode.PAGES else counts.pages

    def _count(self, member: Member) -> str:
        if not self._options.show_count or member.ns != CATEGORY:
            return ""
        counts = member.counts
        subcats, files = (counts.subcats, counts.files) if counts else (0, 0)
        pages = counts.pages - subcats - files if counts else 0
        data = self._say("member-counts", Num(subcats), Num(pages), Num(files))
        attributes = encode_attributes({"title": data, "dir": direction(self._language)})
        counted = {"categories": subcats, "pages": pages, "files": files}
        texts = [self._say(f"num-{name}", Num(count)) for name, count in counted.items() if count]
        comma = self._site.messages.text(Message("comma-separator"), self._language)
        total, short = subcats + pages + files, comma.join(texts) or self._say("num-empty")
        text = self._say("member-num", *map(Num, (subcats, pages, files, total)), Plain(short))
        return f" <span{attributes}>{escape_text(text)}</span>"

    def _say(self, key: str, *params: MessageParam) -> str:
        return self._site.messages.text(Message(f"categorytree-{key}", params), self._language)


LIMIT = 200
"""Maximum number of members shown of one category."""


class Member(NamedTuple):
    """A page; ``counts`` are the numbers of its members if it is a category."""

    ns: int
    dbkey: str
    is_redirect: bool
    counts: CategoryRow | None


def members(
    db: Database, categories: Iterable[str], options: TreeOptions
) -> dict[str, list[Member]]:
    """Return the members, or parents, to show of each category. Takes two queries."""
    names = list(dict.fromkeys(categories))
    if not names:
        return {}
    query = _parents(names) if options.mode is Mode.PARENTS else _members(names, options)
    rows = list(db.execute(query))
    counts = by_titles(db, {dbkey for _, ns, dbkey, _ in rows if ns == CATEGORY})
    lists: dict[str, list[Member]] = {}
    for owner, ns, dbkey, redirect in rows:
        count = counts.get(dbkey) if ns == CATEGORY else None
        lists.setdefault(owner, []).append(Member(ns, dbkey, bool(redirect), count))
    return lists


def _parents(names: list[str]) -> Any:
    parent = Value(CATEGORY).alias("parent_namespace")
    return (
        CategoryLinks.select(Page.page_title, parent, LinkTarget.lt_title, Value(0).alias("never"))
        .join_from(CategoryLinks, Page, on=(Page.page_id == CategoryLinks.cl_from))
        .join_from(CategoryLinks, LinkTarget, on=(LinkTarget.lt_id == CategoryLinks.cl_target_id))
        .where((Page.page_namespace == CATEGORY) & Page.page_title.in_(names))
        .order_by(LinkTarget.lt_title)
    )


def _members(names: list[str], options: TreeOptions) -> Any:
    order = [CategoryLinks.cl_type, CategoryLinks.cl_sortkey, CategoryLinks.cl_from]
    place = fn.ROW_NUMBER().over(partition_by=[LinkTarget.lt_title], order_by=order)
    query = (
        CategoryLinks.select(
            CategoryLinks.cl_from, LinkTarget.lt_title.alias("owner"), place.alias("place")
        )
        .join_from(CategoryLinks, LinkTarget, on=(LinkTarget.lt_id == CategoryLinks.cl_target_id))
        .join_from(CategoryLinks, Page, on=(Page.page_id == CategoryLinks.cl_from))
        .where((LinkTarget.lt_namespace == CATEGORY) & LinkTarget.lt_title.in_(names))
    )
    if options.namespaces:
        query = query.where(Page.page_namespace.in_(options.namespaces))
    elif options.mode is Mode.CATEGORIES:
        query = query.where(CategoryLinks.cl_type == "subcat")
    elif options.mode is Mode.PAGES:
        query = query.where(CategoryLinks.cl_type != "file")
    first = query.alias("first")
    return (
        Page.select(first.c.owner, Page.page_namespace, Page.page_title, Page.page_is_redirect)
        .join_from(Page, first, on=(first.c.cl_from == Page.page_id))
        .where(first.c.place <= LIMIT)
        .order_by(first.c.place)
    )
