"""Validation: converts the texts of a request to the values that a module's parameters declare."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

from wikiapi.api.params.declaration import Param
from wikiapi.api.params.types import BooleanType, EnumType, LimitType, Validation
from wikiapi.config import LimitsConfig
from wikiapi.errors import ApiError
from wikiapi.languages.message import Message, Num, Plain, plain_list
from wikiapi.site import Site
from wikiapi.texts import byte_length

_MAX_CACHED = 256
_LONGEST_CACHED = 64
"""Maximum number of values that a parameter set caches, and maximum length of their texts."""
_UNKNOWN = object()
_LARGE = LimitsConfig.article_size
"""Bytes that a parameter may have even if pages must be smaller: longer texts are rendered."""
_BYTES_OF_CHARACTER = 4
"""Maximum number of bytes of a character in UTF-8."""


class UndeclaredParameter(KeyError):
    """A module reads a parameter that it does not declare."""

    def __str__(self) -> str:
        return str(self.args[0])


class Params(dict[str, Any]):
    """The values of a module's parameters by name, without the module's prefix.

    The value of an absent parameter without default is None. The methods return values with precise
    types for type checkers::

        if self.p.flag("unique"):
            ...
        conditions += [Page.page_namespace.in_(self.p.numbers("namespace"))]

    They raise TypeError if the type does not match the parameter's declaration, and
    UndeclaredParameter if there is none.
    """

    def __missing__(self, name: str) -> Any:
        declared = ", ".join(self) or "none"
        raise UndeclaredParameter(
            f"the module declares no parameter {name!r}; its params, without the prefix, are:"
            f" {declared}"
        )

    def is_given(self, name: str) -> bool:
        """Return whether a parameter has a value, from the request or by default."""
        return self[name] is not None

    def text(self, name: str) -> str:
        """Return the value of a parameter that is a text and is not absent."""
        value = self[name]
        if not isinstance(value, str):
            raise _wrong_type(name, value, "a text")
        return value

    def text_or_none(self, name: str) -> str | None:
        """Return the value of a parameter that is a text; None if it is absent."""
        return None if self[name] is None else self.text(name)

    def texts(self, name: str) -> tuple[str, ...]:
        """Return the values of a parameter that may have several texts; none if it is absent."""
        return self._values(name)

    def number(self, name: str) -> int:
        """Return the value of a parameter that is an integer and is not absent."""
        value = self[name]
        if not isinstance(value, int):
            raise _wrong_type(name, value, "a number")
        return value

    def number_or_none(self, name: str) -> int | None:
        """Return the value of a parameter that is an integer; None if it is absent."""
        return None if self[name] is None else self.number(name)

    def numbers(self, name: str) -> tuple[int, ...]:
        """Return the values of a parameter that may have several numbers; none if it is absent."""
        return self._values(name)

    def flag(self, name: str) -> bool:
        """Return the value of a flag."""
        value = self[name]
        if not isinstance(value, bool):
            raise _wrong_type(name, value, "a flag")
        return value

    def _values(self, name: str) -> tuple[Any, ...]:
        value = self[name]
        if value is None:
            return ()
        if not isinstance(value, tuple):
            raise _wrong_type(name, value, "a list of values")
        return value


def _wrong_type(name: str, value: object, expected: str) -> TypeError:
    return TypeError(f"the value of the parameter {name!r} is {value!r}, not {expected}")


class ParamSet:
    """The parameters of one module with one prefix, prepared for the validation of requests.

    Created once per module, prefix and site.
    """

    def __init__(self, params: Iterable[Param], prefix: str, site: Site) -> None:
        """Determine the full names and default values of the parameters."""
        self.params = tuple(params)
        self.prefix = prefix
        plain = [param for param in self.params if not param.template]
        self._plain = {prefix + param.name: param for param in plain}
        self._required = {name for name, param in self._plain.items() if param.required}
        self._defaults = {param.name: _default(param, site) for param in plain}
        self._order = {name: number for number, name in enumerate(self._plain)}
        self._templated = [(param, param.template) for param in self.params if param.template]
        """The parameters whose names contain values of another one, with their templates."""
        self.limits = {
            prefix + param.name: param.type
            for param in self.params
            if isinstance(param.type, LimitType)
        }
        """The limits by full name; answers report the value of ``max`` for these."""
        self.sensitive = tuple(name for name, param in self._plain.items() if param.sensitive)
        """The full names of the parameters whose values are secrets."""
        self._cached: dict[tuple[str, str, bool], Any] = {}

    def read(self, request: Mapping[str, str], validation: Validation, used: set[str]) -> Params:
        """Return the values of the parameters in a request.

        Args:
            request: texts by full parameter name.
            validation: the context.
            used: a set to which the full names of the module's parameters are added; a warning is
                given for parameters not in it.

        Raises:
            ApiError: a value is missing or invalid.
        """
        used.update(self._plain)
        values = Params(self._defaults)
        # A request has few of dozens of parameters, so only these and the required ones are read.
        concerned = self._plain.keys() & request.keys() | self._required
        errors = []
        for full_name in sorted(concerned, key=self._order.__getitem__):
            param = self._plain[full_name]
            try:
                if full_name not in request:
                    raise _missing(full_name)
                raw = request[full_name]
                values[param.name] = self._value_of(param, full_name, raw, validation)
            except ApiError as error:
                errors.append(error)
        if errors:
            # The other parameters were read for their warnings.
            raise errors[0]
        for param, (word, source) in self._templated:
            for part in values[source] or ():
                name = param.name.replace(f"{{{word}}}", part)
                full_name = self.prefix + name
                used.add(full_name)
                if full_name in request:
                    raw = request[full_name]
                    values[name] = self._value_of(param, full_name, raw, validation)
                elif param.required:
                    raise _missing(full_name)
                else:
                    values[name] = param.default
        return values

    def _value_of(self, param: Param, name: str, raw: str, validation: Validation) -> Any:
        """Return the value of a text, from the cache if other requests had the same one."""
        if not param.type.is_constant or len(raw) > _LONGEST_CACHED:
            return _read(param, name, raw, validation)
        key = name, raw, validation.high_limits
        cached = self._cached.get(key, _UNKNOWN)
        if cached is not _UNKNOWN:
            return cached
        try:
            value = _read(
                param, name, raw, validation._replace(warn=_raise_warned, deprecate=_raise_warned)
            )
        except _Warned:
            return _read(param, name, raw, validation)
        if len(self._cached) < _MAX_CACHED:
            self._cached[key] = value
        return value


class _Warned(Exception):
    """A value causes a warning, so that it must not be cached."""


def _raise_warned(*_: object, **__: object) -> None:
    raise _Warned


def _missing(name: str) -> ApiError:
    return ApiError("missingparam", "paramvalidator-missingparam", Plain(name))


def _default(param: Param, site: Site) -> Any:
    default = param.default(site) if callable(param.default) else param.default
    if param.multi and isinstance(default, int):
        default = str(default)
    if not isinstance(default, str):
        return default
    if isinstance(param.type, EnumType) and not param.multi:
        # It may be the name of a module that is not installed, which is reported when it is needed.
        return default
    validation = Validation(
        site, high_limits=False, may_read=False, warn=_ignore, deprecate=_ignore
    )
    return _value(param, param.name, default, validation)


def _ignore(*_: object, **__: object) -> None:
    """Ignore a warning about a default value."""


def _read(param: Param, name: str, raw: str, validation: Validation) -> Any:
    if param.deprecated:
        validation.deprecate(Message("paramvalidator-param-deprecated", (Plain(name),)), name)
    if isinstance(param.type, BooleanType):
        return True
    most_bytes = max(validation.site.config.limits.article_size, _LARGE)
    if len(raw) * _BYTES_OF_CHARACTER > most_bytes and byte_length(raw) > most_bytes:
        sizes = (Num(most_bytes), Num(byte_length(raw)))
        message = Message("paramvalidator-maxbytes", (Plain(name), Plain(""), *sizes))
        raise ApiError("maxbytes", message, data={"maxbytes": most_bytes})
    cleaned, changed = clean_multi(raw) if param.multi else clean(raw)
    if changed:
        validation.warn(Message("apiwarn-badutf8", (Plain(name),)), "badutf8")
    value = _value(param, name, cleaned, validation)
    if isinstance(param.type, EnumType) and param.type.deprecated:
        _warn_deprecated_values(param.type, name, value, validation)
    return value


def _value(param: Param, name: str, raw: str, validation: Validation) -> Any:
    if not param.multi:
        if param.required and raw == "" and not isinstance(param.type, EnumType):
            raise _missing(name)
        return param.type.read(name, raw, validation)
    return _values(param, name, raw, validation)


def _values(param: Param, name: str, raw: str, validation: Validation) -> tuple[Any, ...]:
    ceiling = param.multi_high_limit if validation.high_limits else param.multi_limit
    choices = param.type.choices(validation.site)
    if choices is not None:
        ceiling = max(ceiling, len(choices))
        if param.all_value is not None and raw == param.all_value:
            return choices if isinstance(param.type, EnumType) else tuple(map(int, choices))
    parts = split(raw, ceiling)
    if len(parts) > ceiling:
        raise _too_many(param, name, ceiling)
    if not param.allow_duplicates:
        parts = list(dict.fromkeys(parts))
    valid = parts if choices is None else _valid_parts(name, raw, parts, choices, validation)
    return param.type.read_all(name, valid, validation)


def _valid_parts(
    name: str, raw: str, parts: list[str], choices: tuple[str, ...], validation: Validation
) -> list[str]:
    """Return the values that are valid choices; add one warning for all others."""
    unknown = [part for part in parts if part not in choices]
    if not unknown:
        return parts
    params = (Plain(name), Plain(raw), plain_list(unknown, "comma"), Num(len(unknown)))
    message = Message("paramvalidator-unrecognizedvalues", params)
    validation.warn(message, "unrecognizedvalues", {"values": unknown})
    return [part for part in parts if part in choices]


def _too_many(param: Param, name: str, ceiling: int) -> ApiError:
    data = {
        "parameter": name,
        "limit": ceiling,
        "lowlimit": param.multi_limit,
        "highlimit": param.multi_high_limit,
    }
    message = Message("paramvalidator-toomanyvalues", (Plain(name), Num(ceiling)))
    return ApiError("toomanyvalues", message, data=data)


def _warn_deprecated_values(kind: EnumType, name: str, value: Any, validation: Validation) -> None:
    for chosen in value if isinstance(value, tuple) else (value,):
        if chosen in kind.deprecated:
            params = (Plain(name), Plain(chosen))
            message = Message("paramvalidator-deprecated-value", params)
            validation.deprecate(message, f"{name}={chosen}")


SEPARATOR = "\x1f"
"""If a text of several values begins with this character, it separates them instead of ``|``."""

_UNWANTED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
REPLACEMENT = "\ufffd"


def clean(raw: str) -> tuple[str, bool]:
    """Return a text in NFC without control characters, and whether it was changed."""
    if raw.isascii():
        if raw.isprintable():  # most texts are
            return raw, False
        changed = _UNWANTED.sub(REPLACEMENT, raw)
    else:
        changed = unicodedata.normalize("NFC", _UNWANTED.sub(REPLACEMENT, raw))
    return changed, changed != raw


def clean_multi(raw: str) -> tuple[str, bool]:
    """Clean a text of several values like :func:`clean`, but keep the separators."""
    if not raw.startswith(SEPARATOR):
        return clean(raw)
    parts = [clean(part) for part in raw.split(SEPARATOR)]
    return SEPARATOR.join(part for part, _ in parts), any(changed for _, changed in parts)


def split(raw: str, limit: int) -> list[str]:
    """Return the values in a text, at most one more than ``limit``; none for an empty text."""
    if raw.startswith(SEPARATOR):
        return raw[1:].split(SEPARATOR, limit)
    return raw.split("|", limit) if raw else []
