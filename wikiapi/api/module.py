"""The base class of modules: actions, query modules and formats.

A module is a class. Its docstring is its help text. ``name``, ``prefix``, ``params`` and
``examples`` declare the rest; validation, help and paraminfo are derived from them.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from dataclasses import replace
from functools import cached_property
from typing import ClassVar

from wikiapi.api.context import CacheMode, RequestContext
from wikiapi.api.params.checking import params_problem
from wikiapi.api.params.declaration import Param, token
from wikiapi.api.params.types import LARGEST, EnumType, Validation
from wikiapi.api.params.validate import Params, ParamSet
from wikiapi.api.result import Result
from wikiapi.api.tokens import CSRF
from wikiapi.errors import ApiError, PluginError
from wikiapi.languages.message import Message, MessageParam, Plain
from wikiapi.registry import declarations
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
        self.site: Site = context.site
        """The wiki that the request is for."""
        self.db: Database = context.site.db
        """The wiki's store."""
        self.result: Result = context.result
        """The result to which the module adds its data."""
        self.actual_prefix = self.prefix if prefix is None else prefix

    @cached_property
    def p(self) -> Params:
        """The values of the module's parameters, which are validated on first access.

        Raises:
            ApiError: a parameter is missing or invalid.
        """
        context, validation = self.context, self.validation()
        params = self.param_set(self.site, self.actual_prefix)
        values = params.read(context.request.params, validation, context.used_params)
        for full_name, limit in params.limits.items():
            if context.request.params.get(full_name) == LARGEST:
                ceiling = limit.ceiling(high_limits=validation.high_limits)
                self.result.set(("limits",), self.name, ceiling)
        return values

    def validation(self) -> Validation:
        """Return the context for the validation of the module's parameters."""
        context, rights = self.context, self.context.user.rights
        return Validation(
            context.site,
            "apihighlimits" in rights,
            "read" in rights,
            lambda message, code, data=None: context.warn(self.path(), message, code, data),
            lambda message, feature: context.deprecate(
                self.path(), message, self.place() + feature
            ),
        )

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

    def require_right(self, right: str, key: str = "") -> None:
        """Refuse users who lack a right, by default with a message that names it.

        Raises:
            ApiError: ``permissiondenied``.
        """
        if self.context.user.can(right):
            return
        if key:
            raise ApiError("permissiondenied", key)
        raise ApiError("permissiondenied", "apierror-permissiondenied", Plain(right))

    def cache_mode(self) -> CacheMode:
        """Return the cache mode of answers with data of this module."""
        return CacheMode.PRIVATE

    def notify_executed(self) -> None:
        """Call the hook ``on_module_executed`` of plugins."""
        hook = self.site.plugins.hook.on_module_executed
        if hook.get_hookimpls():
            hook(module=self, context=self.context, result=self.result.root)

    @classmethod
    def param_set(cls, site: Site, prefix: str | None = None) -> ParamSet:
        """Return the parameters that the module has on a site; ``prefix`` overrides its own.

        It is created on first use and cached. Two threads may create one each; either is used.
        """
        param_sets = site.derived(_param_sets)
        key = (cls, cls.prefix if prefix is None else prefix)
        if key not in param_sets:
            param_sets[key] = ParamSet(cls.declared_params(site), key[1], site)
        return param_sets[key]

    @classmethod
    def declared_params(cls, site: Site) -> list[Param]:
        """Return the declarations of the parameters on a site, including those of plugins.

        Raises:
            PluginError: a plugin adds a parameter that is declared wrongly.
        """
        params = list(cls.params)
        if cls.needs_token and all(param.name != "token" for param in params):
            params.append(token(cls.needs_token))
        for param in declarations(site.plugins, "register_params", site=site, module=cls):
            if problem := params_problem([param]):
                raise PluginError(f"register_params returned, for the module {cls.name}: {problem}")
            _add(params, param)
        return [param for param in params if not param.only_if or param.only_if(site)]

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


def _param_sets(site: Site) -> dict[tuple[type[Module], str], ParamSet]:
    """Return the place of a site for the parameters of its modules, with their prefixes."""
    return {}


def _add(params: list[Param], added: Param) -> None:
    """Add a parameter, or the values of an enumeration to the parameter with the same name."""
    for place, param in enumerate(params):
        own, more = param.type, added.type
        if param.name == added.name and isinstance(own, EnumType) and isinstance(more, EnumType):
            params[place] = replace(
                param,
                type=own.extended(more),
                value_help=(*param.value_help, *added.value_help),
            )
            return
    params.append(added)


class Action(Module):
    """An action, a value of the parameter ``action``."""

    group = "action"
    position: ClassVar[int] = 1000
    """Place in the list of actions: for those of MediaWiki the place there. Those with the same
    number are in the order in which they are registered."""
    default_format: ClassVar[str] = ""
    """The format of the answer if the request does not name one; empty for the general default."""

    def explain_bad_token(self) -> None:
        """Raise an error that precedes that of a wrong token; none by default.

        Raises:
            ApiError: the token depends on something that the request names wrongly.
        """

    @abstractmethod
    def execute(self) -> None:
        """Answer the request by adding data to ``self.result``.

        Raises:
            ApiError: the request cannot be answered.
        """
