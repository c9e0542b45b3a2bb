"""Validation: a request's texts become a module's values, by the module's declarations."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from wikiapi.api.params.declaration import Param
from wikiapi.api.params.types.base import BooleanType, ParamType, Validation
from wikiapi.api.params.types.enumeration import EnumType
from wikiapi.api.params.types.integer import LimitType
from wikiapi.errors import ApiError
from wikiapi.i18n.message import Message, Num, Plain, plain_list
from wikiapi.site import Site
from wikiapi.wikitext.limits import byte_length

_MOST_CACHED = 256
_LONGEST_CACHED = 64
"""Values that a parameter set caches, and the most characters of their texts."""
_UNKNOWN = object()
_BYTES_OF_CHARACTER = 4
"""Bytes of the longest characters in UTF-8."""


class Params(dict[str, Any]):
    """A module's values by parameter name, without the module's prefix.

    The value of an absent parameter without default is None. The methods return values with their
    types, so that a type checker knows what a module does with them::

        if self.p.flag("unique"):
            ...
        conditions += [Page.page_namespace.in_(self.p.numbers("namespace"))]

    A method that does not fit the parameter's declaration raises TypeError.
    """

    def is_given(self, name: str) -> bool:
        """Return whether a parameter has a value, from the request or by default."""
        return self[name] is not None

    def text(self, name: str) -> str:
        """Return the value of a parameter whose value is a text, and which has one."""
        value = self[name]
        if not isinstance(value, str):
            raise _wrong_type(name, value, "a text")
        return value

    def text_or_none(self, name: str) -> str | None:
        """Return the value of a parameter whose value is a text; None if it is absent."""
        return None if self[name] is None else self.text(name)

    def texts(self, name: str) -> tuple[str, ...]:
        """Return the values of a parameter that may have several texts; none if it is absent."""
        return self._values(name)

    def number(self, name: str) -> int:
        """Return the value of a parameter whose value is a whole number, and which has one."""
        value = self[name]
        if not isinstance(value, int):
            raise _wrong_type(name, value, "a number")
        return value

    def number_or_none(self, name: str) -> int | None:
        """Return the value of a parameter whose value is a number; None if it is absent."""
        return None if self[name] is None else self.number(name)

    def numbers(self, name: str) -> tuple[int, ...]:
        """Return the values of a parameter that may have several numbers; none if it is absent."""
        return self._values(name)

    def flag(self, name: str) -> bool:
        """Return whether a switch is on."""
        value = self[name]
        if not isinstance(value, bool):
            raise _wrong_type(name, value, "a switch")
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
    """The parameters of one module under one prefix, ready to validate requests.

    Made once per module and site.
    """

    def __init__(self, params: Iterable[Param], prefix: str, site: Site) -> None:
        """Resolve defaults and full names."""
        self.params = tuple(params)
        self.prefix = prefix
        plain = [param for param in self.params if not param.template]
        self._plain = {prefix + param.name: param for param in plain}
        self._required = tuple(name for name, param in self._plain.items() if param.required)
        self._defaults = {param.name: _default(param, site) for param in plain}
        self._order = {name: number for number, name in enumerate(self._plain)}
        self._templated = tuple(p for p in self.params if p.template)
        self.limits = {
            prefix + param.name: param.type
            for param in self.params
            if isinstance(param.type, LimitType)
        }
        """The parameters for which ``max`` stands for a number that answers report."""
        self._cached: dict[tuple[str, str, bool], Any] = {}

    def read(self, request: Mapping[str, str], validation: Validation, used: set[str]) -> Params:
        """Return the values of a request.

        Args:
            request: raw texts by full parameter name.
            validation: the wiki, and where warnings go.
            used: gets the full names that the module knows, for the warning about unknown ones.

        Raises:
            ApiError: a value is missing or cannot be read.
        """
        used.update(self._plain)
        values = Params(self._defaults)
        for full_name in self._concerned(request):
            param = self._plain[full_name]
            values[param.name] = self._given(param, full_name, request, validation, None)
        for name, param in self._named_by(values):
            used.add(self.prefix + name)
            values[name] = self._given(
                param, self.prefix + name, request, validation, param.default
            )
        return values

    def _concerned(self, request: Mapping[str, str]) -> Iterable[str]:
        """Return the parameters that do not just have their default, as they were declared.

        A request gives a few of dozens, so these are what is looked at.
        """
        concerned = self._plain.keys() & request.keys()
        concerned.update(self._required)
        if len(concerned) < 2:
            return concerned
        return sorted(concerned, key=self._order.__getitem__)

    def _given(
        self,
        param: Param,
        name: str,
        request: Mapping[str, str],
        validation: Validation,
        default: Any,
    ) -> Any:
        raw = request.get(name)
        if raw is None:
            if param.required:
                raise _missing(name)
            return default
        if param.type.is_constant and len(raw) <= _LONGEST_CACHED:
            return self._constant(param, name, raw, validation)
        return _read(param, name, raw, validation)

    def _constant(self, param: Param, name: str, raw: str, validation: Validation) -> Any:
        """Return the value of a text of which clients send the same few again and again."""
        key = name, raw, validation.high_limits
        known = self._cached.get(key, _UNKNOWN)
        if known is not _UNKNOWN:
            return known
        try:
            value = _read(
                param, name, raw, validation._replace(warn=_raise_warned, deprecate=_raise_warned)
            )
        except _Warned:
            return _read(param, name, raw, validation)
        if len(self._cached) < _MOST_CACHED:
            self._cached[key] = value
        return value

    def _named_by(self, values: Params) -> Iterator[tuple[str, Param]]:
        """Yield the templated parameters, with names from the values of other parameters."""
        for param in self._templated:
            if param.template:
                word, source = param.template
                for value in values[source] or ():
                    yield param.name.replace(f"{{{word}}}", value), param


class _Warned(Exception):
    """A value causes a warning, so that it must not be cached."""


def _raise_warned(*_: object, **__: object) -> None:
    raise _Warned


def _missing(name: str) -> ApiError:
    return ApiError(Message("paramvalidator-missingparam", (Plain(name),)), "missingparam")


def _default(param: Param, site: Site) -> Any:
    default = param.default(site) if callable(param.default) else param.default
    if param.multi and isinstance(default, int):
        default = str(default)
    if not isinstance(default, str):
        return default
    if isinstance(param.type, EnumType) and not param.multi:
        # The module it names may not be installed: that is found out when it is needed.
        return default
    validation = Validation(site, high_limits=False, warn=_ignore, deprecate=_ignore)
    return _value(param, param.name, default, validation)


def _ignore(*_: object, **__: object) -> None:
    """Do nothing: defaults are not checked."""


def _read(param: Param, name: str, raw: str, validation: Validation) -> Any:
    if param.deprecated:
        validation.deprecate(Message("paramvalidator-param-deprecated", (Plain(name),)), name)
    if isinstance(param.type, BooleanType):
        return True
    _check_size(name, raw, validation.site.config.limits.article_size)
    cleaned, changed = clean_multi(raw) if param.multi else clean(raw)
    if changed:
        validation.warn(Message("apiwarn-badutf8", (Plain(name),)), "badutf8")
    value = _value(param, name, cleaned, validation)
    if isinstance(param.type, EnumType) and param.type.deprecated:
        _warn_deprecated_values(param.type, name, value, validation)
    return value


def _check_size(name: str, raw: str, most_bytes: int) -> None:
    """Raise ApiError for a value of more bytes than a page may have."""
    if len(raw) * _BYTES_OF_CHARACTER > most_bytes and byte_length(raw) > most_bytes:
        message = Message("paramvalidator-maxbytes", (Plain(name), Num(most_bytes)))
        raise ApiError(message, "maxbytes", {"maxbytes": most_bytes})


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
            return _every(param.type, choices)
    parts = split(raw, ceiling)
    if len(parts) > ceiling:
        raise _too_many(param, name, ceiling)
    if not param.allow_duplicates:
        parts = list(dict.fromkeys(parts))
    known = parts if choices is None else _known(name, parts, choices, validation)
    return tuple(param.type.read(name, part, validation) for part in known)


def _every(kind: ParamType, choices: tuple[str, ...]) -> tuple[Any, ...]:
    return choices if isinstance(kind, EnumType) else tuple(int(choice) for choice in choices)


def _known(
    name: str, parts: list[str], choices: tuple[str, ...], validation: Validation
) -> list[str]:
    """Leave out what is no choice, with one warning for all of it."""
    unknown = [part for part in parts if part not in choices]
    if not unknown:
        return parts
    params = (Plain(name), plain_list(unknown, "comma"), Num(len(unknown)))
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
    return ApiError(message, "toomanyvalues", data)


def _warn_deprecated_values(kind: EnumType, name: str, value: Any, validation: Validation) -> None:
    for chosen in value if isinstance(value, tuple) else (value,):
        if chosen in kind.deprecated:
            params = (Plain(name), Plain(chosen))
            message = Message("paramvalidator-deprecated-value", params)
            validation.deprecate(message, f"{name}={chosen}")


SEPARATOR = "\x1f"
"""In front of a value it separates the values in place of ``|``."""

_UNWANTED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
REPLACEMENT = "\ufffd"


def clean(raw: str) -> tuple[str, bool]:
    """Return a text in NFC without control characters, and whether it had to be changed."""
    if raw.isascii():
        if raw.isprintable():  # as most are
            return raw, False
        changed = _UNWANTED.sub(REPLACEMENT, raw)
    else:
        changed = unicodedata.normalize("NFC", _UNWANTED.sub(REPLACEMENT, raw))
    return changed, changed != raw


def clean_multi(raw: str) -> tuple[str, bool]:
    """Clean several values like :func:`clean`: a separator in front and between them remains."""
    if not raw.startswith(SEPARATOR):
        return clean(raw)
    parts = [clean(part) for part in raw.split(SEPARATOR)]
    return SEPARATOR.join(part for part, _ in parts), any(changed for _, changed in parts)


def split(raw: str, limit: int) -> list[str]:
    """Return the values in a text, at most one more than ``limit``; an empty text holds none."""
    if raw.startswith(SEPARATOR):
        return raw[1:].split(SEPARATOR, limit)
    return raw.split("|", limit) if raw else []
