"""What becomes of a request for an action that would write."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wikiapi.api.module import Action
from wikiapi.api.refusals import read_only

if TYPE_CHECKING:
    from wikiapi.api.params.declaration import Param

_REASON = "This server shows a copy of the wiki and writes nothing."
_MANUAL = "https://www.mediawiki.org/wiki/Special:MyLanguage/"


class Refused(Action):
    """An action that is never carried out."""

    is_write = True
    must_be_posted = True

    def execute(self) -> None:
        """Refuse.

        Raises:
            ApiError: ``readonly``, always.
        """
        raise read_only(self.site.config.site.read_only or _REASON)


@dataclass(frozen=True, kw_only=True)
class Write:
    """A refused action.

    ``manual`` is the page of its documentation on mediawiki.org; ``kind`` the type of token it
    asks for. The flags are those of :class:`~wikiapi.api.module.Module`.
    """

    name: str
    help: str
    params: tuple[Param, ...] = ()
    prefix: str = ""
    kind: str | None = "csrf"
    manual: str = ""
    examples: tuple[tuple[str, str], ...] = ()
    dynamic: str = ""
    needs_read: bool = True
    writes: bool = True
    internal: bool = False

    def action(self) -> type[Action]:
        """The action's class."""
        attributes: dict[str, Any] = {
            "__doc__": self.help,
            "__module__": __name__,
            "name": self.name,
            "prefix": self.prefix,
            "params": self.params,
            "needs_token": self.kind,
            "help_urls": (_MANUAL + self.manual,) if self.manual else (),
            "examples": self.examples,
            "dynamic_params": self.dynamic,
            "needs_read": self.needs_read,
            "is_write": self.writes,
            "is_internal": self.internal,
        }
        return type(self.name.title().replace("-", ""), (Refused,), attributes)
