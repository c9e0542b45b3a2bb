"""Math: ``<math>`` and ``<chem>``, formulas in LaTeX shown as MathML.

For wikis whose configuration has a table ``[extensions.math]``, which may be empty; without it the
tags are not defined. MathML needs ``pip install wikiapi-server[math]``; without it the source of a
formula is shown, as by a MediaWiki that does not render formulas.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.resources import read_modules
from wikiapi.site import Site
from wikiapi.wikitext import (
    Expansion,
    ExtensionTag,
    TagCall,
    checked_attributes,
    encode_attributes,
    escape_text,
    trim,
)
from wikiapi_plugins.extensions import BundledExtension

if TYPE_CHECKING:
    from math_core import LatexToMathML


FOLDER = Path(__file__).parent


@hookimpl
def register_extensions(site: Site) -> Iterable[Extension]:
    """Return the extension, if the wiki enables it."""
    if _NAME not in site.config.extensions:
        return ()
    return (
        BundledExtension(
            "Math",
            description="Formulas shown as MathML",
            tags=DECLARATIONS,
            messages=FOLDER / "messages",
            resources=lambda: read_modules(FOLDER / "resources"),
        ),
    )


_STYLES = "ext.math.styles"
_CATEGORY = "math-tracking-category-error"
_START, _END = "<math", "</math>"
_INLINE, _BLOCK = "inline", "block"
# A formula within a line is as large as one on its own line, unless it has display="inline".
_SET_AS = {_INLINE: "\\textstyle", _BLOCK: "\\displaystyle", "": "\\displaystyle"}


class FormulaError(Exception):
    """A formula that cannot be shown; ``key`` and ``params`` are the message with the reason."""

    def __init__(self, key: str, *params: str) -> None:
        """Store the reason."""
        super().__init__(key, *params)
        self.key = key
        self.params = params


class RejectedFormula(FormulaError):
    """A formula that the converter rejects; the only parameter is the converter's reason."""


@cache
def _converter() -> LatexToMathML | None:
    try:
        from math_core import LatexToMathML
    except ImportError:
        return None
    return LatexToMathML(xml_namespace=True, fancy_error=False)


def is_available() -> bool:
    """Return whether formulas can be converted to MathML."""
    return _converter() is not None


def to_mathml(tex: str, *, block: bool) -> str:
    """Return a formula as MathML.

    Args:
        tex: LaTeX.
        block: whether it stands on a line of its own.

    Raises:
        FormulaError: the formula cannot be read, or would take too long.
    """
    if len(tex) > MAX_CHARACTERS:
        raise FormulaError("math-too-long")
    if defines_commands(tex):
        raise FormulaError("math-macros")
    if depth(tex) > MAX_DEPTH:
        raise FormulaError("math-too-deep")
    converter = _converter()
    if converter is None:
        raise RuntimeError("math-core is not installed")
    from math_core import LatexError

    try:
        return converter.convert_with_local_state(tex, displaystyle=block)
    except LatexError as error:
        raise RejectedFormula("", str(error).partition(": ")[2].rstrip(".")) from None


MAX_CHARACTERS = 20_000
MAX_DEPTH = 200

_TOKEN = re.compile(r"\\(?:[A-Za-z]+|.)|[{}\[\]^_]|\s+|[^\\{}\[\]^_\s]+", re.DOTALL)
_PAIRS = {"}": "{", "]": "[", "\\right": "\\left", "\\end": "\\begin"}
_OPENING = frozenset(_PAIRS.values())
_DEFINING = re.compile(
    r"\\(?:[egx]?def|let|futurelet|(?:re|provide)?newcommand|renewcommand|providecommand"
    r"|DeclareMathOperator|newenvironment)(?![A-Za-z])"
)


def defines_commands(tex: str) -> bool:
    """Return whether a formula defines commands, which could multiply nested content."""
    return _DEFINING.search(tex) is not None


def depth(tex: str) -> int:
    """Return the maximum nesting depth of a formula, counting the arguments of each command."""
    opened: dict[str, list[int]] = {opening: [] for opening in _OPENING}
    level = waiting = deepest = 0
    for token in _TOKEN.findall(tex):
        if token in _OPENING:
            opened[token].append(waiting + 1)
            level, waiting = level + waiting + 1, 0
        elif token in _PAIRS:
            kind = opened[_PAIRS[token]]
            level, waiting = level - (kind.pop() if kind else 0), 0
        elif token[0] in "\\^_":
            waiting += 1
        elif not token.isspace():
            waiting = 0
        deepest = max(deepest, level + waiting)
    return deepest


def math(call: TagCall) -> Expansion:
    """Return the content, which is LaTeX, as MathML."""
    return _formula(call, chemical="chem" in call.attributes)


def chem(call: TagCall) -> Expansion:
    """Return the content, a chemical formula, as MathML."""
    return _formula(call, chemical=True)


def _formula(call: TagCall, *, chemical: bool) -> Expansion:
    source = trim(call.inner or "")
    call.state.output.module_styles.setdefault(_STYLES)
    display = trim(call.attributes.get("display", "")).lower()
    display = display if display in _SET_AS else ""
    if not is_available():
        element, place = ("div", "display") if display == _BLOCK else ("span", "inline")
        text = escape_text(f"$ {source} $")
        css = f"mwe-math-fallback-source-{place} tex"
        return Expansion(f'<{element} class="{css}" dir="ltr">{text}</{element}>', html=True)
    try:
        return Expansion(_mathml(call, source, display, chemical=chemical), html=True)
    except FormulaError as error:
        call.state.notices.add_tracking_category(_CATEGORY)
        data = isinstance(error, RejectedFormula)
        reason = error.params[0] if data else call.state.messages.text(error.key, *error.params)
        message = escape_text(call.state.messages.text("math-failure", reason, source))
        return Expansion(f'<strong class="error texerror">{message}</strong>', html=True)


