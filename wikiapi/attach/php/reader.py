"""Reads the assignments of ``LocalSettings.php`` and of the files that it includes.

Statements are read from top to bottom, as PHP runs them. What depends on a condition, a loop or a
function is not guessed: it becomes a :class:`Problem` that names what it would change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wikiapi.attach.php.expressions import (
    MAX_DEPTH,
    Evaluation,
    Scope,
    TooMuch,
    Unreadable,
    combined,
    text_of,
)
from wikiapi.attach.php.values import PhpValue, copied, key_of, next_key
from wikiapi.errors import ConfigError

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

EXTRA = "localsettings"
MAX_BYTES = 1_000_000
"""The size of one file; those of large wikis have a hundred thousand."""
MAX_FILES = 100
MAX_STATEMENTS = 50_000
"""Statements of all files together."""

INSTALL_PATH = "IP"
"""The variable with the folder of MediaWiki."""
_SETTING = "wg"
"""The beginning of the names of MediaWiki's settings."""
EXTENSIONS, SKINS = "extensions", "skins"
"""The folders of MediaWiki with a folder, or an old file, for each extension or skin."""
_ENDING = ".php"
_OF_MEDIAWIKI = re.compile(r"(?:includes|languages|vendor|maintenance)/.*|.*/DefaultSettings\.php")
_GUARD = re.compile(r"""\(\s*!\s*defined\s*\(\s*(['"])MEDIAWIKI\1\s*\)\s*\)""")
_LONGEST_NAME = 1_000
"""Characters of the name of a file."""
_MOST_ELEMENTS = 5_000
"""Elements of an array to which elements are added one by one."""


