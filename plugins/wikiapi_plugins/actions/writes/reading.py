"""Reading the TOML declarations of the actions that write.

Each table declares an action. ``help`` is required. Optional keys are ``manual``, ``prefix``,
``token`` (the type of the token, by default ``csrf``; empty for none), ``examples``,
``needs_read``, ``writes``, ``internal`` and ``dynamic`` (a value of ``amirequestsfor``). ``params``
lists the parameters: each is the name of a group of shared parameters, or a table of arguments for
a function of :mod:`wikiapi.api.params.declaration`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType
from typing import Any, ClassVar

from wikiapi.api import (
    PAGE_SET,
    Action,
    Param,
    boolean,
    enum,
    integer,
    namespace,
    string,
    text,
    timestamp,
    title,
    user,
)
from wikiapi.api.params.types.base import ParamType, Validation
from wikiapi.api.params.types.title import TitleType
from wikiapi.errors import ApiError
from wikiapi.i18n import Message, Plain
from wikiapi.site import Site
from wikiapi_plugins.editing.action import WriteAction
from wikiapi_plugins.editing.parameters import expiry
from wikiapi_plugins.editing.recording.tagging import TagsType
from wikiapi_plugins.facts import facts
from wikiapi_plugins.query.users import authparams
from wikiapi_plugins.query.users.authparams import dynamic_params
from wikiapi_plugins.wikitext.contentmodels.names import (
    content_formats,
    content_models,
    editable_models,
)


class UploadType(ParamType):
    """A file sent as a part of a multipart request."""

    type_name: ClassVar[str] = "upload"

    def read(self, name: str, raw: str, validation: Validation) -> Any:
        """Refuse the value: a file must be sent as a file, not as a text.

        Raises:
            ApiError: ``badupload``.
        """
        raise ApiError(Message("paramvalidator-badupload-notupload", (Plain(name),)), "badupload")


def read(group: str) -> Iterator[WriteDeclaration]:
    """Yield the actions that a TOML file declares, in its order."""
    source = files(__package__).joinpath(f"{group}.toml").read_text(encoding="utf-8")
    for name, table in tomllib.loads(source).items():
        yield _action(name, table)


def _action(name: str, table: dict[str, Any]) -> WriteDeclaration:
    params = [param for entry in table.pop("params", ()) for param in _params(entry)]
    purpose = table.pop("dynamic", "")
    return WriteDeclaration(
        name=name,
        kind=table.pop("token", "csrf"),
        params=tuple(params),
        examples=tuple((query, shown) for query, shown in table.pop("examples", ())),
        dynamic=dynamic_params(purpose) if purpose else "",
        **table,
    )


def _params(entry: str | dict[str, Any]) -> tuple[Param, ...]:
    if isinstance(entry, str):
        return SHARED[entry]
    return (_KINDS[entry.pop("type", "string")](**entry),)


def _enum(*, name: str, values: str | list[str], **options: Any) -> Param:
    if isinstance(values, str):
        return enum(name, choices=CHOICES[values], **options)
    return enum(name, *values, **options)


def _user(*, kinds: list[str], **options: Any) -> Param:
    return user(kinds=tuple(kinds), **options)


def _title(*, must_exist: bool, **options: Any) -> Param:
    return Param(type=TitleType(must_exist=must_exist), **options)


def _upload(**options: Any) -> Param:
    return Param(type=UploadType(), **options)


def _tags(*, name: str, help: str) -> Param:
    return Param(name=name, type=TagsType(), multi=True, help=help)


_KINDS: Mapping[str, Callable[..., Param]] = MappingProxyType(
    {
        "boolean": boolean,
        "enum": _enum,
        "integer": integer,
        "expiry": expiry,
        "namespace": namespace,
        "string": string,
        "tags": _tags,
        "text": text,
        "timestamp": timestamp,
        "title": _title,
        "upload": _upload,
        "user": _user,
    }
)


_MANUAL = "https://www.mediawiki.org/wiki/Special:MyLanguage/"


@dataclass(frozen=True, kw_only=True)
class WriteDeclaration:
    """The declaration of an action that writes.

    ``manual`` is its documentation page on mediawiki.org; ``kind`` is the type of the token that it
    requires. The flags are those of :class:`~wikiapi.api.module.Module`.
    """

    name: str
    help: str
    params: tuple[Param, ...] = ()
    prefix: str = ""
    kind: str = "csrf"
    manual: str = ""
    examples: tuple[tuple[str, str], ...] = ()
    dynamic: str = ""
    needs_read: bool = True
    writes: bool = True
    internal: bool = False

    def action(self, implementation: type[WriteAction]) -> type[Action]:
        """Return the action's class, derived from its implementation."""
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
        return type(self.name.title().replace("-", ""), (implementation,), attributes)


