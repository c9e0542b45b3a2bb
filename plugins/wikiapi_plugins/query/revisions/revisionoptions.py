"""The options of requests about revisions: their parameters, checks, and the resulting limit."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property

from wikiapi.api import (
    LARGEST,
    Condition,
    DeferredLimitType,
    LimitType,
    Param,
    QueryModule,
    boolean,
    enum,
    string,
)
from wikiapi.errors import ApiError
from wikiapi.languages import Message, Plain
from wikiapi_plugins.wikitext.contentmodels.names import content_formats

_OF_SLOTS = frozenset({"contentmodel", "slotsize", "slotsha1"})
_NOT_WITH_SLOTS = (
    "expandtemplates",
    "generatexml",
    "parse",
    "diffto",
    "difftotext",
    "difftotextpst",
    "contentformat",
)
_COMPARED = re.compile(r"(?:cur|prev|next|[0-9]{1,18})\Z", re.ASCII)
_DEFAULT_LIMIT = 10
_CEILINGS = (500, 5000)
_CEILINGS_OF_CONTENT = (50, 500)


@dataclass(frozen=True, slots=True)
class RevisionOptions:
    """The options of one request. If ``roles`` is None, contents take the legacy form."""

    props: frozenset[str]
    roles: tuple[str, ...] | None
    format: str | None
    section: str | None
    expand: bool
    parse: bool
    parse_tree: bool
    compare: bool
    limit: int

    @property
    def content(self) -> bool:
        """Whether contents are read at all."""
        return "content" in self.props or "parsetree" in self.props or self.compare

    @property
    def slots(self) -> bool:
        """Whether any data of slots is requested."""
        return self.content or not self.props.isdisjoint(_OF_SLOTS)


class RevisionsModule(QueryModule):
    """Base of modules whose items are revisions; the limit depends on what is requested."""

    @cached_property
    def options(self) -> RevisionOptions:
        """The requested options.

        Raises:
            ApiError: ``invalidparammix``, ``diffto``, ``badinteger``.
        """
        return read_options(self)

    @cached_property
    def limit(self) -> int:
        """How many revisions an answer may have, or a generator may yield."""
        return generator_limit(self) if self.is_generator else self.options.limit


def read_options(module: QueryModule, *, with_limit: bool = True) -> RevisionOptions:
    """Read the options from a module's parameters.

    Args:
        module: the module, which declares ``revision_params``.
        with_limit: whether the parameter ``limit`` counts; otherwise the maximum applies.

    Raises:
        ApiError: ``invalidparammix``, ``diffto``, ``badinteger``.
    """
    p = module.p
    _refuse_mixes(module)
    props = frozenset(p.texts("prop"))
    options = RevisionOptions(
        props=props,
        roles=p.texts("slots") if p.is_given("slots") else None,
        format=p.get("contentformat-main" if p.is_given("slots") else "contentformat"),
        section=p.text_or_none("section"),
        expand=p.flag("expandtemplates"),
        parse=p.flag("parse"),
        parse_tree="parsetree" in props or ("content" in props and p.flag("generatexml")),
        compare=p.is_given("diffto") or p.is_given("difftotext"),
        limit=0,
    )
    if options.slots and options.roles is None:
        name = module.full("slots")
        module.deprecate("apiwarn-deprecation-missingparam", Plain(name), feature=f"!{name}")
    ceiling, high = _CEILINGS_OF_CONTENT if options.content else _CEILINGS
    if options.parse and "content" in props:
        ceiling = high = 1
    raw = module.p["limit"] if with_limit else LARGEST
    if raw is None:
        raw = min(_DEFAULT_LIMIT, ceiling)
    type_ = LimitType(ceiling, high)
    limit = type_.read(module.full("limit"), str(raw), module.validation())
    if with_limit and raw == LARGEST:
        module.result.set(("limits",), module.name, limit)
    return replace(options, limit=limit)


def _refuse_mixes(module: QueryModule) -> None:
    """Raise an error for parameters that cannot be used with slots, and for a bad ``diffto``."""
    p = module.p
    if p.is_given("slots"):
        present = [name for name in _NOT_WITH_SLOTS if p[name] not in (None, False)]
        if "parsetree" in p.texts("prop"):
            present.insert(0, "prop=parsetree")
        if present:
            params = (Plain(module.full(present[0])), Plain(module.full("slots")))
            message = Message("apierror-invalidparammix-cannotusewith", params)
            raise ApiError("invalidparammix", message)
    if p.is_given("diffto") and not _COMPARED.match(p.text("diffto")):
        message = Message("apierror-baddiffto", (Plain(module.full("diffto")),))
        raise ApiError("diffto", message)


def generator_limit(module: QueryModule) -> int:
    """Return how many revisions a generator yields, whatever properties are requested."""
    raw = module.p["limit"]
    limit = str(_DEFAULT_LIMIT if raw is None else raw)
    return LimitType(*_CEILINGS).read(module.full("limit"), limit, module.validation())


# In MediaWiki 1.45 any user may see that deleted revisions exist, when and by whom they were made;
# summaries and contents require a right.


def check_access(module: QueryModule, options: RevisionOptions) -> None:
    """Raise an error if a request asks for parts of deleted revisions that the user may not see.

    Raises:
        ApiError: ``permissiondenied``.
    """
    if not options.props.isdisjoint(("comment", "parsedcomment")):
        module.require_right("deletedhistory", "apierror-cantview-deleted-comment")
    if options.content:
        may_read = "deletedtext" if module.context.user.can("deletedtext") else "undelete"
        module.require_right(may_read, "apierror-cantview-deleted-revision-content")


PROPS = (
    "ids",
    "flags",
    "timestamp",
    "user",
    "userid",
    "size",
    "slotsize",
    "sha1",
    "slotsha1",
    "contentmodel",
    "comment",
    "parsedcomment",
    "content",
    "tags",
    "roles",
    "parsetree",
)


def revision_params(*, limit_info: tuple[Condition, ...] = ()) -> tuple[Param, ...]:
    """Return the parameters for the contents and the number of the items.

    ``limit_info`` describes when the limit applies.
    """
    return (
        enum("prop", *PROPS, multi=True, default="ids|timestamp|flags|comment|user",
             deprecated_values=("parsetree",), help="Properties of each revision to include."),
        enum("slots", choices=lambda _: ("main",), multi=True, all_value="*",
             help="The slots to include; without it, a legacy form is used."),
        enum("contentformat-{slot}", choices=content_formats, template=("slot", "slots"),
             help="The format of the slot's content."),
        Param(name="limit", type=DeferredLimitType(), info=limit_info,
              help="How many revisions to return."),
        boolean("expandtemplates", "Expand the templates of the content.", deprecated=True),
        boolean("generatexml", "Include the parse tree of the content.", deprecated=True),
        boolean("parse", "Render the content as HTML; one revision at a time.", deprecated=True),
        string("section", "Only return this section of the content, by its number."),
        string("diffto", "Another revision to compare with: an id, prev, next or cur.",
               deprecated=True),
        string("difftotext", "A text to compare with.", deprecated=True),
        boolean("difftotextpst", "Transform that text as saving it would.", deprecated=True),
        enum("contentformat", choices=content_formats, deprecated=True,
             help="The format of the content."),
    )  # fmt: skip
