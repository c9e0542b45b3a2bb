"""Parameters that several write actions share, their types and checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from wikiapi.api.module import Module
from wikiapi.api.params.declaration import Param, boolean, enum, integer, string, title
from wikiapi.api.params.types import ParamType, Validation, bad_value
from wikiapi.errors import ApiError
from wikiapi.expiry import INFINITY, expiry_moment, is_forever
from wikiapi.languages.message import Message, Num, Plain, plain_list
from wikiapi.pages.tags import check_tags, defined_tags
from wikiapi.site import Site
from wikiapi.timestamps import compact

_LONGEST_WATCHING = "1 year"
"""Longest time for which a page can be watched temporarily; longer ones are cut to it.

https://www.mediawiki.org/wiki/Manual:$wgWatchlistExpiryMaxDuration
"""


class ExpiryType(ParamType):
    """A moment, or a duration from now; the value is ``infinity`` or 14 digits.

    What is longer than the longest time is replaced by it, with a warning.
    """

    type_name: ClassVar[str] = "expiry"

    def read(self, name: str, raw: str, validation: Validation) -> str:
        """Return the end of the duration, or the moment.

        Raises:
            ApiError: ``badexpiry`` or ``badexpiry-past``.
        """
        if is_forever(raw):
            return INFINITY
        now = validation.site.clock()
        end = expiry_moment(raw, now)
        if end is None:
            raise bad_value("badexpiry", "paramvalidator-badexpiry", name, raw)
        if compact(end) < compact(now):
            raise bad_value("badexpiry-past", "paramvalidator-badexpiry-past", name, raw)
        latest = expiry_moment(_LONGEST_WATCHING, now)
        if latest is not None and end > latest:
            code, params = "badexpiry-duration-max", (name, raw, _LONGEST_WATCHING)
            validation.warn(Message(f"paramvalidator-{code}", tuple(map(Plain, params))), code)
            end = latest
        return compact(end)


def watching_ends(site: Site) -> bool:
    """Return whether pages can be watched for a limited time."""
    return site.config.editing.watchlist_expiry


def expiry(name: str, help: str = "") -> Param:
    """Declare the parameter for how long a page is watched, on wikis where that can be limited."""
    return Param(name=name, type=ExpiryType(), help=help, only_if=watching_ends)


class TagsType(ParamType):
    """A change tag that users may add."""

    type_name: ClassVar[str] = "tags"

    def read_all(self, name: str, raws: Sequence[str], validation: Validation) -> tuple[str, ...]:
        """Return the tags, which are checked together.

        Raises:
            ApiError: ``badtags``.
        """
        check_tags(validation.site.db, raws)
        return tuple(raws)

    def describe(self, site: Site) -> Mapping[str, Any]:
        """Return the tags that users may add; none on a private or read-only wiki."""
        may_know = site.is_writable and not site.config.permissions.is_private
        return {"type": defined_tags(site.db) if may_know else []}


class UploadType(ParamType):
    """A file sent as a part of a multipart request."""

    type_name: ClassVar[str] = "upload"

    def read(self, name: str, raw: str, validation: Validation) -> Any:
        """Refuse the value: a file must be sent as a file, not as a text.

        Raises:
            ApiError: ``badupload``.
        """
        raise ApiError("badupload", "paramvalidator-badupload-notupload", Plain(name))


def uploaded_file(name: str, help: str) -> Param:
    """Declare a parameter for a file."""
    return Param(name=name, type=UploadType(), help=help)


def change_tags(name: str, help: str) -> Param:
    """Declare a parameter for change tags that users may add."""
    return Param(name=name, type=TagsType(), multi=True, help=help)


PAGE = (
    string("title", "Title of the page. Not together with ``pageid``."),
    integer("pageid", "Id of the page. Not together with ``title``."),
)
REASON = string("reason", "The reason, for the log.", default="")
OPTIONAL_REASON = string("reason", "The reason, for the log.")
TAGS = change_tags("tags", "Change tags for the log entry or revision.")
LOG_TAGS = change_tags("tags", "Change tags for the log entry.")
WATCHLIST = (
    enum(
        "watchlist",
        *("watch", "unwatch", "preferences", "nochange"),
        default="preferences",
        help="Whether to watch the page, to stop watching it, or to follow the preferences.",
    ),
    expiry("watchlistexpiry", "Until when the page is watched."),
)
WATCH_PAGE = boolean("watch", "Watch the page; use ``watchlist`` instead.", deprecated=True)
UNWATCH_PAGE = boolean("unwatch", "Stop watching it; use ``watchlist`` instead.", deprecated=True)
WATCH_USER = (
    boolean("watchuser", "Watch the user's page and talk page."),
    expiry("watchlistexpiry", "Until when the page is watched."),
)
USER_ID = integer("userid", "Id of the user; write ``user=#id`` instead.", deprecated=True)
CSRF_TOKEN = string("token", "A token of the type ``csrf``.", required=True, sensitive=True)
CONTINUE_FROM = string("continue", "When more results are available, use this to continue.")
ACCOUNT_RETURN = (
    title("returnto", "Page to return to after an account was created for the edit."),
    string("returntoquery", "Query string of that page.", default=""),
    string("returntoanchor", "Fragment of that page.", default=""),
)


def watch_period(module: Module, name: str = "watchlistexpiry") -> str | None:
    """Return until when the pages of a request are to be watched, for ``Watcher.watch``.

    That is ``infinity``, 14 digits, or ``None`` if the request does not say, or the wiki does not
    limit the time.
    """
    period = module.p.get(name)
    return None if period is None else str(period)


def watch_expiry(module: Module, name: str = "watchlistexpiry") -> str | None:
    """Return the expiry that a request names, 14 digits; ``None`` for none and for no end."""
    period = watch_period(module, name)
    return None if period == INFINITY else period


def invalid_mix(module: Module, *names: str) -> ApiError:
    """Return the error for parameters that exclude each other."""
    full = [module.full(name) for name in names]
    return ApiError("invalidparammix", "apierror-invalidparammix", plain_list(full), Num(len(full)))


def at_most_one_of(module: Module, *names: str) -> str | None:
    """Return which of several parameters a request has, or ``None`` if it has none of them.

    Raises:
        ApiError: ``invalidparammix``, if it has several.
    """
    present = [name for name in names if module.p.is_given(name)]
    if len(present) > 1:
        raise invalid_mix(module, *present)
    return present[0] if present else None


def one_of(module: Module, *names: str) -> str:
    """Return which of several parameters a request has.

    Raises:
        ApiError: ``missingparam``, if it has none of them, or ``invalidparammix``, if several.
    """
    name = at_most_one_of(module, *names)
    if name is None:
        full = [module.full(name) for name in names]
        raise ApiError(
            "missingparam", "apierror-missingparam-one-of", plain_list(full), Num(len(full))
        )
    return name
