from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from tests.unit.api.probe import Probe, ProbePlugin
from wikiapi.accounts.user import User
from wikiapi.api.context import CacheControl, CacheMode
from wikiapi.api.params.declaration import Param, string
from wikiapi.api.registries import registries
from wikiapi.hookspecs import hookimpl
from wikiapi.site import Site
from wikiapi.testing import ask


class AddsParam:
    @hookimpl
    def register_params(self, module: type) -> Iterable[Param]:
        return [string("extra")] if module is Probe else []


class AddsNothing:
    @hookimpl
    def register_params(self) -> Any:
        return None


pytestmark = pytest.mark.wiki(plugins=[ProbePlugin(), AddsParam(), AddsNothing()], writable=False)


def test_parameter_added_by_a_plugin(site: Site) -> None:
    assert ask(site, {"action": "probe", "pextra": "x"}).warned == []
    assert ask(site, {"action": "openprobe", "pextra": "x"}).warned == [
        "apierror-unrecognizedparams"
    ]


def test_parameters_are_resolved_once(site: Site) -> None:
    one = Probe.param_set(site, "p")
    assert Probe.param_set(site, "p") is one
    assert Probe.param_set(site, "gp") is not one
    assert [param.name for param in one.params][-1] == "extra"


def test_names_by_group(site: Site) -> None:
    modules = registries(site).query_modules
    for group in ("prop", "list", "meta"):
        names = registries(site).query_names(group)
        assert names
        assert all(modules[name].group == group for name in names)
    assert sum(len(registries(site).query_names(g)) for g in ("prop", "list", "meta")) == len(
        modules
    )


def test_generators_are_those_that_can_generate(site: Site) -> None:
    names = registries(site).generators
    assert "alltransclusions" in names
    assert "tokens" not in names


def test_prefixes_are_unique_within_a_request(site: Site) -> None:
    prefixes = [cls.prefix for cls in registries(site).query_modules.values() if cls.prefix]
    assert len(prefixes) == len(set(prefixes))


def test_cache_mode_only_narrows() -> None:
    cache = CacheControl(CacheMode.PUBLIC, 10, 20)
    cache.restrict(CacheMode.ANON_PUBLIC_USER_PRIVATE)
    cache.restrict(CacheMode.PUBLIC)
    assert cache.mode == CacheMode.ANON_PUBLIC_USER_PRIVATE
    cache.forbid()
    assert (cache.mode, cache.max_age, cache.shared_max_age) == (CacheMode.PRIVATE, 0, 0)


def test_rights_of_a_user() -> None:
    user = User("Ada", frozenset(["read", "edit"]), 1)
    assert user.can("edit")
    assert user.can("delete", "read")
    assert not user.can("delete")
    assert not user.can()
    assert not user.is_anonymous
    assert User("192.0.2.1", frozenset()).is_anonymous
