"""docs/hooks.md lists every hook with its exact arguments, in the section its verb asks for."""

from __future__ import annotations

import ast
import inspect
import re
from functools import cache
from pathlib import Path

import pytest

from wikiapi import hookspecs

ROOT = Path(__file__).parents[2]
HOOKS = ROOT / "docs" / "hooks.md"
SECTIONS = {
    "register": "At the start",
    "resolve": "Questions",
    "on": "Events",
    "transform": "Replacements",
    "wrap": "Replacements",
}


def documented() -> dict[str, str]:
    """Return each documented signature and its section."""
    sections, section = {}, ""
    for line in HOOKS.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ")
        elif match := re.fullmatch(r"### `(.+)`", line):
            sections[match[1]] = section
    return sections


def signature(name: str) -> str:
    return f"{name}({', '.join(inspect.signature(getattr(hookspecs, name)).parameters)})"


def typed(code: str) -> list[str]:
    """Return the signatures of functions, annotations included, each on one line."""
    functions = (node for node in ast.parse(code).body if isinstance(node, ast.FunctionDef))
    return [
        f"def {node.name}({ast.unparse(node.args)}) -> {ast.unparse(node.returns)}: ..."
        for node in functions
        if node.returns is not None
    ]


def test_signatures_are_those_of_the_hook_specifications() -> None:
    assert sorted(documented()) == sorted(map(signature, hookspecs.HOOK_NAMES))


def test_each_hook_is_shown_with_its_types() -> None:
    text = HOOKS.read_text(encoding="utf-8")
    pattern = r"^### `(\w+)\(.*\)`\n\n```python\n(def (\w+)(?:.*\n)+?)```$"
    entries = re.findall(pattern, text, re.MULTILINE)
    lines = [line for _, block, _ in entries for line in typed(block)]
    assert sorted(lines) == sorted(typed(inspect.getsource(hookspecs)))
    assert [heading for heading, _, _ in entries] == [name for _, _, name in entries]


@pytest.mark.parametrize("hook", hookspecs.HOOK_NAMES)
def test_hook_stands_in_the_section_of_its_verb(hook: str) -> None:
    assert documented()[signature(hook)] == SECTIONS[hook.partition("_")[0]]


@pytest.mark.parametrize("hook", hookspecs.HOOK_NAMES)
def test_only_resolving_hooks_stop_at_the_first_answer(hook: str) -> None:
    options = getattr(hookspecs, hook).wikiapi_spec
    assert options["firstresult"] is hook.startswith("resolve_")


@cache
def sources() -> str:
    """Return the shipped sources, except for the module that declares the hooks."""
    folders = (ROOT / "wikiapi", ROOT / "plugins")
    files = sorted(file for folder in folders for file in folder.rglob("*.py"))
    return "".join(file.read_text("utf-8") for file in files if file.name != "hookspecs.py")


@pytest.mark.parametrize("hook", hookspecs.HOOK_NAMES)
def test_hook_is_fired(hook: str) -> None:
    assert re.search(
        rf"\.hook\.{hook}\b"
        rf'|\b(?:collect|declarations|_implementations)\(\s*[\w.]+,\s+"{hook}"'
        rf'|\bnotify\("{hook}"',
        sources(),
    )
