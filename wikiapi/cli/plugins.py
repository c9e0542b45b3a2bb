"""``wikiapi plugins``: list the installed plugins and what they register, or write a new one."""

from __future__ import annotations

import inspect
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING, Any

import click

from wikiapi.cli import newplugin
from wikiapi.cli.support.options import configured
from wikiapi.config import Config
from wikiapi.plugins import ENTRY_POINT_GROUP
from wikiapi.registry import collect

if TYPE_CHECKING:
    from wikiapi.site import Site


@click.group("plugins", invoke_without_command=True)
@configured
def command(config: Config) -> None:
    """List the plugins and what they register, or write a new one.

    Without a command, the plugins are listed. This works without a store.
    """
    context = click.get_current_context()
    context.obj = config
    if context.invoked_subcommand is None:
        from wikiapi.factory import empty_site

        # An empty store is enough, since what plugins register does not depend on the pages.
        with empty_site(config) as site:
            for line in describe(site):
                click.echo(line)


command.add_command(newplugin.command)


@dataclass(frozen=True)
class Kind:
    """A kind of declaration that plugins register, and its heading in the list."""

    hook: str
    heading: str


KINDS: tuple[Kind, ...] = (
    Kind("register_actions", "actions"),
    Kind("register_query_modules", "query modules"),
    Kind("register_query_pages", "query pages"),
    Kind("register_formats", "formats"),
    Kind("register_content_models", "content models"),
    Kind("register_parser_functions", "parser functions"),
    Kind("register_variables", "variables"),
    Kind("register_behavior_switches", "behaviour switches"),
    Kind("register_extension_tags", "extension tags"),
    Kind("register_special_pages", "special pages to transclude"),
    Kind("register_language_converters", "languages with variants"),
    Kind("register_resource_modules", "resource modules"),
    Kind("register_extension_credits", "shown as extensions"),
)


def describe(site: Site) -> Iterator[str]:
    """Yield the lines of the list of plugins."""
    registered: dict[str, dict[str, list[str]]] = defaultdict(dict)
    for kind in KINDS:
        registry = collect(site.plugins, kind.hook, _labels, site=site)
        for label in registry:
            registered[registry.owner(label)].setdefault(kind.heading, []).append(label)
    distributions = {
        point.name: f" ({point.dist.name} {point.dist.version})"
        for point in metadata.entry_points(group=ENTRY_POINT_GROUP)
        if point.dist
    }
    for name, plugin in site.plugins.list_name_plugin():
        if plugin is None:
            yield f"{name}{distributions.get(name, '')}: disabled"
            continue
        yield f"{name}{distributions.get(name, '')}"
        own = plugin if inspect.ismodule(plugin) else type(plugin)
        if about := " ".join((inspect.getdoc(own) or "").partition("\n\n")[0].split()):
            yield f"  about: {about}"
        for heading, labels in registered[name].items():
            yield f"  {heading}: {', '.join(sorted(labels))}"
        listed = {"register_extensions", *(kind.hook for kind in KINDS)}
        callers = site.plugins.get_hookcallers(plugin) or ()
        others = sorted(caller.name for caller in callers if caller.name not in listed)
        if others:
            yield f"  other hooks: {', '.join(others)}"


def _labels(declaration: Any) -> tuple[str, ...]:
    group = getattr(declaration, "group", None)
    in_query = group in {"prop", "list", "meta"}
    return (f"{group}={declaration.name}" if in_query else declaration.name,)
