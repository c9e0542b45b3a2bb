"""The base class of modules: actions, query modules and formats.

A module is a class. Its docstring is its help text. ``name``, ``prefix``, ``params`` and
``examples`` declare the rest; validation, help and paraminfo are derived from them.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import ClassVar

from wikiapi.api.context import CacheMode, RequestContext
from wikiapi.api.params.declaration import Param
from wikiapi.api.params.types.integer import LARGEST, LimitType
from wikiapi.api.params.validate import Params
from wikiapi.api.result import Result
from wikiapi.api.tokens import CSRF
from wikiapi.errors import ApiError
from wikiapi.i18n.message import Message, MessageParam
from wikiapi.site import Site
from wikiapi.store.database import Database


class Module(ABC):
    """A module. An instance is created for each request.

    Attributes:
        name: its name in requests.
        prefix: the prefix of all its parameters.
        params: its parameters.
        examples: pairs of a query string and a description.
        help_urls: addresses of its documentation.
        needs_read: whether it requires the right to read pages.
        is_write: whether it changes the wiki. It is then refused on a read-only wiki, refuses GET
            requests, and requires a ``csrf`` token unless ``needs_token`` says otherwise.
        must_be_posted: whether it refuses GET requests.
        needs_token: the type of token that it requires, empty for none; this adds the parameter
            ``token``.
        dynamic_params: help on parameters that depend on earlier answers, if it has any.
    """

    name: ClassVar[str]
    prefix: ClassVar[str] = ""
    group: ClassVar[str] = "action"
    params: ClassVar[tuple[Param, ...]] = ()
    examples: ClassVar[tuple[tuple[str, str], ...]] = ()
    help_urls: ClassVar[tuple[str, ...]] = ()
    needs_read: ClassVar[bool] = True
    is_write: ClassVar[bool] = False
    must_be_posted: ClassVar[bool] = False
    needs_token: ClassVar[str | None] = None
    dynamic_params: ClassVar[str] = ""
    is_deprecated: ClassVar[bool] = False
    is_internal: ClassVar[bool] = False

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        if cls.is_write:
            cls.must_be_posted = True
            if cls.needs_token is None:
                cls.needs_token = CSRF

    def __init__(self, context: RequestContext, *, prefix: str | None = None) -> None:
        """Take the context of the request; ``prefix`` overrides the module's own."""
        self.context = context
        self.actual_prefix = self.prefix if prefix is None else prefix

    @property
    def site(self) -> Site:
        """The wiki that the request is for."""
        return self.context.site

    @property
    def db(self) -> Database:
        """The wiki's store."""
        return self.context.site.db

    @property
    def result(self) -> Result:
        """The result to which the module adds its data."""
        return self.context.result

    @cached_property
    def p(self) -> Params:
        """The values of the module's parameters, which are validated on first access.

        Raises:
            ApiError: a parameter is missing or invalid.
        """
        params = self.site.api.param_set(type(self), self.actual_prefix)
        validation = self.context.validation(self)
        values = params.read(self.context.request.params, validation, self.context.used_params)
        self._add_limits(params.limits, high_limits=validation.high_limits)
        return values

    def _add_limits(self, limits: Mapping[str, LimitType], *, high_limits: bool) -> None:
        """Add the limits for which the request has ``max`` to the answer, in ``limits``."""
        for full_name, limit in limits.items():
            if self.context.request.params.get(full_name) == LARGEST:
                self.result.set(("limits",), self.name, limit.ceiling(high_limits=high_limits))

    def full(self, param: str) -> str:
        """Return a parameter's name in requests, which includes the prefix."""
        return self.actual_prefix + param

    def warn(self, key: str, *params: MessageParam, code: str | None = None) -> None:
        """Add a warning to the answer."""
        self.context.warn(self.path(), Message(key, params), code)

    def deprecate(self, key: str, *params: MessageParam, feature: str | None = None) -> None:
        """Add a warning about a deprecated feature to the answer.

        ``feature`` is the deprecated parameter or value.
        """
        where = None if feature is None else self.place() + feature
        self.context.deprecate(self.path(), Message(key, params), where)

    def requires_read(self) -> bool:
        """Return whether this request requires the right to read pages."""
        return self.needs_read

    def require_right(self, right: str, key: str = "apierror-permissiondenied-generic") -> None:
        """Refuse users who lack a right.

        Raises:
            ApiError: ``permissiondenied``.
        """
        if not self.context.user.can(right):
            raise ApiError(Message(key), "permissiondenied")

    def cache_mode(self) -> CacheMode:
        """Return the cache mode of answers with data of this module."""
        return CacheMode.PRIVATE

    @classmethod
    def path(cls) -> str:
        """Return the module's full name, parents first: ``query+info``."""
        return cls.name

    @classmethod
    def place(cls) -> str:
        """Return the part of a query string that selects the module, followed by ``&``."""
        return f"{cls.group}={cls.name}&"

    @classmethod
    def summary(cls) -> str:
        """Return the module's help text, which is the first paragraph of its docstring."""
        doc = inspect.getdoc(cls) or ""
        return doc.split("\n\n")[0].replace("\n", " ")


class Action(Module):
    """An action, a value of the parameter ``action``."""

    group = "action"
    default_format: ClassVar[str] = ""
    """The format of the answer if the request does not name one; empty for the general default."""

    @abstractmethod
    def execute(self) -> None:
        """Answer the request by adding data to ``self.result``.

        Raises:
            ApiError: the request cannot be answered.
        """
