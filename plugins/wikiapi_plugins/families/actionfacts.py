"""The fact of ``prop=info`` about what the user may do (``intestactions``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.api.errorformat import ErrorFormatter
from wikiapi.api.permissions import Permissions
from wikiapi.api.result import Obj
from wikiapi_plugins.families.pagefact import Fact, InfoPage
from wikiapi_plugins.families.protectionfacts import read_protection

if TYPE_CHECKING:
    from collections.abc import Mapping


class TestedActions(Fact):
    """Whether the user may perform each action asked about, or why not."""

    name = "testactions"

    def load(self) -> None:
        found = read_protection(self.module, self.pages)
        self._permissions = Permissions(self.module.context.user, found)
        self._formatter = ErrorFormatter(self.module.context)

    def of(self, page: InfoPage) -> Mapping[str, Any]:
        actions = self.module.p["testactions"]
        told: dict[str, Any] = {
            "actions": Obj({name: self._answer(name, page) for name in actions})
        }
        if self.module.p["testactionsautocreate"]:
            # Accounts are never made by themselves here.
            told["wouldautocreate"] = Obj(dict.fromkeys(actions, False))
        return told

    def _answer(self, action: str, page: InfoPage) -> Any:
        exists = page.row is not None
        errors = self._permissions.errors(action, page.title, exists=exists)
        detail = self.module.p["testactionsdetail"]
        if detail == "boolean":
            return not errors
        return self._formatter.listed(errors[:1] if detail == "quick" else errors)
