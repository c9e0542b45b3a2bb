"""Parameters, and checks of parameters, that several write actions share."""

from __future__ import annotations

from datetime import timedelta
from typing import ClassVar

from wikiapi.api import Module, Param, compact
from wikiapi.api.params.types.base import ParamType, Validation, bad_value
from wikiapi.errors import ApiError
from wikiapi.i18n import Message, Num, plain_list
from wikiapi.site import Site
from wikiapi.store.expiry import INFINITY
from wikiapi_plugins.query.changes import expiries

_LONGEST_WATCHING = timedelta(days=366)
"""Longest time for which a page can be watched temporarily; longer ones are cut to it."""


class ExpiryType(ParamType):
    """A moment, or a duration from now; the value is ``infinity`` or 14 digits."""

    type_name: ClassVar[str] = "expiry"

    def read(self, name: str, raw: str, validation: Validation) -> str:
        """Return the end of the duration, or the moment.

        Raises:
            ApiError: ``badexpiry`` or ``badexpiry-past``.
        """
        if expiries.is_forever(raw):
            return INFINITY
        now = validation.site.clock()
        end = expiries.moment_after(raw, now)
        if end is None:
            raise bad_value("badexpiry", "paramvalidator-badexpiry", name, raw)
        if end < now:
            raise bad_value("badexpiry-past", "paramvalidator-badexpiry-past", name, raw)
        return compact(end)


def watching_ends(site: Site) -> bool:
    """Return whether pages can be watched for a limited time."""
    return site.config.editing.watchlist_expiry


def expiry(name: str, help: str = "") -> Param:
    """Declare the parameter for how long a page is watched, on wikis where that can be limited."""
    return Param(name=name, type=ExpiryType(), help=help, only_if=watching_ends)


def watch_period(module: Module, name: str = "watchlistexpiry") -> str | None:
    """Return until when the pages of a request are to be watched, for ``Watcher.watch``.

    That is ``infinity``, 14 digits, or ``None`` if the request does not say. Moments that are too
    far in the future are replaced by the latest possible one.
    """
    given = module.p.get(name)
    if given is None or given == INFINITY:
        return given
    return min(str(given), compact(module.context.now + _LONGEST_WATCHING))


def watch_expiry(module: Module, name: str = "watchlistexpiry") -> str | None:
    """Return the expiry that a request names, 14 digits; ``None`` for none and for no end."""
    period = watch_period(module, name)
    return None if period == INFINITY else period


def one_of(module: Module, *names: str) -> str:
    """Return which of several parameters a request has.

    Raises:
        ApiError: ``missingparam``, if it has none of them, or ``invalidparammix``, if several.
    """
    given = [name for name in names if module.p.is_given(name)]
    if len(given) == 1:
        return given[0]
    full = [module.full(name) for name in (given or names)]
    params = (plain_list(full), Num(len(full)))
    if given:
        raise ApiError(Message("apierror-invalidparammix", params), "invalidparammix")
    raise ApiError(Message("apierror-missingparam-one-of", params), "missingparam")
