"""The targets that take requests: parameters of every module, parts of answers, and positions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qsl, quote_plus, urlencode

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tests.fuzz.target import Opened, Target, params_of
from tests.fuzz.wikis import listed_wiki
from tests.fuzz.words import words
from wikiapi.api.module import Module
from wikiapi.api.query.module import GENERATOR_PREFIX, ListModule, PropModule, QueryModule
from wikiapi.api.registries import registries
from wikiapi.http.app import make_app
from wikiapi.site import Site
from wikiapi.testing.client import URLENCODED, ApiClient
from wikiapi.testing.conformance.requests import PAGES, has_limit, lists_in_parts
from wikiapi.testing.conformance.walks import walk_fault

FAILED = "internal_api_error"
NUMBERS = (
    *("0", "1", "-1", "9" * 20, "9" * 5000, "1_0", "٥", "1\n", " 7", "0x1", "1e9"),
    "9223372036854775808",
)
MOMENTS = words(
    "20240101000000 20240101000000|1 now infinity 99999999999999 2024-02-30T00:00:00Z 0"
)
TEXTS = (
    *("", "|", "||||||||", "\x1f", "\x1fa\x1fb", "a|b", "*", "max", "x' OR 1=1--", '"', "%", "_"),
    *("\\", "NEAR(", "a AND", "\0", "\ud800", "\ufffd", "\uffff", "\x7f", "\u0338", "<script>"),
    *("../../x", "a" * 300, "%" * 5000, "Alpha", "Beta", "Talk:Alpha", "Category:Letters"),
    *("Template:Nav", "File:Photo.png", "de:X", "Special:X", "#", ":", "Ada", "192.0.2.7"),
    *("198.51.100.0/24", "::1", "#1", "http://example.org/", "*.example.org", "mailto:a@b.c"),
    *("page|zz|1", "0|Alpha|1", "A|1", "41|1", "z|z|z|z|z", "-1|-1|-1"),
)
ANY = st.one_of(st.sampled_from([*NUMBERS, *MOMENTS, *TEXTS]), st.text(max_size=6))
VALUES = ANY | st.lists(ANY, min_size=2, max_size=4).map("|".join)


def _names(site: Site, module: type[Module], prefix: str) -> list[str]:
    return [prefix + param.name for param in module.param_set(site, prefix).params]


def _choices(site: Site, module: type[Module], prefix: str) -> SearchStrategy[dict[str, str]]:
    """Return some parameters of a module, with arbitrary or declared values."""
    fields = {}
    for param in module.param_set(site, prefix).params:
        choices = param.type.choices(site)
        usual = st.sampled_from(choices) if choices else VALUES
        fields[prefix + param.name] = usual | VALUES
    names = st.lists(st.sampled_from(sorted(fields)), max_size=5, unique=True) if fields else None
    if names is None:
        return st.just({})
    return names.flatmap(lambda chosen: st.fixed_dictionaries({n: fields[n] for n in chosen}))


def _merged(parts: tuple[Mapping[str, str], ...]) -> dict[str, str]:
    return {name: value for part in parts for name, value in part.items()}


def _requests(site: Site) -> SearchStrategy[dict[str, str]]:
    """Return requests for any action or query module, based on one of its examples."""
    modules = [*registries(site).actions.values(), *registries(site).query_modules.values()]
    return st.sampled_from(modules).flatmap(lambda module: _request(site, module))


def _request(site: Site, module: type[Module]) -> SearchStrategy[dict[str, str]]:
    examples = [dict(parse_qsl(query, keep_blank_values=True)) for query, _ in module.examples]
    base = st.sampled_from(examples or [{"action": module.name}])
    main = (
        registries(site).actions["query"]
        if module.name in registries(site).query_modules
        else module
    )
    parts = [base, _choices(site, module, module.prefix), _choices(site, main, "")]
    if module.can_generate() if hasattr(module, "can_generate") else False:
        generated = {"action": "query", "generator": module.name}
        as_generator = _choices(site, module, GENERATOR_PREFIX + module.prefix)
        parts.append(st.just({}) | as_generator.map(lambda chosen: {**chosen, **generated}))
    return st.tuples(*parts).map(_merged)


def assert_answered(client: ApiClient, params: Mapping[str, str]) -> None:
    """Check that the wiki answers, possibly with an error, without a failure."""
    fields = {
        name.encode("utf-8", "surrogatepass"): value.encode("utf-8", "surrogatepass")
        for name, value in params.items()
    }
    reply = client.raw("POST", body=urlencode(fields).encode(), content_type=URLENCODED)
    assert reply.status < 500, reply.text
    assert FAILED not in reply.headers.get("mediawiki-api-error", ""), reply.text
    reply.body.decode()


@contextmanager
def _parameters() -> Iterator[Opened]:
    with listed_wiki() as site:
        client = ApiClient(make_app(site))

        def check(params: dict[str, str]) -> None:
            """Check that every request is answered."""
            assert_answered(client, params)

        yield Opened(_requests(site), check, params_of, _written(site))


@contextmanager
def _positions() -> Iterator[Opened]:
    with listed_wiki() as site:
        client = ApiClient(make_app(site))
        asked = [
            (module.prefix, params)
            for module, params in lists_in_parts(registries(site).query_modules.values())
        ]

        def check(params: dict[str, str]) -> None:
            """Check that a position that no answer contained is refused or leads somewhere."""
            assert_answered(client, params)

        def positioned(chosen: tuple[str, dict[str, str]]) -> SearchStrategy[dict[str, Any]]:
            prefix, params = chosen
            return st.builds(
                lambda position, marker: {
                    **params,
                    f"{prefix}continue": position,
                    f"{prefix}limit": "2",
                    "continue": marker,
                },
                VALUES,
                st.sampled_from(["-||", "||", "", "-||x|y", "gapcontinue||info", "|"]) | VALUES,
            )

        positions = st.sampled_from(asked).flatmap(positioned)
        yield Opened(positions, check, params_of, _written(site))


_POSITION = ("limit", "continue", "offset")
_COMPARISON = ("diffto", "difftotext", "difftotextpst")
"""Parameters that ask for comparisons. An answer has one of them, whatever its limit is."""


@contextmanager
def _walks() -> Iterator[Opened]:
    with listed_wiki() as site:
        modules = [
            module
            for module in registries(site).query_modules.values()
            if issubclass(module, ListModule | PropModule)
            and has_limit(module)
            and module.walks_exactly
        ]

        def check(params: dict[str, str]) -> None:
            """Check that an answer in parts is the same as a whole one, for each module asked."""
            for module in modules:
                if module.name in params.get(module.group, "").split("|"):
                    fault = walk_fault(site, module, _of_walk(site, module, params))
                    assert not fault, fault

        inputs = st.sampled_from(modules).flatmap(lambda module: _request(site, module))
        yield Opened(inputs, check, params_of, _written(site))


def _of_walk(site: Site, module: type[QueryModule], params: Mapping[str, str]) -> dict[str, str]:
    """Return a request for a module alone, with those of the parameters that are about it."""
    own = {module.prefix + param.name for param in module.params}
    left_out = {f"{module.prefix}{name}" for name in (*_POSITION, *_COMPARISON)}
    kept = {n: v for n, v in params.items() if n in (own - left_out) | PAGES}
    return {**kept, "action": "query", module.group: module.name}


def _written(site: Site) -> Iterator[str]:
    """Yield the names of modules and parameters, and values, as in query strings."""
    for module in (*registries(site).actions.values(), *registries(site).query_modules.values()):
        yield quote_plus(module.name)
        for param in module.param_set(site).params:
            yield f"&{module.prefix}{param.name}="
            yield from map(quote_plus, param.type.choices(site) or ())
    for value in (*NUMBERS, *MOMENTS, *TEXTS):
        if len(value) < 40:
            yield quote_plus(value.encode("utf-8", "surrogatepass"))


PARAMETERS = Target("parameters", _parameters, 300)
CONTINUATION = Target("continuation", _walks, 100)
POSITIONS = Target("positions", _positions, 200)
