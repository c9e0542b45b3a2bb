"""Every regular expression of the project: where it stands, and how it is put to texts.

The sources say where :mod:`re` is called; importing every module while ``re`` is watched says what
is compiled there, with all names filled in. Patterns that are made later are read from the sources
where they are literals, else from what a small wiki compiles (see ``_run``).
"""

from __future__ import annotations

import ast
import gc
import importlib
import re
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lark import Lark

from tests.meta.test_packaging import ROOT, package_dirs

_ONCE = frozenset({"match", "fullmatch", "search"})
_REPEATED = frozenset({"sub", "subn", "split", "findall", "finditer", "scanner"})
_FACTS = frozenset({"pattern", "flags", "groupindex", "groups"})
_MAKING = _ONCE | _REPEATED | {"compile"}


@dataclass(frozen=True)
class Pattern:
    """A regular expression, and the widest way in which it is put to texts."""

    name: str
    """The file and the variable or function, such as ``wikiapi/title/codec.py:_PREFIX``."""
    text: str | bytes
    flags: int
    mode: str
    """``match``, ``fullmatch``, ``search``, or ``finditer`` for all that goes on behind a match."""


@dataclass(frozen=True)
class _Place:
    """A call of :mod:`re` in the sources."""

    file: Path
    line: int
    variable: str
    """What the pattern is bound to; empty if it is used at once or given away."""
    around: str
    """The variable or else the function."""
    call: ast.Call

    @property
    def name(self) -> str:
        return f"{self.file.relative_to(ROOT).as_posix()}:{self.around}"

    @property
    def module(self) -> str:
        for package, folder in package_dirs().items():
            if self.file.is_relative_to(folder):
                parts = (package, *self.file.relative_to(folder).with_suffix("").parts)
                return ".".join(parts).removesuffix(".__init__")
        raise ValueError(self.file)

    @property
    def function(self) -> str:
        assert isinstance(self.call.func, ast.Attribute)
        return self.call.func.attr


def collect() -> tuple[list[Pattern], list[str]]:
    """Return all patterns, and the names of places whose pattern is unknown."""
    trees = {file: ast.parse(file.read_text(encoding="utf-8")) for file in _files()}
    places = {
        (str(place.file), place.line): place
        for file, tree in trees.items()
        for place in _places(file, tree, "<module>")
    }
    uses = _Uses(trees)
    with _watched() as compiled:
        terminals = _run()
    patterns: set[Pattern] = set()
    silent = dict.fromkeys(places.values())
    for file, line, pattern, flags in compiled:
        place = places.get((file, line))
        if place is not None:
            patterns.add(Pattern(place.name, pattern, flags, uses.mode(place)))
            silent.pop(place, None)
    for place in list(silent):
        literal = _evaluated(place)
        if literal is not None:
            patterns.add(Pattern(place.name, literal.pattern, literal.flags, uses.mode(place)))
            del silent[place]
    # These would be called by names that are not looked for.
    unseen = [f"{file}: from re import" for file, tree in trees.items() if _imports_from_re(tree)]
    ordered = sorted(patterns | terminals, key=lambda one: (one.name, str(one.text)))
    return ordered, sorted([*unseen, *(place.name for place in silent)])


def _imports_from_re(tree: ast.Module) -> bool:
    return any(isinstance(node, ast.ImportFrom) and node.module == "re" for node in ast.walk(tree))


def _files() -> list[Path]:
    return sorted(file for folder in package_dirs().values() for file in folder.rglob("*.py"))


def _places(file: Path, node: ast.AST, around: str, variable: str = "") -> Iterator[_Place]:
    for child in ast.iter_child_nodes(node):
        inner, bound = around, variable
        match child:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                inner, bound = name, ""
            case ast.Assign(targets=[target]) | ast.AnnAssign(target=target):
                inner = bound = _last_name(target) or around
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=name)) if (
                name in _MAKING
            ):
                target = variable if name == "compile" else ""
                yield _Place(file, child.lineno, target, around, child)
        yield from _places(file, child, inner, bound)


