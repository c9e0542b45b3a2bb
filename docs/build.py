"""Generate docs/configuration.md and examples/wikiapi.toml from the code.

Run ``make docs`` after changing a setting; a test compares the files with the code.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import itertools
import json
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from wikiapi import config

ROOT = Path(__file__).parents[1]
CONFIGURATION = ROOT / "docs" / "configuration.md"
EXAMPLE = ROOT / "examples" / "wikiapi.toml"

INTRODUCTION = """\
# Configuration

wikiapi reads one TOML file: `wikiapi serve --config wikiapi.toml`. Nearly every setting has a
default, so the file may be empty or absent. Unknown settings and values that are not permitted are
errors at start-up, which names all of them. Paths in the file are relative to its folder: the wiki
can be used from any other one.
[examples/wikiapi.toml](../examples/wikiapi.toml) contains all settings.

`make docs` generates this page from the docstrings of `wikiapi/config/tables.py`.
"""
EXAMPLE_INTRODUCTION = """\
# All settings of wikiapi with their defaults. To change a setting, remove the "# " before it.
# Generated from wikiapi/config/tables.py by `make docs`.
"""
EXTENSIONS = """
## `[extensions.NAME]`

The settings of a plugin. The table `NAME` is passed to the plugin unchanged.
"""
EXAMPLE_EXTENSIONS = """
# [extensions.NAME]
# The settings of a plugin.
"""


@dataclasses.dataclass(frozen=True)
class Setting:
    """A setting. ``default`` is written in TOML, and empty for required settings."""

    name: str
    default: str
    text: str


@dataclasses.dataclass(frozen=True)
class Table:
    """A table of the file. ``header`` includes the single or double brackets."""

    header: str
    text: str
    settings: tuple[Setting, ...]


def tables() -> Iterator[Table]:
    """Yield the tables of the configuration file, except those of plugins."""
    for name, hint in get_type_hints(config.Config).items():
        many = bool(get_args(hint)) and dataclasses.is_dataclass(get_args(hint)[0])
        cls = get_args(hint)[0] if many else hint
        if dataclasses.is_dataclass(cls):
            header = f"[[{name}]]" if many else f"[{name}]"
            text = re.sub(r"^``\S+``: ", "", inspect.getdoc(cls) or "")
            yield Table(header, text, tuple(settings(cls)))


def settings(cls: Any) -> Iterator[Setting]:
    """Yield the fields of a dataclass with the docstrings below them."""
    body = ast.parse(textwrap.dedent(inspect.getsource(cls))).body[0]
    texts = dict(_field_docstrings(body))
    for field in dataclasses.fields(cls):
        default = field.default
        if field.default_factory is not dataclasses.MISSING:
            default = field.default_factory()
        required = default is dataclasses.MISSING
        text = f"{texts[field.name]}{_permitted(cls, field.name)}{_counterparts(cls, field.name)}"
        yield Setting(field.name, "" if required else _default(default), text)


def _default(value: object) -> str:
    return "not set" if value is None else _toml(value)


def _permitted(cls: Any, name: str) -> str:
    """Return a sentence with the permitted values of a setting; empty if all of its type are."""
    hint = get_type_hints(cls)[name]
    if get_origin(hint) is Literal:
        return f" Permitted: {', '.join(f'``{value}``' for value in get_args(hint))}."
    accepted = config.permitted(cls, name)
    return f" Permitted: {accepted.text}." if accepted else ""


def _counterparts(cls: Any, name: str) -> str:
    """Return a sentence with the variables of MediaWiki that say the same; may be empty."""
    names = " and ".join(f"``${each}``" for each in config.counterparts(cls, name))
    return f" In MediaWiki: {names}." if names else ""


def _field_docstrings(body: ast.stmt) -> Iterator[tuple[str, str]]:
    statements = body.body if isinstance(body, ast.ClassDef) else []
    for statement, following in itertools.pairwise(statements):
        match statement, following:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                yield name, " ".join(text.split())


def _toml(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False)


def configuration() -> str:
    """Return the text of docs/configuration.md."""
    return INTRODUCTION + "".join(map(_table_markdown, tables())) + EXTENSIONS


def _table_markdown(table: Table) -> str:
    rows = "".join(
        f"| `{s.name}` | {f'`{s.default}`' if s.default else 'must be set'} | {_cell(s.text)} |\n"
        for s in table.settings
    )
    title = f"\n## `{table.header}`\n\n{_sentence(table.text)}\n\n"
    return f"{title}| setting | default | meaning |\n|---|---|---|\n{rows}"


def example() -> str:
    """Return the text of examples/wikiapi.toml."""
    return EXAMPLE_INTRODUCTION + "".join(map(_table_toml, tables())) + EXAMPLE_EXTENSIONS


def _table_toml(table: Table) -> str:
    # Headers of array tables are commented out, because each would add an entry without values.
    header = f"# {table.header}" if table.header.startswith("[[") else table.header
    return f"\n{_comment(_sentence(table.text))}{header}\n" + "".join(
        f"{_comment(s.text.replace('``', ''))}# {s.name} = {s.default or '...'}\n"
        for s in table.settings
    )


def _comment(text: str) -> str:
    return textwrap.fill(text, 98, initial_indent="# ", subsequent_indent="# ") + "\n"


def _cell(text: str) -> str:
    return text.replace("``", "`").replace("|", r"\|")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def main() -> None:
    """Write both files."""
    CONFIGURATION.write_text(configuration(), encoding="utf-8")
    EXAMPLE.write_text(example(), encoding="utf-8")


if __name__ == "__main__":
    main()
