"""``wikiapi plugins new``: write a package as a starting point for a plugin."""

from __future__ import annotations

import re
from collections.abc import Mapping
from keyword import iskeyword
from pathlib import Path
from string import Template
from typing import NamedTuple

import click

from wikiapi.cli.support.advice import Failure
from wikiapi.cli.support.options import Command
from wikiapi.config import Config

NAME = re.compile(r"[a-z][a-z0-9]*+(?:-[a-z0-9]++)*+")
LONGEST = 40
PREFIX = "wikiapi-"


@click.command(
    "new",
    cls=Command,
    examples=(
        ("wikiapi plugins new tea-house", "Write the folder wikiapi-tea-house."),
        ("wikiapi plugins new guest-book --action", "Begin with an action that changes the wiki."),
    ),
)
@click.argument("name")
@click.option("--action", is_flag=True, help="Write an action that changes the wiki instead.")
@click.pass_obj
def command(config: Config, name: str, action: bool) -> None:
    """Write a package as a starting point for a plugin.

    It has a module of action=query, a parser function, and tests that run the conformance suite.
    """
    names = Names.of(name)
    check_free(names, config)
    folder = write(names, Path(), ACTION_FILES if action else FILES)
    click.echo(f"Wrote {folder}. Next: cd {folder} && python -m pytest")


class Names(NamedTuple):
    """The names in a new plugin. The ``module`` of ``tea-house`` is ``teahouse``."""

    plugin: str
    distribution: str
    package: str
    module: str
    cls: str

    @classmethod
    def of(cls, name: str) -> Names:
        """Return the names of a plugin.

        Raises:
            click.UsageError: the name is not valid.
        """
        name = name.removeprefix(PREFIX)
        if not NAME.fullmatch(name) or len(name) > LONGEST:
            raise click.UsageError(
                f"{name[:LONGEST]!r} is not a valid name: use lower-case letters, digits and"
                " hyphens, as in tea-house"
            )
        words = name.split("-")
        title = "".join(word.capitalize() for word in words)
        return cls(
            plugin=name,
            distribution=PREFIX + name,
            package=f"wikiapi_{'_'.join(words)}",
            module="".join(words),
            cls=f"{title}Module" if iskeyword(title) else title,
        )


FILES = {
    "pyproject.toml": """\
[build-system]
requires = ["setuptools>=70.1"]
build-backend = "setuptools.build_meta"

[project]
name = "$distribution"
version = "0.1"
description = "A plugin of wikiapi"
readme = "README.md"
requires-python = ">=3.11"
dependencies = ["wikiapi-server>=0.1"]

[project.entry-points.wikiapi]
$plugin = "$package"

[tool.setuptools.packages.find]
where = ["src"]

[tool.pytest.ini_options]
pythonpath = ["src"]
testpaths = ["tests"]
""",
    "README.md": """\
# $distribution

A plugin of wikiapi. It adds the module `prop=$module` and the parser function `{{#$module:}}`.

Run the tests. The plugin does not have to be installed for them:

```sh
python -m pytest
```

Install it into the environment of wikiapi, which finds it by its entry point:

```sh
pip install .
wikiapi plugins
```
""",
    "src/$package/py.typed": "",
    "src/$package/__init__.py": '''\
"""$cls: lists the sections of pages, and counts the words of a text."""

from __future__ import annotations

import re

from wikiapi.api import PropModule, continuation, limit
from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.store.queries import texts
from wikiapi.wikitext import FunctionCall, ParserFunction

_SECTION = re.compile(r"^==([^=\\n]++)==[ \\t]*+$$", re.MULTILINE)


class $cls(PropModule):
    """List the sections of the pages."""

    name, prefix, element = "$module", "$module", "section"
    params = (limit(), continuation())
    examples = (("action=query&prop=$module&titles=Main Page", "The sections of a page"),)

    def execute(self) -> None:
        """Add the sections of each page, whose texts are read with one query."""
        start = tuple(map(self.continue_int, self.continue_parts(2) or ("0", "0")))
        pages = {page_id: t.key for page_id, t in self.page_set.existing() if page_id >= start[0]}
        stored = texts.current(self.db, pages.values())
        rows = [
            (page_id, number, section.strip())
            for page_id, key in sorted(pages.items())
            for number, section in enumerate(_SECTION.findall(stored[key].text or ""))
            if (page_id, number) >= start
        ]
        items = ((page_id, section) for page_id, _, section in rows)
        self.emit(items, rows, "{0[0]}|{0[1]}".format)


def count_words(call: FunctionCall) -> str:
    """Return the number of words in the first argument."""
    return str(len(call.arg(0).split()))


@hookimpl
def register_extensions() -> list[Extension]:
    """Return the extension, with everything that it declares."""
    return [
        Extension(
            "$cls",
            kind="parserhook",
            version="0.1",
            functions=[ParserFunction("#$module", count_words)],
            query_modules=[$cls],
        )
    ]
''',
    "tests/test_$package.py": '''\
"""Tests of the plugin's answers, and the conformance suite for all modules."""

from __future__ import annotations

import $package as plugin
import pytest

from wikiapi.testing.conformance import CHECKS, modules_of

PAGES = {
    "Main Page": "== Black ==\\nstrong\\n== Green ==\\n{{#$module: one two three }}",
    "Tea": "== White ==",
}
pytestmark = pytest.mark.wiki(PAGES, plugins=[plugin])


def test_sections(wiki):
    answer = wiki.get(action="query", prop="$module", titles="Main Page")
    assert answer["query"]["pages"][0]["$module"] == ["Black", "Green"]


def test_words(wiki):
    answer = wiki.get(action="expandtemplates", text="{{#$module: a b }}", prop="wikitext")
    assert answer["expandtemplates"]["wikitext"] == "2"


@pytest.mark.parametrize("check", CHECKS)
def test_conformance(wiki, check):
    assert list(check(wiki.site, modules_of(wiki.site, plugin=plugin.__name__))) == []
''',
}
"""The files of a new plugin; the placeholders are the fields of :class:`Names`."""


