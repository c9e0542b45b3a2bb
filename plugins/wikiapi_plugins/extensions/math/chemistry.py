"""Chemical formulas as LaTeX.

They can contain amounts, elements with their numbers, charges, isotopes, bonds, groups, states,
arrows with texts above and below, gases and precipitates. Anything else is rejected.
"""

from __future__ import annotations

import re

from wikiapi_plugins.extensions.math.rendering import FormulaError

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
        parts += [_words(source[place : match.start()]), _arrow(match)]
        place = match.end()
    return " ".join(filter(None, [*parts, _words(source[place:])]))


def _arrow(match: re.Match[str]) -> str:
    below, above = (_words(match[name] or "") for name in ("below", "above"))
    return f"{_ARROWS[match['arrow']]}[{below}]{{{above}}}"


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
