"""``action=compare``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.api.module import Action
from wikiapi.api.result import Obj
from wikiapi.errors import ApiError
from wikiapi.i18n.message import Message, Num
from wikiapi_plugins.actions.compare.facts import side_facts
from wikiapi_plugins.actions.compare.params import MAIN, PARAMS
from wikiapi_plugins.actions.compare.sides import Sides
from wikiapi_plugins.diffs import neighbours
from wikiapi_plugins.diffs.inline import inline
from wikiapi_plugins.diffs.table import table_rows
from wikiapi_plugins.diffs.unified import unified

if TYPE_CHECKING:
    from wikiapi_plugins.actions.compare.sides import Side


class Compare(Action):
    """Get the difference between two pages, revisions or texts."""

    name = "compare"
    params = PARAMS
    examples = (
        ("action=compare&fromrev=1&torev=2", "The difference between two revisions"),
        ("action=compare&fromrev=2&torelative=prev&prop=diffsize|ids", "What a revision changed"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Compare",)

    def execute(self) -> None:
        """Tell about both sides and the difference.

        Raises:
            ApiError: a side cannot be had.
        """
        first, second = Sides(self).read()
        props = frozenset(self.p["prop"])
        told = Obj(content="body")
        told |= side_facts(self.site, "from", first, props)
        told |= side_facts(self.site, "to", second, props)
        if "rel" in props:
            told |= self._neighbours(first, second)
        if props & {"diff", "diffsize"}:
            self._add_difference(told, self._difference(first, second))
        self.result.add((), self.name, told)

    def _neighbours(self, first: Side, second: Side) -> dict[str, Any]:
        told: dict[str, Any] = {}
        if first.revision and (before := neighbours.before(self.db, first.revision)):
            told["prev"] = before
        if second.revision and (after := neighbours.after(self.db, second.revision)):
            told["next"] = after
        return told

    def _add_difference(self, told: Obj, body: str | None) -> None:
        """A difference too large for an answer is left out, which the answer warns of."""
        if body is None:
            self.result.truncated = True
            return
        if "diffsize" in self.p["prop"]:
            told["diffsize"] = len(body.encode())
        if "diff" not in self.p["prop"]:
            return
        if self.p["slots"] is None:
            told["body"] = body
        else:
            slots = {name: body for name in self.p["slots"] if name == MAIN}
            told["bodies"] = Obj(slots, key="diff")

    def _difference(self, first: Side, second: Side) -> str | None:
        if first.text is None or second.text is None:
            hidden = first if first.text is None else second
            number = hidden.revision.rev_id if hidden.revision else 0
            raise ApiError(Message("apierror-missingcontent-revid", (number,)), "missingcontent")
        self.site.budgets.current.check()
        if self.p["difftype"] == "unified":
            return unified(first.text, second.text, self.result.limit)
        draw = inline if self.p["difftype"] == "inline" else table_rows
        return draw(first.text, second.text, self._line_label, self.result.limit)

    def _line_label(self, number: int) -> str:
        return self.site.messages.text(Message("lineno", (Num(number),)), self.context.language)
