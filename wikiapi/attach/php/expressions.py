"""The values of PHP expressions that consist of literals, and of variables assigned before.

Nothing is run: what depends on a function, an object or the machine raises :class:`Unreadable`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from wikiapi.attach.php.values import (
    LARGEST_INT,
    PhpArray,
    PhpValue,
    as_number,
    as_text,
    copied,
    is_true,
    key_of,
    next_key,
    size_of,
)

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_DEPTH = 100
"""Levels of nested expressions and arrays, far more than people write."""
MAX_SIZE = 100_000
"""The size of one value, as ``size_of`` counts it."""
MAX_WORK = 2_000_000
"""The size of all values that are read or copied for one wiki together."""

_NAMED_CONSTANTS: Mapping[str, PhpValue] = {
    "DIRECTORY_SEPARATOR": "/",
    "PHP_EOL": "\n",
    "PHP_INT_MAX": LARGEST_INT,
    "INF": float("inf"),
}
_ESCAPES = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "v": "\v",
    "e": "\x1b",
    "f": "\f",
    "\\": "\\",
    "$": "$",
    '"': '"',
}
_LETTER_CODE = re.compile(r"\\(?:u\{([0-9A-Fa-f]{1,6})\}|x([0-9A-Fa-f]{1,2})|([0-7]{1,3}))")


class Unreadable(Exception):
    """An expression has no value without running it. The text says what it is."""


class TooMuch(Exception):
    """The values of all files together are too large, as those of a hostile file are."""


class Scope(NamedTuple):
    """What an expression can refer to: variables, constants, and the place of its file."""

    variables: dict[str, PhpValue]
    constants: dict[str, PhpValue]
    file: Path


Function: TypeAlias = "Callable[[Evaluation, Node, int], PhpValue]"


class Evaluation:
    """Finds the values of expressions, and counts their sizes."""

    def __init__(self) -> None:
        """Start with nothing read."""
        self._left = MAX_WORK
        self.scope = Scope({}, {}, Path())

    def value(self, node: Node, depth: int = 0) -> PhpValue:
        """Return the value of an expression.

        Raises:
            Unreadable: it has none without running it.
            TooMuch: all values together are too large.
        """
        if node.has_error:
            raise Unreadable("a mistake in its PHP")
        read = _KINDS.get(node.type)
        if read is None:
            raise Unreadable(_described(node))
        if depth > MAX_DEPTH:
            raise Unreadable("an expression that is nested too deeply")
        value = read(self, node, depth + 1)
        self.spend(value)
        return value

    def spend(self, value: PhpValue) -> None:
        """Count the size of a value.

        Raises:
            Unreadable: it is too large.
            TooMuch: all values together are.
        """
        size = size_of(value)
        self._left -= size.total
        if self._left < 0:
            raise TooMuch
        if size.total > MAX_SIZE or size.depth > MAX_DEPTH:
            raise Unreadable("a value that is too large")

    def arguments(self, node: Node, depth: int) -> list[PhpValue]:
        """Return the values of the arguments of a call."""
        listed = node.child_by_field_name("arguments")
        values = []
        for argument in listed.named_children if listed else ():
            if argument.type == "comment":
                continue
            if argument.type != "argument" or len(argument.named_children) != 1:
                raise Unreadable(_described(argument))
            values.append(self.value(argument.named_children[0], depth))
        return values

    # Literals

    def _single_quoted(self, node: Node, _depth: int) -> PhpValue:
        text = text_of(node)
        return re.sub(r"\\([\\'])", r"\1", text[text.index("'") + 1 : -1])

    def _double_quoted(self, node: Node, depth: int) -> PhpValue:
        source = _source(node)
        start = source.index(b'"') + 1
        parts = self._parts(node, node.start_byte + start, node.end_byte - 1, depth)
        return "".join(text for text, _ in parts)

    def _heredoc(self, node: Node, depth: int) -> PhpValue:
        """Return the text, whose lines are indented as its end is, which does not count."""
        opening = node.child_by_field_name("identifier") or node
        closing = node.child_by_field_name("end_tag") or node.children[-1]
        source, offset = _source(node), node.start_byte
        start = source.find(b"\n", opening.end_byte - offset) + 1
        end = source.rfind(b"\n", 0, closing.start_byte - offset)
        if start > end:
            return ""
        width = closing.start_point.column
        body = next((each for each in node.named_children if each.type.endswith("_body")), None)
        if body is None or node.type == "nowdoc":
            return _unindented(source[start:end].decode("utf-8", "replace"), width, at_start=True)
        parts = list(self._parts(body, offset + start, offset + end, depth))
        return "".join(
            _unindented(text, width, at_start=not number) if is_literal else text
            for number, (text, is_literal) in enumerate(parts)
        )

    def _parts(self, node: Node, start: int, end: int, depth: int) -> Iterator[tuple[str, bool]]:
        """Yield the parts of a text with variables in it, and whether each stands there literally.

        The parser leaves out line breaks, so that literal parts are read from the source.
        """
        source, offset, reached = _source(node), node.start_byte, start
        for child in node.children:
            if child.start_byte < start or child.end_byte > end or child.type in _OF_TEXT:
                continue
            if child.start_byte > reached:
                literal = source[reached - offset : child.start_byte - offset]
                yield literal.decode("utf-8", "replace"), True
            if child.type == "escape_sequence":
                yield _unescaped(text_of(child), quotes=node.type == "encapsed_string"), False
            elif child.type not in ("{", "}"):
                yield _text(self.value(child, depth)), False
            reached = child.end_byte
        if reached < end:
            yield source[reached - offset : end - offset].decode("utf-8", "replace"), True

    def _integer(self, node: Node, _depth: int) -> PhpValue:
        digits = text_of(node).replace("_", "").lower()
        is_octal = len(digits) > 1 and digits[0] == "0" and digits.isdigit()
        try:
            number = int(digits, 8) if is_octal else int(digits, 0)
        except ValueError:
            raise Unreadable("a number that cannot be read") from None
        return number if number <= LARGEST_INT else float(digits if digits.isdigit() else "inf")

    def _float(self, node: Node, _depth: int) -> PhpValue:
        return float(text_of(node).replace("_", ""))

    def _boolean(self, node: Node, _depth: int) -> PhpValue:
        return text_of(node).lower() == "true"

    def _null(self, _node: Node, _depth: int) -> PhpValue:
        return None

    def _array(self, node: Node, depth: int) -> PhpValue:
        array: PhpArray = {}
        following: int | None = None
        for element in node.named_children:
            if element.type == "comment":
                continue
            inner = [each for each in element.named_children if each.type != "comment"]
            if len(inner) == 1 and inner[0].type == "variadic_unpacking":
                unpacked = self.value(inner[0].named_children[0], depth)
                if not isinstance(unpacked, dict):
                    raise Unreadable("what it unpacks is no array")
                _merge(array, unpacked)
                following = next_key(array)
            elif len(inner) == 2:
                key = _key(self.value(inner[0], depth))
                array[key] = self.value(inner[1], depth)
                if isinstance(key, int):
                    following = key + 1 if following is None else max(following, key + 1)
            elif len(inner) == 1 and element.type == "array_element_initializer":
                following = 0 if following is None else following
                array[following] = self.value(inner[0], depth)
                following += 1
            else:
                raise Unreadable(_described(element))
        return array

    # Names

    def _variable(self, node: Node, _depth: int) -> PhpValue:
        name = text_of(node).lstrip("${").rstrip("}")
        if name not in self.scope.variables:
            raise Unreadable(f"it depends on ${name}")
        return copied(self.scope.variables[name])

    def _constant(self, node: Node, _depth: int) -> PhpValue:
        name = text_of(node).lstrip("\\")
        file = self.scope.file
        of_file: Mapping[str, PhpValue] = {
            "__DIR__": str(file.parent),
            "__FILE__": str(file),
            "__LINE__": node.start_point.row + 1,
        }
        for constants in (of_file, self.scope.constants, _NAMED_CONSTANTS):
            if name in constants:
                return copied(constants[name])
        raise Unreadable(f"it depends on {name}")

    def _class_constant(self, node: Node, _depth: int) -> PhpValue:
        """Return the name of a class (``Name::class``); its other constants are not known."""
        class_name, constant = node.named_children[0], node.named_children[-1]
        if text_of(constant).lower() != "class" or class_name.type not in _NAMES:
            raise Unreadable(_described(node))
        return text_of(class_name).lstrip("\\")

    def _element(self, node: Node, depth: int) -> PhpValue:
        inner = [each for each in node.named_children if each.type != "comment"]
        if len(inner) != 2:
            raise Unreadable(_described(node))
        array, index = inner
        # In a text, $a[key] has no quotation marks.
        is_bare = index.type == "name" and (node.parent is None or node.parent.type in _TEXTS)
        key = text_of(index) if is_bare else _key(self.value(index, depth))
        if array.type == "variable_name" and text_of(array) == "$GLOBALS":
            if key not in self.scope.variables:
                raise Unreadable(f"it depends on ${key}")
            return copied(self.scope.variables[str(key)])
        values = self.value(array, depth)
        if not isinstance(values, dict) or key not in values:
            raise Unreadable(f"it depends on {text_of(array)[:60]}[{key!r}]")
        return values[key]

    # Operators

    def _grouped(self, node: Node, depth: int) -> PhpValue:
        inner = [each for each in node.named_children if each.type != "comment"]
        return self.value(inner[0], depth)

    def _unary(self, node: Node, depth: int) -> PhpValue:
        sign, operand = text_of(node.children[0]), node.named_children[-1]
        value = self.value(operand, depth)
        if sign == "!":
            return not is_true(value)
        if sign not in ("-", "+"):
            raise Unreadable(_described(node))
        number = _number(value)
        return -number if sign == "-" else number

    def _binary(self, node: Node, depth: int) -> PhpValue:
        operator = node.child_by_field_name("operator")
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if operator is None or left is None or right is None:
            raise Unreadable(_described(node))
        return combined(
            text_of(operator), self.value(left, depth), lambda: self.value(right, depth)
        )

    def _assigned(self, node: Node, _depth: int) -> PhpValue:
        raise Unreadable("an assignment within an expression")

    def _cast(self, node: Node, depth: int) -> PhpValue:
        kind = text_of(node.named_children[0]).strip().lower()
        value = self.value(node.named_children[-1], depth)
        if kind in ("bool", "boolean"):
            return is_true(value)
        if kind in ("int", "integer"):
            number = _number(value)
            if abs(number) > LARGEST_INT:
                raise Unreadable("a number that is too large")
            return int(number)
        if kind == "string":
            return _text(value)
        raise Unreadable(_described(node))

    def _call(self, node: Node, depth: int) -> PhpValue:
        """Return the result of one of the few functions that only depend on their arguments."""
        called = node.child_by_field_name("function")
        name = text_of(called).lstrip("\\").lower() if called else ""
        if name == "dirname":
            arguments = self.arguments(node, depth)
            levels = arguments[1] if len(arguments) == 2 else 1
            if not 1 <= len(arguments) <= 2 or not isinstance(levels, int) or not 1 <= levels < 64:
                raise Unreadable(_described(node))
            path = Path(_text(arguments[0]))
            return str(path.parents[min(levels, len(path.parents)) - 1] if path.parents else path)
        if name == "array_merge":
            merged: PhpArray = {}
            for argument in self.arguments(node, depth):
                if not isinstance(argument, dict):
                    raise Unreadable(_described(node))
                _merge(merged, argument)
            return merged
        raise Unreadable(_described(node))


def combined(operator: str, left: PhpValue, right: Callable[[], PhpValue]) -> PhpValue:
    """Return the result of an operator; what is on its right is only read if it counts.

    Raises:
        Unreadable: the operator is not one of texts, numbers and arrays.
    """
    if operator == "??":
        return right() if left is None else left
    value = right()
    if operator == ".":
        return _text(left) + _text(value)
    if operator == "+" and isinstance(left, dict) and isinstance(value, dict):
        return left | {key: each for key, each in value.items() if key not in left}
    first, second = _number(left), _number(value)
    if operator == "+":
        return _limited(first + second)
    if operator == "-":
        return _limited(first - second)
    if operator == "*":
        return _limited(first * second)
    if operator == "/" and second:
        quotient = first / second
        return int(quotient) if isinstance(first, int) and quotient.is_integer() else quotient
    raise Unreadable(f"the operator {operator}")


def text_of(node: Node) -> str:
    """Return the source of a node; bytes that are not UTF-8 become U+FFFD."""
    return _source(node).decode("utf-8", "replace")


def _source(node: Node) -> bytes:
    return node.text or b""


def _described(node: Node) -> str:
    """Return what stands at a node, in the words of a report, without any of its values."""
    called = node.child_by_field_name("function") or node.child_by_field_name("name")
    if node.type.endswith("call_expression") and called is not None:
        return f"a call of {text_of(called)[:60]}()"
    return _WORDS.get(node.type, f"what the parser calls {node.type.replace('_', ' ')}")


_WORDS: Mapping[str, str] = {
    "anonymous_function": "PHP code (a function)",
    "arrow_function": "PHP code (a function)",
    "conditional_expression": "a condition (? :)",
    "match_expression": "a condition (match)",
    "class_constant_access_expression": "a constant of a class",
    "object_creation_expression": "a new object",
    "ERROR": "a mistake in its PHP",
}


def _merge(array: PhpArray, added: PhpArray) -> None:
    """Add the elements of an array as ``array_merge`` does: numbers are counted on."""
    following = next_key(array)
    for key, value in added.items():
        if isinstance(key, int):
            array[following] = value
            following += 1
        else:
            array[key] = value


def _unindented(text: str, width: int, *, at_start: bool) -> str:
    """Return a text without up to ``width`` spaces and tabs at the beginning of its lines.

    ``at_start`` tells whether the text begins with a line.
    """
    first, *others = text.split("\n")
    lines = [_shortened(first, width) if at_start else first]
    return "\n".join([*lines, *(_shortened(line, width) for line in others)])


def _shortened(line: str, width: int) -> str:
    return line[min(width, len(line) - len(line.lstrip(" \t"))) :]


def _text(value: PhpValue) -> str:
    try:
        return as_text(value)
    except ValueError:
        raise Unreadable("a value that is no text") from None


def _number(value: PhpValue) -> int | float:
    try:
        return as_number(value)
    except ValueError:
        raise Unreadable("a value that is no number") from None


def _key(value: PhpValue) -> int | str:
    try:
        return key_of(value)
    except (ValueError, OverflowError):
        raise Unreadable("a value that cannot be a key") from None


def _limited(number: float) -> int | float:
    return float(number) if isinstance(number, int) and abs(number) > LARGEST_INT else number


def _unescaped(text: str, *, quotes: bool) -> str:
    """Return the character of an escape sequence; an unknown one stands for itself.

    Quotation marks are escaped only between ``quotes``.
    """
    match = _LETTER_CODE.fullmatch(text)
    if match is None:
        return text if text == '\\"' and not quotes else _ESCAPES.get(text[1:], text)
    code = int(match[1] or match[2], 16) if match[1] or match[2] else int(match[3], 8) & 0xFF
    return chr(code) if code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else "\ufffd"


_TEXTS = frozenset({"encapsed_string", "heredoc_body"})
_NAMES = frozenset({"name", "qualified_name"})
_OF_TEXT = frozenset({"string_content", "string_value", '"', "comment"})
"""Parts of the syntax tree that say nothing which is not in the source."""

_KINDS: Mapping[str, Function] = {
    "string": Evaluation._single_quoted,
    "encapsed_string": Evaluation._double_quoted,
    "heredoc": Evaluation._heredoc,
    "nowdoc": Evaluation._heredoc,
    "integer": Evaluation._integer,
    "float": Evaluation._float,
    "boolean": Evaluation._boolean,
    "null": Evaluation._null,
    "array_creation_expression": Evaluation._array,
    "variable_name": Evaluation._variable,
    "dynamic_variable_name": Evaluation._variable,
    "name": Evaluation._constant,
    "qualified_name": Evaluation._constant,
    "class_constant_access_expression": Evaluation._class_constant,
    "subscript_expression": Evaluation._element,
    "parenthesized_expression": Evaluation._grouped,
    "unary_op_expression": Evaluation._unary,
    "binary_expression": Evaluation._binary,
    "cast_expression": Evaluation._cast,
    "function_call_expression": Evaluation._call,
}
