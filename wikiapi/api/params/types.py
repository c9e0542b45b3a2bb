"""The types of parameters, which convert texts to values."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple, Protocol

from wikiapi.accounts.names import user_kind, user_text
from wikiapi.errors import ApiError, InvalidTitle
from wikiapi.languages.message import Message, Num, Plain, plain_list
from wikiapi.site import Site
from wikiapi.store.queries import pages
from wikiapi.timestamps import compact, parse_moment
from wikiapi.title.addresses import spell_address
from wikiapi.title.namespaces import MEDIA, SPECIAL


class Warn(Protocol):
    """Adds a warning to the answer; error formats other than ``bc`` show its code and data."""

    def __call__(self, message: Message, code: str, data: Mapping[str, Any] | None = None) -> None:
        """Add the warning."""


class Deprecate(Protocol):
    """Adds a warning about a deprecated feature; ``feature`` is the part of the request."""

    def __call__(self, message: Message, feature: str) -> None:
        """Add the warning."""


class Validation(NamedTuple):
    """The context in which types read values, and functions to add warnings.

    ``may_read`` is whether the user may read the wiki, and so may know which pages exist.
    """

    site: Site
    high_limits: bool
    may_read: bool
    warn: Warn
    deprecate: Deprecate


class ParamType:
    """Base of the parameter types. Instances are immutable and shared by all requests."""

    type_name: ClassVar[str] = "string"
    is_constant: ClassVar[bool] = False
    """Whether the value depends only on the text, the wiki and ``high_limits``, not on time."""

    def read(self, name: str, raw: str, validation: Validation) -> Any:
        """Return the value of a text.

        Args:
            name: the parameter's full name, for messages.
            raw: the text in the request, already normalised.
            validation: the context.

        Raises:
            ApiError: the text is not valid for this type.
        """
        return raw

    def read_all(self, name: str, raws: Sequence[str], validation: Validation) -> tuple[Any, ...]:
        """Return the values of the texts of a parameter that may have several.

        Raises:
            ApiError: a text is not valid for this type.
        """
        return tuple(self.read(name, raw, validation) for raw in raws)

    def choices(self, site: Site) -> tuple[str, ...] | None:
        """Return all valid texts, or None if the type does not have a fixed set."""
        return None

    def describe(self, site: Site) -> Mapping[str, Any]:
        """Return the description of the type in ``action=paraminfo``, with ``type`` first."""
        return {"type": self.type_name}


def bad_value(code: str, key: str, name: str, raw: str) -> ApiError:
    """Return the error for a text that is not valid for a type."""
    return ApiError(code, key, Plain(name), Plain(raw))


class StringType(ParamType):
    """Any text."""


class TextType(ParamType):
    """A long text of several lines."""

    type_name = "text"


class PasswordType(ParamType):
    """A text that is never included in an answer."""

    type_name = "password"


class BooleanType(ParamType):
    """True if the parameter is present, whatever its text, and false otherwise."""

    type_name: ClassVar[str] = "boolean"

    def read(self, name: str, raw: str, validation: Validation) -> bool:
        """Return True, since the parameter is present."""
        return True


Values = tuple[str, ...] | Callable[["Site"], tuple[str, ...]]


@dataclass(frozen=True)
class EnumType(ParamType):
    """One of ``values``, which are a tuple or a function of the site that returns one.

    ``deprecated`` values are accepted with a warning. ``submodules`` says that the values are names
    of modules, which help and paraminfo describe.
    """

    values: Values
    deprecated: frozenset[str] = field(default_factory=frozenset)
    submodules: bool = False
    type_name = "enum"
    is_constant = True

    def choices(self, site: Site) -> tuple[str, ...]:
        return self.values(site) if callable(self.values) else self.values

    def extended(self, other: EnumType) -> EnumType:
        """Return the type with the values of another one added after its own."""

        def values(site: Site) -> tuple[str, ...]:
            return tuple(dict.fromkeys((*self.choices(site), *other.choices(site))))

        return replace(self, values=values, deprecated=self.deprecated | other.deprecated)

    def read(self, name: str, raw: str, validation: Validation) -> str:
        choices = self.choices(validation.site)
        if raw not in choices:
            raise unknown_value(name, raw, choices)
        return raw

    def describe(self, site: Site) -> Mapping[str, Any]:
        described: dict[str, Any] = {"type": list(self.choices(site))}
        if self.deprecated:
            described["deprecatedvalues"] = [
                value for value in self.choices(site) if value in self.deprecated
            ]
        return described


def unknown_value(name: str, raw: str, choices: tuple[str, ...]) -> ApiError:
    """Return the error for a single value that is not one of the choices."""
    key = "paramvalidator-badvalue-enumnotmulti"
    params = (Plain(name), Plain(raw), plain_list(choices), Num(len(choices)))
    return ApiError("badvalue", key, *params)


VIRTUAL = (MEDIA, SPECIAL)
"""Namespaces that have no pages, but can be the target of links and log entries."""


@dataclass(frozen=True)
class NamespaceType(ParamType):
    """The number of a namespace of the wiki; ``extra`` adds virtual ones, which have no pages."""

    extra: tuple[int, ...] = ()
    type_name = "namespace"

    def choices(self, site: Site) -> tuple[str, ...]:
        numbers = sorted({*site.namespaces.ids(), *self.extra})
        return tuple(map(str, numbers))

    def read(self, name: str, raw: str, validation: Validation) -> int:
        choices = self.choices(validation.site)
        if raw not in choices:
            raise unknown_value(name, raw, choices)
        return int(raw)

    def describe(self, site: Site) -> Mapping[str, Any]:
        described: dict[str, Any] = {"type": "namespace"}
        if self.extra:
            described["extranamespaces"] = list(self.extra)
        return described


_DIGITS = re.compile(r"[+-]?[0-9]{1,19}\Z", re.ASCII)
_MAX_INTEGER = 2**63 - 1
LARGEST = "max"
"""The text that requests the highest limit that is allowed for the user."""
OUT_OF_RANGE = "outofrange"


@dataclass(frozen=True)
class IntegerType(ParamType):
    """An integer of 64 bits.

    A number outside of ``minimum`` and ``maximum`` is changed to the bound with a warning, or
    refused if ``enforce`` is set. ``announce`` says whether ``paraminfo`` tells that; MediaWiki
    only does so for the older form of its declarations.
    """

    minimum: int | None = None
    maximum: int | None = None
    enforce: bool = False
    announce: bool = True
    type_name = "integer"
    is_constant = True

    def read(self, name: str, raw: str, validation: Validation) -> int:
        number = read_integer(name, raw)
        bounded = clamp(number, self.minimum, self.maximum)
        if bounded != number:
            message = range_message(name, raw, self.minimum, self.maximum)
            data = range_data(self.minimum, self.maximum, self.maximum, self.maximum)
            if self.enforce:
                raise ApiError(OUT_OF_RANGE, message, data=data)
            validation.warn(message, OUT_OF_RANGE, data)
        return bounded

    def describe(self, site: Site) -> Mapping[str, Any]:
        bounds = {"min": self.minimum, "max": self.maximum}
        return (
            {"type": "integer"}
            | {k: v for k, v in bounds.items() if v is not None}
            | ({"enforcerange": True} if self.enforce and self.announce else {})
        )


@dataclass(frozen=True)
class LimitType(ParamType):
    """The maximum number of items to return, or ``max`` for the highest number allowed.

    ``highest`` applies to users with the right ``apihighlimits``, ``largest`` to all others.
    """

    largest: int = 500
    highest: int = 5000
    minimum: int = 1
    type_name = "limit"
    is_constant = True

    def ceiling(self, *, high_limits: bool) -> int:
        """Return the highest number allowed, which is the value of ``max``."""
        return self.highest if high_limits else self.largest

    def read(self, name: str, raw: str, validation: Validation) -> int:
        ceiling = self.ceiling(high_limits=validation.high_limits)
        if raw == LARGEST:
            return ceiling
        number = read_integer(name, raw)
        bounded = clamp(number, self.minimum, ceiling)
        if bounded != number:
            message = range_message(name, raw, self.minimum, ceiling)
            data = range_data(self.minimum, ceiling, self.largest, self.highest)
            validation.warn(message, OUT_OF_RANGE, data)
        return bounded

    def describe(self, site: Site) -> Mapping[str, Any]:
        described = {"type": "limit", "min": self.minimum, "max": self.largest}
        if self.highest > self.largest:
            described["highmax"] = self.highest
        return described


@dataclass(frozen=True)
class DeferredLimitType(LimitType):
    """A limit whose maximum depends on other parameters of the module.

    ``max`` is not converted: the module determines its value, and adds it to the answer in place of
    the usual maximum.
    """

    def read(self, name: str, raw: str, validation: Validation) -> Any:
        return raw if raw == LARGEST else super().read(name, raw, validation)


def read_integer(name: str, raw: str) -> int:
    """Return a decimal number as MediaWiki reads it: ASCII digits with an optional sign, 64 bits.

    Raises:
        ApiError: ``badinteger``.
    """
    if _DIGITS.match(raw):
        number = int(raw)
        if -_MAX_INTEGER - 1 <= number <= _MAX_INTEGER:
            return number
    raise bad_value("badinteger", "paramvalidator-badinteger", name, raw)


def clamp(number: int, minimum: int | None, maximum: int | None) -> int:
    """Return the number, or the nearest bound if it is out of range."""
    if minimum is not None and number < minimum:
        return minimum
    return maximum if maximum is not None and number > maximum else number


def range_data(
    minimum: int | None, current: int | None, maximum: int | None, highest: int | None
) -> dict[str, int | None]:
    """Return the data of the code ``outofrange``; ``current`` is the maximum for this user."""
    return {"min": minimum, "curmax": current, "max": maximum, "highmax": highest}


def range_message(name: str, raw: str, minimum: int | None, maximum: int | None) -> Message:
    """Return the message for a number that is out of range."""
    values = (Plain(name), Plain(raw))
    if maximum is None:
        return Message("paramvalidator-outofrange-min", (*values, Num(minimum or 0)))
    if minimum is None:
        return Message("paramvalidator-outofrange-max", (*values, Num(0), Num(maximum)))
    return Message("paramvalidator-outofrange-minmax", (*values, Num(minimum), Num(maximum)))


class TimestampType(ParamType):
    """A timestamp; the value has MediaWiki's 14 digits ``YYYYMMDDhhmmss``, in UTC."""

    type_name = "timestamp"

    def read(self, name: str, raw: str, validation: Validation) -> str:
        if raw == "now":
            return compact(validation.site.clock())
        if raw in ("", "0"):
            message = Message("paramvalidator-unclearnowtimestamp", (Plain(name), Plain(raw)))
            validation.warn(message, "unclearnowtimestamp")
            return compact(validation.site.clock())
        moment = parse_moment(raw)
        if moment is None:
            raise bad_value("badtimestamp", "paramvalidator-badtimestamp", name, raw)
        return compact(moment)