class Place(NamedTuple):
    """A line of a file; ``file`` is its path as seen from the folder of ``LocalSettings.php``."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}"


class Problem(NamedTuple):
    """A statement that could not be read.

    ``reason`` says why. ``variables`` and ``extensions`` are those that it may set and load;
    ``others`` are words for what it may do besides.
    """

    place: Place
    reason: str
    variables: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


@dataclass
class LocalSettings:
    """What the files of a wiki assign.

    ``values`` are the variables with their last values, and ``places`` where they were set.
    ``extensions`` and ``skins`` are loaded, in their order. ``loads_others`` says that a part which
    could not be read may load further extensions.
    """

    values: dict[str, PhpValue] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    extensions: dict[str, Place] = field(default_factory=dict)
    skins: dict[str, Place] = field(default_factory=dict)
    constants: dict[str, PhpValue] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)
    loads_others: bool = False

    @property
    def doubtful(self) -> frozenset[str]:
        """The variables that may have other values, because a statement could not be read."""
        return frozenset(name for problem in self.problems for name in problem.variables)


def read_local_settings(
    path: Path, initial: Mapping[str, PhpValue], constants: Mapping[str, PhpValue]
) -> LocalSettings:
    """Return what a ``LocalSettings.php`` and the files that it includes assign. Nothing is run.

    Only files in its folder, and in folders of that, are read.

    Args:
        path: the file.
        initial: the variables that are set before it, such as those that it adds elements to.
        constants: the constants that are defined before it.

    Raises:
        ConfigError: the file cannot be read or is too large, or the parser is not installed.
    """
    reader = _Reader(path, initial, constants)
    try:
        reader.read(path)
    except TooMuch:
        raise ConfigError(f"{path} is not read: its values are too large") from None
    except _Ended:
        pass
    return reader.settings


class _Ended(Exception):
    """``exit`` ends the program; ``return`` ends a file."""


class _Returned(_Ended):
    pass


class _Reader:
    """Reads the files of one wiki."""

    def __init__(
        self, path: Path, initial: Mapping[str, PhpValue], constants: Mapping[str, PhpValue]
    ) -> None:
        self._parser = _parser()
        # PHP follows links for __DIR__, but $IP is the folder in which MediaWiki finds the file.
        self._folder = path.parent.absolute()
        self._roots = {self._folder.resolve(), path.resolve().parent}
        self.settings = LocalSettings(
            values={name: copied(value) for name, value in initial.items()},
            constants=dict(constants),
        )
        self.settings.values[INSTALL_PATH] = str(self._folder)
        self._evaluation = Evaluation()
        self._open: list[Path] = []
        self._statements = 0

    def read(self, path: Path) -> None:
        """Read a file.

        Raises:
            ConfigError: it cannot be read.
        """
        source, file = _content(path), path.resolve()
        self.settings.files.append(file)
        self._open.append(file)
        before = self._evaluation.scope
        scope = Scope(self.settings.values, self.settings.constants, file)
        self._evaluation.scope = scope
        try:
            root = self._parser.parse(source).root_node
            if len(self._open) == 1 and not any(each.type == "php_tag" for each in root.children):
                raise ConfigError(f"{path} is not a file of PHP")
            self._block(root)
        except _Returned:
            pass
        finally:
            self._evaluation.scope = before
            self._open.pop()

    # Statements

    def _block(self, block: Node) -> None:
        for statement in block.named_children:
            self._statements += 1
            if self._statements > MAX_STATEMENTS:
                raise TooMuch
            self._statement(statement)

    def _statement(self, node: Node) -> None:
        kind = node.type
        if kind in _WITHOUT_EFFECT:
            return
        if kind == "exit_statement":
            raise _Ended
        if kind == "return_statement":
            raise _Returned
        if kind == "compound_statement":
            self._block(node)
        elif kind == "expression_statement":
            inner = [each for each in node.named_children if each.type != "comment"]
            if inner:
                self._expression(inner[0])
        elif kind == "unset_statement":
            for target in node.named_children:
                self._unset(node, target)
        elif kind == "const_declaration":
            self._constants(node)
        elif kind == "if_statement" and _is_guard(node):
            return
        else:
            self._leave(node, _STATEMENTS.get(kind, "PHP that is not an assignment"))

    def _expression(self, node: Node) -> None:
        kind = node.type
        if kind in ("error_suppression_expression", "parenthesized_expression"):
            self._expression(node.named_children[-1])
        elif kind in ("assignment_expression", "augmented_assignment_expression"):
            self._assign(node)
        elif kind in _INCLUDES:
            self._include(node)
        elif kind == "function_call_expression":
            self._call(node)
        else:
            self._leave(node, _STATEMENTS.get(kind, "PHP that is not an assignment"))

    def _assign(self, node: Node) -> None:
        """Read an assignment, or several that share a value: ``$a = $b = 1``."""
        targets = []
        value_node: Node | None = node
        operator = "="
        while value_node is not None and value_node.type in _ASSIGNMENTS and operator == "=":
            targets.append(value_node.child_by_field_name("left"))
            sign = value_node.child_by_field_name("operator")
            operator = text_of(sign) if sign is not None else "="
            value_node = value_node.child_by_field_name("right")
        try:
            if value_node is None:
                raise Unreadable("a mistake in its PHP")
            if operator == "=":
                value = self._evaluation.value(value_node)
                for target in reversed(targets):
                    self._set(target, value)
            else:
                self._change(targets[-1], operator.removesuffix("="), value_node)
        except Unreadable as unreadable:
            self._leave(node, str(unreadable))
            for target in targets:
                if target is not None and target.type == "variable_name":
                    self.settings.values.pop(text_of(target).removeprefix("$"), None)

    def _change(self, target: Node | None, operator: str, right: Node) -> None:
        """Read an assignment that combines a value with the one before, such as ``.=``."""
        if target is None:
            raise Unreadable("a mistake in its PHP")
        try:
            before = self._evaluation.value(target)
        except Unreadable:
            if operator not in ("??", "."):
                raise
            before = None
        value = combined(operator, before, lambda: self._evaluation.value(right))
        self._evaluation.spend(value)
        self._set(target, value)

    def _set(self, target: Node | None, value: PhpValue) -> None:
        """Set a variable or an element of one, creating the arrays on the way to it."""
        name, keys = self._target(target)
        self._evaluation.spend(value)
        values = self.settings.values
        if keys:
            array: PhpValue = _or_new(values.get(name))
            values[name] = array
            for key in keys[:-1]:
                before = array.get(key) if isinstance(array, dict) and key is not None else None
                inner = _or_new(before)
                if inner is not before:
                    _put(array, key, inner)
                array = inner
            _put(array, keys[-1], copied(value))
        else:
            values[name] = copied(value)
        self.settings.places[name] = self._place(target)

    def _target(self, node: Node | None) -> tuple[str, list[int | str | None]]:
        """Return the variable that is assigned, and the keys of the element; None adds one."""
        keys: list[int | str | None] = []
        while node is not None and node.type == "subscript_expression":
            inner = [each for each in node.named_children if each.type != "comment"]
            try:
                keys.append(key_of(self._evaluation.value(inner[1])) if len(inner) > 1 else None)
            except (ValueError, OverflowError):
                raise Unreadable("a key that cannot be read") from None
            if len(keys) > MAX_DEPTH:
                raise Unreadable("a value that is too large")
            node = inner[0]
        if node is None or node.type != "variable_name":
            raise Unreadable("an assignment to something else than a variable")
        name = text_of(node).removeprefix("$")
        keys.reverse()
        if name == "GLOBALS" and keys and isinstance(keys[0], str):
            return keys[0], keys[1:]
        return name, keys

    def _unset(self, node: Node, target: Node) -> None:
        try:
            name, keys = self._target(target)
        except Unreadable as unreadable:
            self._leave(node, str(unreadable))
            return
        if not keys:
            self.settings.values.pop(name, None)
            self.settings.places.pop(name, None)
            return
        array = self.settings.values.get(name)
        for key in keys[:-1]:
            array = array.get(key) if isinstance(array, dict) and key is not None else None
        if isinstance(array, dict) and keys[-1] is not None:
            array.pop(keys[-1], None)
            self.settings.places[name] = self._place(node)

    def _constants(self, node: Node) -> None:
        for element in node.named_children:
            if element.type != "const_element":
                continue
            try:
                value = self._evaluation.value(element.named_children[1])
            except Unreadable as unreadable:
                self._leave(element, str(unreadable))
            else:
                self.settings.constants.setdefault(text_of(element.named_children[0]), value)

    # Calls and files

    def _call(self, node: Node) -> None:
        called = node.child_by_field_name("function")
        name = text_of(called).lstrip("\\") if called is not None else ""
        if name.lower() in _HARMLESS:
            return
        try:
            if name == "define":
                constant, value = self._evaluation.arguments(node, 0)[:2]
                self.settings.constants.setdefault(str(constant), value)
            elif name in _LOADING:
                names = self._evaluation.arguments(node, 0)[0]
                place, loaded = self._place(node), getattr(self.settings, _LOADING[name])
                for each in names.values() if isinstance(names, dict) else (names,):
                    loaded.setdefault(str(each), place)
            else:
                self._leave(node, f"a call of {name[:60]}()")
        except (Unreadable, IndexError, ValueError) as error:
            reason = str(error) if isinstance(error, Unreadable) else "a call without arguments"
            self._leave(node, reason)

    def _include(self, node: Node) -> None:
        """Read an included file; those in the folder of an extension mean that it is loaded."""
        try:
            name = self._evaluation.value(node.named_children[-1])
        except Unreadable as unreadable:
            self._leave(node, f"a file whose name could not be read ({unreadable})")
            return
        if not isinstance(name, str) or not 0 < len(name) <= _LONGEST_NAME or "\0" in name:
            self._leave(node, "a file whose name is not one")
            return
        seen = name.removeprefix(f"{self._folder}/").removeprefix("./")
        # Folders of this name elsewhere are the wiki's own, with files to be read.
        is_of_mediawiki = seen.startswith(("/", f"{EXTENSIONS}/", f"{SKINS}/"))
        part = _part_of(seen) if is_of_mediawiki else None
        if part is not None:
            loaded = self.settings.extensions if part.kind == EXTENSIONS else self.settings.skins
            loaded.setdefault(part.name, self._place(node))
        elif not _OF_MEDIAWIKI.fullmatch(seen):
            self._include_file(node, self._folder / name)

    def _include_file(self, node: Node, path: Path) -> None:
        name = _file_name(path, self._folder)
        try:
            file = path.resolve()
            if not any(root == file.parent or root in file.parents for root in self._roots):
                self._leave(node, f"{name}, which is not in the folder of LocalSettings.php")
            elif not file.is_file():
                self._leave(node, f"{name}, which is not there")
            elif file in self._open:
                self._leave(node, f"{name}, which includes itself")
            elif len(self.settings.files) >= MAX_FILES:
                self._leave(node, f"{name}, after {MAX_FILES} other files")
            elif file not in self.settings.files or not node.type.endswith("once_expression"):
                self.read(path)
        except (ConfigError, OSError, RuntimeError) as error:
            reason = str(error) if isinstance(error, ConfigError) else f"{name} cannot be read"
            self._leave(node, reason)

    # What is left out

    def _leave(self, node: Node, reason: str) -> None:
        """Record a statement that is not read, with what it may change."""
        changes = _Changes.of(node)
        for name in changes.variables:
            if not name.startswith(_SETTING) and name != INSTALL_PATH:
                # Those that refer to it later would have a value that is only true at times.
                self.settings.values.pop(name, None)
        if node.type in _BLOCKS | _ASSIGNMENTS and not changes.matter:
            return  # What refers to its variables is named where it does.
        others = changes.others if node.type not in _INCLUDES else ()
        self.settings.problems.append(
            Problem(self._place(node), reason, changes.variables, changes.extensions, others)
        )
        self.settings.loads_others = self.settings.loads_others or changes.loads_others

    def _place(self, node: Node | None) -> Place:
        line = node.start_point.row + 1 if node is not None else 0
        return Place(_file_name(self._open[-1], self._folder), line)


@dataclass
class _Changes:
    """What a part of a program that is not read may change."""

    variables: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()
    loads_others: bool = False
    sets_others: bool = False
    defines: bool = False

    @property
    def matter(self) -> bool:
        """Whether there is anything that a configuration may depend on."""
        sets = any(name.startswith(_SETTING) for name in self.variables)
        return sets or bool(self.extensions or self.others)

    @property
    def others(self) -> tuple[str, ...]:
        """What it may do besides setting variables and loading extensions that it names."""
        words = {
            "other files or extensions": self.loads_others,
            "variables": self.sets_others,
            "constants": self.defines,
        }
        return tuple(word for word, does in words.items() if does)

    @classmethod
    def of(cls, node: Node) -> _Changes:
        """Return what a node and all below it may change."""
        variables: dict[str, None] = {}
        extensions: dict[str, None] = {}
        changes, waiting = cls(), [node]
        while waiting:
            each = waiting.pop()
            if each.type in _ASSIGNMENTS:
                target = each.child_by_field_name("left")
                variables.update(dict.fromkeys(_assigned_names(target)))
                changes.sets_others |= target is not None and target.type in _UNNAMED
            elif each.type in ("unset_statement", "ERROR"):
                for target in each.named_children:
                    variables.update(dict.fromkeys(_assigned_names(target)))
            elif each.type in _INCLUDES:
                part = _part_of(text_of(each).rstrip("'\"() "))
                if part and part.kind == EXTENSIONS and "$" not in part.name:
                    extensions.setdefault(part.name)
                else:
                    changes.loads_others = True
            elif each.type == "function_call_expression":
                called = each.child_by_field_name("function")
                name = text_of(called) if called is not None else ""
                changes.defines = changes.defines or name == "define"
                if name in _LOADING:
                    names = list(_literal_names(each))
                    extensions.update(dict.fromkeys(names))
                    changes.loads_others = changes.loads_others or not names
            if each.type not in _FUNCTIONS:
                waiting += reversed(each.named_children)
        changes.variables, changes.extensions = tuple(variables), tuple(extensions)
        return changes


def _assigned_names(node: Node | None) -> Iterator[str]:
    """Yield the variables that an assignment to an expression changes."""
    while node is not None and node.type == "subscript_expression":
        inner = node.named_children
        is_global = inner[0].type == "variable_name" and text_of(inner[0]) == "$GLOBALS"
        if is_global and len(inner) > 1:
            yield text_of(inner[1]).strip("'\"")
            return
        node = inner[0]
    if node is not None and node.type == "variable_name":
        yield text_of(node).removeprefix("$")
    elif node is not None and node.type in _LISTS:
        for each in node.named_children:
            yield from _assigned_names(each) if each.type not in _LISTS else ()


def _literal_names(call: Node) -> Iterator[str]:
    """Yield the texts among the arguments of a call."""
    waiting = [*reversed(call.named_children[1:])]
    while waiting:
        node = waiting.pop()
        if node.type in ("string", "encapsed_string") and "$" not in text_of(node):
            yield text_of(node).strip("'\"")
        else:
            waiting += reversed(node.named_children)


class _Part(NamedTuple):
    """An extension or a skin."""

    kind: str
    name: str


def _part_of(path: str) -> _Part | None:
    """Return the extension or skin that a file of PHP belongs to, by its folder; None for none."""
    names = path.split("/")
    places = [number for number, name in enumerate(names[:-1]) if name in (EXTENSIONS, SKINS)]
    if not places or not path.endswith(_ENDING):
        return None
    return _Part(names[places[0]], names[places[0] + 1].removesuffix(_ENDING))


def _is_guard(node: Node) -> bool:
    """Return whether a condition only keeps the file from being run outside of MediaWiki."""
    condition = node.child_by_field_name("condition")
    return condition is not None and bool(_GUARD.fullmatch(text_of(condition)))


def _put(array: PhpValue, key: int | str | None, value: PhpValue) -> None:
    """Set an element of what must be an array, or add one."""
    if not isinstance(array, dict):
        raise Unreadable("an element of what is no array")
    if len(array) >= _MOST_ELEMENTS:
        raise Unreadable("a value that is too large")
    array[next_key(array) if key is None else key] = value


def _or_new(value: PhpValue) -> PhpValue:
    """Return a value to which an element is to be added; PHP makes an array of nothing."""
    return {} if value is None or value is False or value == "" else value


def _file_name(path: Path, folder: Path) -> str:
    for root in (folder, folder.resolve()):
        if root in path.parents:
            return str(path.relative_to(root))
    return str(path)


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            source = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from error
    if len(source) > MAX_BYTES:
        raise ConfigError(f"{path} is not read: it has more than {MAX_BYTES:,} bytes")
    return source


def _parser() -> Parser:
    try:
        import tree_sitter_php
        from tree_sitter import Language, Parser
    except ImportError as error:
        raise ConfigError(
            f"reading LocalSettings.php needs a parser of PHP, which is not installed:"
            f" `pip install 'wikiapi-server[{EXTRA}]'`"
        ) from error
    return Parser(Language(tree_sitter_php.language_php()))


_LOADING = {
    "wfLoadExtension": EXTENSIONS,
    "wfLoadExtensions": EXTENSIONS,
    "wfLoadSkin": SKINS,
    "wfLoadSkins": SKINS,
}
"""The functions that load extensions and skins, and where these are recorded."""
_HARMLESS = frozenset(
    {
        "date_default_timezone_set",
        "error_reporting",
        "header",
        "ini_set",
        "putenv",
        "set_include_path",
        "set_time_limit",
        "setlocale",
        "umask",
    }
)
"""Functions of PHP itself that change no setting of a wiki."""
_ASSIGNMENTS = frozenset(
    {"assignment_expression", "augmented_assignment_expression", "reference_assignment_expression"}
)
_LISTS = frozenset({"list_literal", "array_creation_expression", "array_element_initializer"})
_UNNAMED = frozenset({"dynamic_variable_name"})
"""Variables whose names are in other variables."""
_INCLUDES = frozenset(
    f"{verb}{once}_expression" for verb in ("require", "include") for once in ("", "_once")
)
_FUNCTIONS = frozenset(
    {
        *("anonymous_function", "arrow_function", "function_definition"),
        *("class_declaration", "interface_declaration", "trait_declaration", "enum_declaration"),
    }
)
"""What is declared, and so does nothing by itself."""
_WITHOUT_EFFECT = _FUNCTIONS | {
    *("php_tag", "php_end_tag", "comment", "text", "text_interpolation", "empty_statement"),
    *("echo_statement", "global_declaration", "namespace_use_declaration", "named_label_statement"),
    *("declare_statement", "namespace_definition"),
}
_STATEMENTS: Mapping[str, str] = {
    "if_statement": "a condition (if)",
    "switch_statement": "a condition (switch)",
    "match_expression": "a condition (match)",
    "conditional_expression": "a condition (? :)",
    "binary_expression": "a condition",
    "for_statement": "a loop (for)",
    "foreach_statement": "a loop (foreach)",
    "while_statement": "a loop (while)",
    "do_statement": "a loop (do)",
    "try_statement": "PHP code (try)",
    "reference_assignment_expression": "an assignment by reference",
    "member_call_expression": "a call of a method",
    "scoped_call_expression": "a call of a method",
    "ERROR": "a mistake in its PHP",
}
"""What stands in a report for statements that are not read."""
_BLOCKS = frozenset(
    {
        *("if_statement", "switch_statement", "for_statement", "foreach_statement"),
        *("while_statement", "do_statement", "try_statement", "binary_expression"),
    }
)
"""Statements that are only named if something in them matters."""