def _last_name(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(value=value):
            return _last_name(value)
    return ""


@contextmanager
def _watched() -> Iterator[list[tuple[str, int, Any, int]]]:
    """Collect compiled patterns: file and line of the call, pattern and flags."""
    original = re._compile  # type: ignore[attr-defined]
    calls: list[tuple[str, int, Any, int]] = []

    def watching(pattern: Any, flags: int) -> Any:
        frame = sys._getframe(1)
        while frame.f_code.co_filename == re.__file__ and frame.f_back:
            frame = frame.f_back
        compiled = original(pattern, flags)
        calls.append((frame.f_code.co_filename, frame.f_lineno, compiled.pattern, compiled.flags))
        return compiled

    re._compile = watching  # type: ignore[attr-defined]
    try:
        yield calls
    finally:
        re._compile = original  # type: ignore[attr-defined]


def _run() -> set[Pattern]:
    """Import every module, and have a wiki make what is made late. The terminals of grammars."""
    for package, folder in package_dirs().items():
        for file in sorted(folder.rglob("*.py")):
            parts = file.relative_to(folder).with_suffix("").parts
            if parts[-1] != "__main__":
                importlib.import_module(".".join((package, *parts)).removesuffix(".__init__"))
    from wikiapi.http.cors import _pattern
    from wikiapi.importing.tables.sql import _row_pattern
    from wikiapi.testing import ask, make_site

    site = make_site({"Page": "<pre>a</pre> __TOC__ {{#expr:1}} {{#dateformat:1 May 2020}}"})
    with closing(site.db):
        ask(site, {"action": "parse", "page": "Page"})
        ask(site, {"action": "query", "list": "search", "srsearch": "words"})
        _pattern("*.example.org")
        _row_pattern(3)
    return {
        Pattern(f"grammar:{terminal.name}", terminal.pattern.to_regexp(), 0, "finditer")
        for made in gc.get_objects()
        if isinstance(made, Lark)
        for terminal in made.terminals
    }


def _evaluated(place: _Place) -> re.Pattern[Any] | None:
    """Return the pattern of a call that needs no more than the names of its module."""
    flags = [arg for arg in place.call.args[1:] if "re." in ast.unparse(arg)]
    try:
        source, *rest = (
            eval(ast.unparse(node), vars(sys.modules[place.module]))
            for node in (place.call.args[0], *flags)
        )
    except NameError:
        return None
    return re.compile(source, *rest)


class _Uses:
    """What is done with the variables of every file."""

    def __init__(self, trees: dict[Path, ast.Module]) -> None:
        self._methods: dict[tuple[Path, str], set[str]] = {}
        self._importing: dict[str, set[Path]] = {}
        for file, tree in trees.items():
            self._read(file, tree)

    def mode(self, place: _Place) -> str:
        """Return the use of a pattern that reads most of a text."""
        if place.function != "compile":
            return place.function if place.function in _ONCE else "finditer"
        files = {place.file} | self._importing.get(f"{place.module}.{place.variable}", set())
        uses = set().union(*(self._methods.get((file, place.variable), set()) for file in files))
        if len(uses) == 1 and uses <= _ONCE:
            return uses.pop()
        return "search" if uses and uses <= _ONCE else "finditer"

    def _read(self, file: Path, tree: ast.Module) -> None:
        called: set[int] = set()
        """Nodes that a method is called on, or taken from."""
        for node in ast.walk(tree):
            match node:
                case ast.ImportFrom(module=module, names=names):
                    for alias in names:
                        self._importing.setdefault(f"{module}.{alias.name}", set()).add(file)
                case ast.Call(func=ast.Attribute(value=base, attr=method) as taken, args=args):
                    # With a second argument it is one step of many through a text.
                    is_step = method not in _ONCE or len(args) > 1
                    self._note(file, base, "finditer" if is_step else method)
                    called |= {id(inner) for inner in ast.walk(taken)}
                case ast.Attribute(value=base, attr=name) if (
                    id(node) not in called and name in _ONCE | _FACTS
                ):
                    # A method that is given away, as to ``map``, is called with a text alone.
                    if name in _ONCE:
                        self._note(file, base, name)
                    called |= {id(inner) for inner in ast.walk(base)}
                case ast.Name(ctx=ast.Load()) | ast.Attribute(ctx=ast.Load()):
                    if id(node) not in called:
                        self._note(file, node, "finditer")

    def _note(self, file: Path, node: ast.AST, method: str) -> None:
        self._methods.setdefault((file, _last_name(node)), set()).add(method)
