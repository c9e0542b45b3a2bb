"""The parameters of ``action=compare``: those of either side, and what to tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.api.params.declaration import boolean, enum, integer, string, text
from wikiapi_plugins.actions.models import content_formats, content_models

if TYPE_CHECKING:
    from wikiapi.api.params.declaration import Param
    from wikiapi.site import Site

MAIN = "main"
PROPS = (
    *("diff", "diffsize", "rel", "ids", "title", "user", "comment", "parsedcomment"),
    *("size", "timestamp"),
)
_VALUE_HELP = (
    ("diff", "The difference as HTML."),
    ("diffsize", "The size of that HTML in bytes."),
    ("rel", "The revisions before the older and after the newer one."),
    ("ids", "The ids of pages and revisions."),
    ("title", "The titles of the pages."),
    ("user", "Who made the revisions."),
    ("comment", "Their summaries."),
    ("parsedcomment", "Their summaries as HTML."),
    ("size", "Their sizes in bytes."),
    ("timestamp", "When they were made."),
)


def _slots(_: Site) -> tuple[str, ...]:
    return (MAIN,)


def _side(side: str, which: str, *, is_second: bool) -> tuple[Param, ...]:
    slot = ("slot", f"{side}slots")
    relative = enum("torelative", "prev", "next", "cur",
                    help="Take a revision by its place: before or after the first one, or the "
                    "current one.")  # fmt: skip
    return (
        string(f"{side}title", f"Title of the {which} page."),
        integer(f"{side}id", f"Id of the {which} page."),
        integer(f"{side}rev", f"Id of the {which} revision."),
        *((relative,) if is_second else ()),
        enum(f"{side}slots", choices=_slots, multi=True,
             help="Slots whose content is given by the parameters named after them."),
        text(f"{side}text-{{slot}}", "Content of the slot.", template=slot),
        string(f"{side}section-{{slot}}", "The section that this text is to replace.",
               template=slot),
        enum(f"{side}contentformat-{{slot}}", choices=content_formats, template=slot,
             help="Serialisation of the text."),
        enum(f"{side}contentmodel-{{slot}}", choices=content_models, template=slot,
             help="Content model of the text."),
        boolean(f"{side}pst", "Transform the text as saving it would."),
        text(f"{side}text", f"Use ``{side}slots=main`` instead.", deprecated=True),
        enum(f"{side}contentformat", choices=content_formats, deprecated=True,
             help=f"Use ``{side}slots=main`` instead."),
        enum(f"{side}contentmodel", choices=content_models, deprecated=True,
             help=f"Use ``{side}slots=main`` instead."),
        string(f"{side}section", "Only this section of the content.", deprecated=True),
    )  # fmt: skip


PARAMS = (
    *_side("from", "first", is_second=False),
    *_side("to", "second", is_second=True),
    enum("prop", *PROPS, multi=True, default="diff|ids|title", value_help=_VALUE_HELP,
         help="What to tell."),
    enum("slots", choices=_slots, multi=True, all_value="*",
         help="Tell the difference of these slots apart."),
    enum("difftype", "table", "inline", "unified", default="table",
         help="Draw the difference as a table, mark it within one text, or write it as lines "
         "marked + and -."),
)  # fmt: skip
