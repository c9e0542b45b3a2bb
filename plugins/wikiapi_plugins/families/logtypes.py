"""The types of logs and the actions in them, as MediaWiki 1.45 knows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wikiapi.api.params.types.base import bad_value
from wikiapi.api.params.types.enumeration import EnumType

if TYPE_CHECKING:
    from wikiapi.api.params.types.base import Validation

RESTRICTED_LOGS = {"suppress": "suppressionlog"}
"""Logs that take a right to be seen, and that right."""

LOG_ACTIONS: dict[str, tuple[str, ...]] = {
    "": (),
    "block": ("block", "reblock", "unblock"),
    "contentmodel": ("change", "new"),
    "create": ("create",),
    "delete": ("delete", "delete_redir", "delete_redir2", "event", "restore", "revision"),
    "import": ("interwiki", "upload"),
    "interwiki": ("iw_add", "iw_delete", "iw_edit"),
    "managetags": ("activate", "create", "deactivate", "delete"),
    "merge": ("merge", "merge-into"),
    "move": ("move", "move_redir"),
    "newusers": ("autocreate", "byemail", "create", "create2", "forcecreatelocal", "newusers"),
    "patrol": ("autopatrol", "patrol"),
    "protect": ("modify", "move_prot", "protect", "unprotect"),
    "renameuser": ("renameuser",),
    "rights": ("autopromote", "blockautopromote", "restoreautopromote", "rights"),
    "suppress": ("block", "delete", "event", "reblock", "revision"),
    "tag": ("update",),
    "upload": ("overwrite", "revert", "upload"),
}
"""The actions of each type; the empty one is that of the oldest entries."""

ALL_ACTIONS = tuple(f"{log}/{action}" for log, actions in LOG_ACTIONS.items() for action in actions)


@dataclass(frozen=True)
class LogActionType(EnumType):
    """A type of log and an action: ``delete/restore``. Others have an error code of their own."""

    def read(self, name: str, raw: str, validation: Validation) -> str:
        if raw not in self.choices(validation.site):
            raise bad_value(f"unknown_{name}", "apierror-unrecognizedvalue", name, raw)
        return raw
