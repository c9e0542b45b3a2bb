"""How a refused action is declared, and what becomes of a request for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from wikiapi.api.module import Action
from wikiapi.api.params.declaration import Param, enum, string
from wikiapi.api.params.types.base import ParamType
from wikiapi.api.refusals import read_only

if TYPE_CHECKING:
    from wikiapi.site import Site

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


class UploadType(ParamType):
    """A file sent as a part of a multipart request."""

    type_name: ClassVar[str] = "upload"


def upload(name: str, help: str, **options: Any) -> Param:
    """A file in the request's body."""
    return Param(name=name, type=UploadType(), help=help, **options)


def _no_tags(_: Site) -> tuple[str, ...]:
    return ()


def tags(help: str = "Change tags to give to the entry in the log or history.") -> Param:
    """Tags that users may apply by hand; a wiki has none until it defines some."""
    return enum("tags", choices=_no_tags, multi=True, help=help)


def watchlist(*values: str) -> Param:
    """Whether the page is to be watched afterwards."""
    return enum(
        "watchlist",
        *(values or ("watch", "unwatch", "preferences", "nochange")),
        default="preferences",
        help="Whether to watch the page, to stop watching it, or to follow the preferences.",
    )


def reason(help: str = "Why this is done.", default: str | None = "") -> Param:
    """A reason for the log."""
    return string("reason", help, default=default)
