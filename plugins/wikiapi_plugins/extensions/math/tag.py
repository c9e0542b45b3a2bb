"""``<math display= id= qid= chem>`` and ``<chem>``."""

from __future__ import annotations

from wikiapi.wikitext import (
    Expansion,
    ExtensionTag,
    TagCall,
    checked_attributes,
    encode_attributes,
    escape_text,
)
from wikiapi.wikitext.syntax import trim
from wikiapi_plugins.extensions.math.chemistry import to_latex
from wikiapi_plugins.extensions.math.rendering import (
    FormulaError,
    RejectedFormula,
    is_available,
    to_mathml,
)

_STYLES = "ext.math.styles"
_CATEGORY = "math-tracking-category-error"
_START, _END = "<math", "</math>"
_INLINE, _BLOCK = "inline", "block"
# A formula within a line is as large as one on its own line, unless it has display="inline".
_SET_AS = {_INLINE: "\\textstyle", _BLOCK: "\\displaystyle", "": "\\displaystyle"}


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
        return Expansion(_source(source, display), html=True)
    try:
        return Expansion(_mathml(call, source, display, chemical=chemical), html=True)
    except FormulaError as error:
        call.state.notices.add_tracking_category(_CATEGORY)
        return Expansion(_failure(call, source, error), html=True)


def _mathml(call: TagCall, source: str, display: str, *, chemical: bool) -> str:
    if not source:
        raise FormulaError("math-empty")
    tex = f"{_SET_AS[display]} {to_latex(source) if chemical else source}"
    html = to_mathml(tex, block=display == _BLOCK)
    given, _, content = html.removeprefix(_START).partition(">")
    start = f"{_START}{encode_attributes(_attributes(call, display))}{given}>"
    note = f'<annotation encoding="application/x-tex">{escape_text(f"{{{tex}}}")}</annotation>'
    return f"{start}<semantics>{content.removesuffix(_END)}{note}</semantics>{_END}"


def _attributes(call: TagCall, display: str) -> dict[str, str]:
    checked = checked_attributes(call.attributes, "span")
    allowed = {name: checked[name] for name in ("id",) if name in checked}
    css = f"mwe-math-element mwe-math-element-{display or _INLINE}"
    item = trim(call.attributes.get("qid", ""))
    if item[:1] == "Q" and item[1:].isascii() and item[1:].isdigit():
        allowed["data-qid"] = item
    return {"class": css, **allowed}


def _source(source: str, display: str) -> str:
    element, place = ("div", "display") if display == _BLOCK else ("span", "inline")
    text = escape_text(f"$ {source} $")
    css = f"mwe-math-fallback-source-{place} tex"
    return f'<{element} class="{css}" dir="ltr">{text}</{element}>'


def _failure(call: TagCall, source: str, error: FormulaError) -> str:
    data = isinstance(error, RejectedFormula)
    reason = error.params[0] if data else call.state.messages.text(error.key, *error.params)
    text = escape_text(call.state.messages.text("math-failure", reason, source))
    return f'<strong class="error texerror">{text}</strong>'


DECLARATIONS = (ExtensionTag("math", math), ExtensionTag("chem", chem))
