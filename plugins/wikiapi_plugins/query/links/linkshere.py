"""``prop=linkshere``."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from wikiapi.api import (
    GeneratedPages,
    Loose,
    Param,
    PropModule,
    continuation,
    enum,
    limit,
    namespace,
)
from wikiapi.errors import ApiError
from wikiapi.store import Key, bounds
from wikiapi.store.models import Page
from wikiapi.store.queries import LinkTable, links

Items = list[dict[str, Any]]


# Results are ordered by target, then by linking page. The continuation value names only what can
# differ: the target's namespace and title if several are requested, the linking page's namespace if
# several are allowed, and the linking page.


class IncomingLink(NamedTuple):
    """A link with its target and source; ``flag`` is the value by which ``show`` filters."""

    target_namespace: int
    target_title: str
    page_id: int
    namespace: int
    title: str
    flag: Any

    @property
    def target(self) -> Key:
        """(namespace, database key) of the target."""
        return self.target_namespace, self.target_title


def incoming_params(*props: str, default: str, flag: str) -> tuple[Param, ...]:
    """Return the parameters of a module about incoming links.

    Args:
        props: values of ``prop`` after ``pageid`` and ``title``.
        default: the default of ``prop``.
        flag: what ``show`` filters by.
    """
    return (
        enum(
            "prop",
            "pageid",
            "title",
            *props,
            multi=True,
            default=default,
            help="Properties to include.",
        ),
        namespace(multi=True),
        enum(
            "show",
            flag,
            f"!{flag}",
            multi=True,
            help=f"Filter by {flag}: only pages with it, or with ! only those without.",
        ),
        limit(),
        continuation(),
    )


class IncomingLinks(PropModule):
    """Links to the pages of the page set.

    Attributes:
        table: the links.
        flag: the column that ``show`` filters by.
        flag_prop: the value of ``prop`` that shows it.
    """

    table: ClassVar[LinkTable]
    flag: ClassVar[Any] = Page.page_is_redirect
    flag_prop: ClassVar[str] = "redirect"

    def execute(self) -> None:
        """List the linking pages of each page."""
        incoming = self._incoming_links()
        page_ids = [self._targets[link.target] for link in incoming]
        props, flag = self.p.texts("prop"), self.flag_prop
        keys = {"pageid": ("pageid",), "title": ("ns", "title"), flag: (flag,)}
        items: Sequence[dict[str, Any]] = picked(self.items(incoming), keys, props)
        if "pageid" not in props and "title" not in props:
            # There may be nothing to say about a link but the flag, which only some links have.
            items = [Loose(item) for item in items]
        self.emit(zip(page_ids, items, strict=True), incoming, self._continue_value)

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the linking pages."""
        incoming = self.within_limit(self._incoming_links(), self._continue_value)
        pages.titles += [self.site.titles.make(link.namespace, link.title) for link in incoming]

    def flag_condition(self) -> Any:
        """Return the condition by which the parameter ``show`` filters."""
        return self.flag == 1

    def items(self, incoming: list[IncomingLink]) -> list[dict[str, Any]]:
        """Return an item for each link, with everything that ``prop`` can select."""
        prefixed = self.site.titles.prefixed
        return [
            {
                "pageid": page_id,
                "ns": namespace,
                "title": prefixed(namespace, dbkey),
                "redirect": flag == 1,
            }
            for _, _, page_id, namespace, dbkey, flag in incoming
        ]

    @cached_property
    def _targets(self) -> dict[Key, int]:
        """Return by title the ids of those requested pages to which the table can hold links."""
        ids = self.page_set.ids_by_key()
        ids |= {title.key: page_id for page_id, title in self.page_set.special.items()}
        fixed = self.table.fixed_namespace
        return {key: page_id for key, page_id in ids.items() if fixed in (None, key[0])}

    @cached_property
    def _columns(self) -> dict[str, Any]:
        """The columns by which the links are sorted, by their names in the continuation value."""
        columns: dict[str, Any] = {}
        if len({namespace for namespace, _ in self._targets}) > 1:
            columns["namespace"] = self.table.namespace
        if len({title for _, title in self._targets}) != 1:
            columns["title"] = self.table.title
        if self.table.source_namespace is not None and len(self.p.numbers("namespace")) > 1:
            columns["source_namespace"] = self.table.source_namespace
        return columns | {"source": self.table.source}

    def _incoming_links(self) -> list[IncomingLink]:
        if not self._targets or self.p["namespace"] == ():
            return []
        conditions = self._continue_conditions()
        if len(self.p.texts("show")) > 1:
            raise ApiError("show", "apierror-show")
        if self.p.numbers("namespace"):
            own = self.table.source_namespace
            column = Page.page_namespace if own is None else own
            conditions.append(column.in_(self.p.numbers("namespace")))
        for value in self.p.texts("show"):
            flag = self.flag_condition()
            conditions.append(~flag if value.startswith("!") else flag)
        columns = (Page.page_id, Page.page_namespace, Page.page_title, self.flag)
        query = links.sources(self.table, *columns)
        query = query.where(links.target_in(self.table, self._targets), *conditions)
        query = query.order_by(*self._columns.values()).limit(self.p.number("limit") + 1)
        return list(map(IncomingLink._make, self.rows(query)))

    def _continue_conditions(self) -> list[Any]:
        parts = self.continue_parts(len(self._columns))
        if parts is None:
            return []
        values: dict[str, str | int] = {
            name: part if name == "title" else self.continue_int(part)
            for name, part in zip(self._columns, parts, strict=True)
        }
        # Columns that are the same for all targets are compared too, so that an index is used.
        namespace, title = next(iter(self._targets))
        same = {"namespace": self.table.namespace, "title": self.table.title}
        columns = same | self._columns
        fixed: dict[str, str | int] = {"namespace": namespace, "title": title}
        values = fixed | values
        names = [name for name in columns if not isinstance(columns[name], int)]
        return [
            bounds.starting_at([columns[name] for name in names], [values[name] for name in names])
        ]

    def _continue_value(self, link: IncomingLink) -> str:
        parts = {
            "namespace": link.target_namespace,
            "title": link.target_title,
            "source_namespace": link.namespace,
            "source": link.page_id,
        }
        return "|".join(str(parts[name]) for name in self._columns)


def picked(items: Items, keys: Mapping[str, Collection[str]], props: Collection[str]) -> Items:
    """Return the items with only the requested keys.

    Building complete small items in one expression and selecting from them costs less than adding
    key by key, and if everything is requested there is nothing to select.

    Args:
        items: complete items; some may lack some of the keys.
        keys: the keys that each value of ``prop`` stands for, in the order of the items.
        props: the requested values of ``prop``.
    """
    if all(prop in props for prop in keys):
        return items
    requested = [key for prop, group in keys.items() if prop in props for key in group]
    return [{key: item[key] for key in requested if key in item} for item in items]


class LinksHere(IncomingLinks):
    """List the pages that link to the requested ones."""

    name = "linkshere"
    prefix = "lh"
    element = "lh"
    table = links.PAGES
    params = incoming_params("redirect", default="pageid|title|redirect", flag="redirect")
    examples = (
        ("action=query&prop=linkshere&titles=Main%20Page", "The pages that link to the main page"),
        ("action=query&generator=linkshere&titles=Main%20Page&prop=info", "Facts about them"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Linkshere",)