@dataclass(frozen=True)
class TitleType(ParamType):
    """A valid page title; the value is the unchanged text.

    With ``must_exist`` it must name an existing page, which takes one query for each title. Users
    who may not read the wiki are not told which pages exist.
    """

    must_exist: bool = False
    type_name = "title"

    def read(self, name: str, raw: str, validation: Validation) -> str:
        try:
            title = validation.site.titles.parse(raw)
        except InvalidTitle as error:
            raise bad_value("badtitle", "paramvalidator-badtitle", name, raw) from error
        is_checked = self.must_exist and validation.may_read
        if is_checked and not pages.by_titles(validation.site.db, [title.key]):
            raise bad_value("missingtitle", "paramvalidator-missingtitle", name, raw)
        return raw

    def describe(self, site: Site) -> Mapping[str, Any]:
        return {"type": "title", "mustExist": self.must_exist}


_ID = re.compile(r"#([1-9][0-9]{0,18})\Z", re.ASCII)
KINDS = ("name", "ip", "temp", "cidr", "interwiki", "id")
"""The ways to identify a user, in the order of ``paraminfo``."""
DEFAULT_KINDS = ("name", "ip", "temp", "interwiki")


@dataclass(frozen=True)
class UserType(ParamType):
    """A user: a name, an IP address, a user of another wiki, or ``#id``; the value is the name.

    ``kinds`` are the members of ``KINDS`` that are accepted. An id keeps its ``#`` and is looked up
    by the module.
    """

    kinds: tuple[str, ...] = DEFAULT_KINDS
    type_name = "user"

    def read(self, name: str, raw: str, validation: Validation) -> str:
        user = self._read(raw, validation.site)
        if user is None:
            raise bad_value("baduser", "paramvalidator-baduser", name, raw)
        return user

    def _read(self, raw: str, site: Site) -> str | None:
        if "id" in self.kinds and _ID.match(raw):
            return raw
        if "interwiki" in self.kinds and ">" in raw.strip(">"):
            return raw
        kind, name = user_kind(spell_address(raw) or user_text(raw, site) or "")
        return name if kind in self.kinds else None

    def describe(self, site: Site) -> Mapping[str, Any]:
        return {"type": "user", "subtypes": [kind for kind in KINDS if kind in self.kinds]}