ACTION_FILES = FILES | {
    "README.md": """\
# $distribution

A plugin of wikiapi. Its action `$module` adds a line to a page.

Run the tests. The plugin does not have to be installed for them:

```sh
python -m pytest
```

Install it into the environment of wikiapi, which finds it by its entry point:

```sh
pip install .
wikiapi plugins
```
""",
    "src/$package/__init__.py": '''\
"""$cls: an action that adds a line to a page."""

from __future__ import annotations

from wikiapi.api import (
    PAGE,
    CurrentPage,
    Obj,
    Outdated,
    WriteAction,
    current_page,
    named_page,
    string,
)
from wikiapi.hookspecs import hookimpl
from wikiapi.pages import NewText, PageWriter
from wikiapi.plugins import Extension


class $cls(WriteAction):
    """Add a line to a page."""

    name = "$module"
    params = (*PAGE, string("line", "The line.", required=True))
    examples = (("action=$module&title=Main Page&line=Hello&token=123ABC", "Add a line"),)
    page: CurrentPage

    def prepare(self) -> None:
        """Find the page, and check that the user may edit it."""
        self.page = current_page(self, named_page(self, "title", "pageid"))
        self.check_allowed("edit", self.page.title, self.page.row)

    def perform(self) -> None:
        """Save the page with the line, unless somebody has changed it meanwhile."""
        page = current_page(self, self.page.title)
        if page.row != self.page.row:
            raise Outdated
        line = self.p.text("line")
        new = NewText(f"{page.text or ''}\\n* {line}".strip(), page.model, summary=line)
        saved = PageWriter(self.context.performer).save(page.title, page.row, new)
        item = {"title": page.title.prefixed_text, "newrevid": saved.revision_id}
        self.result.set((), self.name, Obj(item))


@hookimpl
def register_extensions() -> list[Extension]:
    """Return the extension, with everything that it declares."""
    return [Extension("$cls", kind="api", version="0.1", actions=[$cls])]
''',
    "tests/test_$package.py": '''\
"""Tests of the plugin's action, and the conformance suite for all modules."""

from __future__ import annotations

import $package as plugin
import pytest

from wikiapi.testing.conformance import CHECKS, modules_of

pytestmark = pytest.mark.wiki(
    {"Main Page": "Welcome"}, config={"site": {"writable": True}}, plugins=[plugin]
)


def test_line_is_added(wiki):
    answer = wiki.client.write(action="$module", title="Main Page", line="Hello")
    assert answer["$module"]["title"] == "Main Page"
    assert wiki.text("Main Page") == "Welcome\\n* Hello"


@pytest.mark.parametrize("check", CHECKS)
def test_conformance(wiki, check):
    assert list(check(wiki.site, modules_of(wiki.site, plugin=plugin.__name__))) == []
''',
}
"""The files of a new plugin with an action that writes."""


def write(names: Names, parent: Path, files: Mapping[str, str] = FILES) -> Path:
    """Write the files of a new plugin, and return their folder.

    Raises:
        Failure: the folder exists.
    """
    folder = parent / names.distribution
    try:
        folder.mkdir()
    except FileExistsError:
        raise Failure(f"{folder} exists already", "Choose another name.") from None
    for pattern, text in files.items():
        file = folder / Template(pattern).substitute(names._asdict())
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(Template(text).substitute(names._asdict()), encoding="utf-8")
    return folder


def check_free(names: Names, config: Config) -> None:
    """Check that no installed plugin uses the names.

    Raises:
        Failure: one of the names is used.
    """
    from wikiapi.api.registries import registries
    from wikiapi.factory import empty_site

    with empty_site(config) as site:
        taken = {name for name, _ in site.plugins.list_name_plugin()} | {
            *registries(site).query_modules,
            *registries(site).actions,
        }
    if clash := {names.plugin, names.module} & taken:
        raise Failure(f"{min(clash)!r} is the name of an installed plugin or module")