def _mathml(call: TagCall, source: str, display: str, *, chemical: bool) -> str:
    if not source:
        raise FormulaError("math-empty")
    tex = f"{_SET_AS[display]} {to_latex(source) if chemical else source}"
    html = to_mathml(tex, block=display == _BLOCK)
    rest, _, content = html.removeprefix(_START).partition(">")
    checked = checked_attributes(call.attributes, "span", call.state.fragments)
    allowed = {name: checked[name] for name in ("id",) if name in checked}
    css = f"mwe-math-element mwe-math-element-{display or _INLINE}"
    item = trim(call.attributes.get("qid", ""))
    if item[:1] == "Q" and item[1:].isascii() and item[1:].isdigit():
        allowed["data-qid"] = item
    attributes = {"class": css, **allowed}
    start = f"{_START}{encode_attributes(attributes)}{rest}>"
    note = f'<annotation encoding="application/x-tex">{escape_text(f"{{{tex}}}")}</annotation>'
    return f"{start}<semantics>{content.removesuffix(_END)}{note}</semantics>{_END}"


DECLARATIONS = (
    ExtensionTag("math", math, is_verbatim=True),
    ExtensionTag("chem", chem, is_verbatim=True),
)


_ARROWS = {
    "->": r"\xrightarrow",
    "<-": r"\xleftarrow",
    "<->": r"\xleftrightarrow",
    "<=>": r"\xrightleftharpoons",
}
_SIGNS = {"+": "+", "v": r"\downarrow", "(v)": r"\downarrow", "^": r"\uparrow", "(^)": r"\uparrow",
          "*": r"\cdot", ".": r"\cdot"}  # fmt: skip
_TEXT = r"\[(?P<{}>[^\[\]]*)\]"
_ARROW = re.compile(
    rf"(?P<arrow><->|<=>|->|<-)(?:{_TEXT.format('above')}(?:{_TEXT.format('below')})?)?"
)
_WORD = re.compile(r"\S+")
_AMOUNT = re.compile(r"(?P<amount>[0-9]+(?:[./][0-9]+)?|[a-z](?=[A-Z(\[]))(?=[A-Za-z(\[\^_])")
_PIECE = re.compile(
    r"(?P<state>\((?:aq|s|l|g|cr)\)\Z)"
    r"|(?P<element>[A-Z][a-z]?|[a-z])(?P<count>[0-9]*)"
    r"|(?P<close>[)\]])(?P<times>[0-9]*)"
    r"|(?P<open>[(\[])"
    r"|\^(?:\{(?P<braced>[0-9A-Za-z+\-.]*)\}|(?P<charge>[0-9]*[+-]|[0-9]+))"
    r"|_(?:\{(?P<lower>[0-9A-Za-z+\-.]*)\}|(?P<digit>[0-9]+))"
    r"|(?P<ion>[0-9]*[+-])\Z"
    r"|(?P<bond>[-=#])"
)
_BONDS = {"-": "{-}", "=": "{=}", "#": r"{\equiv}"}


def to_latex(source: str) -> str:
    """Return a chemical formula or equation as LaTeX.

    Raises:
        FormulaError: it contains something that is not supported.
    """
    parts, place = [], 0
    for match in _ARROW.finditer(source):
        below, above = (_words(match[name] or "") for name in ("below", "above"))
        arrow = f"{_ARROWS[match['arrow']]}[{below}]{{{above}}}"
        parts += [_words(source[place : match.start()]), arrow]
        place = match.end()
    return " ".join(filter(None, [*parts, _words(source[place:])]))


def _words(text: str) -> str:
    return r"\,".join(_word(word) for word in _WORD.findall(text))


def _word(word: str) -> str:
    if word in _SIGNS:
        return _SIGNS[word]
    if re.fullmatch(r"[0-9./]+", word):
        return word
    amount = _AMOUNT.match(word)
    out = [f"{amount['amount']}\\," if amount else ""]
    place = amount.end() if amount else 0
    while place < len(word):
        piece = _PIECE.match(word, place)
        if piece is None:
            raise FormulaError("math-chemistry", word)
        out.append(_piece(piece))
        place = piece.end()
    return "".join(out)


def _piece(piece: re.Match[str]) -> str:
    if piece["state"]:
        return rf"\mathrm{{{piece['state']}}}"
    if piece["element"]:
        return rf"\mathrm{{{piece['element']}}}{_lowered(piece['count'])}"
    if piece["close"] or piece["open"]:
        return f"{piece['close'] or piece['open']}{_lowered(piece['times'])}"
    if piece["bond"]:
        return _BONDS[piece["bond"]]
    if (lower := piece["lower"] or piece["digit"]) is not None:
        return f"{{}}_{{{lower}}}"
    upper = piece["ion"] or piece["charge"] or piece["braced"] or ""
    return f"{{}}^{{{upper}}}"


def _lowered(count: str | None) -> str:
    return f"_{{{count}}}" if count else ""


_NAME = "math"