_IMPLICIT = frozenset({"*", "user", "autoconfirmed", "temp"})


def _groups(_: Site) -> tuple[str, ...]:
    """Return the groups to which users can be added."""
    return tuple(name for name in facts("usergroups") if name not in _IMPLICIT)


def _languages(_: Site) -> tuple[str, ...]:
    """Return the languages that pages can have: those with an interface translation."""
    without = facts("languageswithoutinterface")
    return (*(code for code in facts("languages") if code not in without), "default")


def _import_sources(site: Site) -> tuple[str, ...]:
    return site.config.editing.import_sources


def _none(_: Site) -> tuple[str, ...]:
    """Return nothing: for example, a wiki has no tags to apply by hand until it defines some."""
    return ()


CHOICES: Mapping[str, Callable[[Site], tuple[str, ...]]] = MappingProxyType(
    {
        "content_formats": content_formats,
        "content_models": content_models,
        "editable_models": editable_models,
        "groups": _groups,
        "import_sources": _import_sources,
        "languages": _languages,
        "none": _none,
    }
)
"""Values that depend on the site."""


_PAGE = (
    string("title", "Title of the page. Not together with ``pageid``."),
    integer("pageid", "Id of the page. Not together with ``title``."),
)
_ACCOUNT_RETURN = (
    title("returnto", "Page to return to after an account was created for the edit."),
    string("returntoquery", "Query string of that page.", default=""),
    string("returntoanchor", "Fragment of that page.", default=""),
)
_EXPIRY = expiry("watchlistexpiry", "Until when the page is watched.")
_WATCHLIST = enum(
    "watchlist",
    *("watch", "unwatch", "preferences", "nochange"),
    default="preferences",
    help="Whether to watch the page, to stop watching it, or to follow the preferences.",
)

SHARED: Mapping[str, tuple[Param, ...]] = MappingProxyType(
    {
        "account_return": _ACCOUNT_RETURN,
        "auth_continue": (authparams.CONTINUE,),
        "auth_fields": (authparams.FIELDS,),
        "auth_merge": (authparams.MERGE,),
        "auth_preserve": (authparams.PRESERVE,),
        "auth_requests": (authparams.REQUESTS,),
        "auth_return": (authparams.RETURN,),
        "csrf_token": (string("token", "A token of the type ``csrf``.", required=True,
                              sensitive=True),),
        "continue": (
            string("continue", "When more results are available, use this to continue."),
        ),
        "log_tags": (_tags(name="tags", help="Change tags for the log entry."),),
        "page": _PAGE,
        "page_set": PAGE_SET,
        "reason": (string("reason", "The reason, for the log.", default=""),),
        "reason_unless_given": (string("reason", "The reason, for the log."),),
        "tags": (_tags(name="tags", help="Change tags for the log entry or revision."),),
        "unwatch": (boolean("unwatch", "Stop watching it; use ``watchlist`` instead.",
                            deprecated=True),),
        "user_id": (integer("userid", "Id of the user; write ``user=#id`` instead.",
                            deprecated=True),),
        "watch": (boolean("watch", "Watch the page; use ``watchlist`` instead.",
                          deprecated=True),),
        "watch_user": (boolean("watchuser", "Watch the user's page and talk page."), _EXPIRY),
        "watchlist": (_WATCHLIST, _EXPIRY),
    }
)  # fmt: skip
