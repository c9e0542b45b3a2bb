"""Help texts in the forms that a client may request (``helpformat``).

The texts are the docstrings and the ``help`` of the declarations; in them, ````word```` marks what
is to be typed as it stands.
"""

from __future__ import annotations

import html
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from wikiapi.api import Arr, Condition, Module, Obj, Param

NONE, RAW, HTML, WIKITEXT = "none", "raw", "html", "wikitext"
FORMS = (HTML, WIKITEXT, RAW, NONE)
_TYPED = re.compile("``(.+?)``")
_LIST_ITEM = "\n;{}:{}"


@dataclass(frozen=True)
class Text:
    """A help text: paragraphs, the key and parameters it has in raw form, and what values mean."""

    key: str
    params: tuple[str, ...]
    paragraphs: tuple[str, ...]
    values: tuple[tuple[str, str], ...] = ()

    def shown(self, form: str) -> str | Arr:
        """Return the text in a form other than none; in raw form a list of messages."""
        if form == RAW:
            return Arr([self.raw(), *self._raw_values()], "msg")
        return self.html() if form == HTML else self.wikitext()

    def raw(self) -> Obj:
        """Return the text as a message without words."""
        return Obj({"key": self.key, "params": Arr(self.params, "param")})

    def _raw_values(self) -> Iterator[Obj]:
        for value, _ in self.values:
            key = f"{self.key.replace('-param-', '-paramvalue-')}-{value}"
            params = Arr((*self.params, value), "param")
            yield Obj({"key": key, "params": params, "forvalue": value})

    def html(self) -> str:
        """Return the text as HTML; a single paragraph has no element around it."""
        parts = [marked_up(paragraph) for paragraph in self.paragraphs]
        body = parts[0] if len(parts) == 1 else "".join(f"<p>{part}\n</p>" for part in parts)
        if not self.values:
            return body
        items = (f"<dt>{marked_up(v)}</dt><dd>{marked_up(t)}</dd>" for v, t in self.values)
        return f"{body}<dl>{''.join(items)}</dl>"

    def wikitext(self) -> str:
        """Return the text as wikitext."""
        items = "".join(_LIST_ITEM.format(marked_up(v), marked_up(t)) for v, t in self.values)
        return "\n\n".join(map(marked_up, self.paragraphs)) + (f"\n{items}" if items else "")


def marked_up(text: str) -> str:
    """Return a text as HTML that is also wikitext."""
    return _TYPED.sub(r"<kbd>\1</kbd>", html.escape(text, quote=False))


def module_text(module: type[Module], path: str) -> Text:
    """Return the description of a module: its docstring."""
    paragraphs = (inspect.getdoc(module) or "").split("\n\n")
    return Text(
        f"apihelp-{path}-summary",
        (module.prefix, module.name, path),
        tuple(" ".join(paragraph.split()) for paragraph in paragraphs),
    )


def param_text(module: type[Module], path: str, param: Param) -> Text:
    """Return the description of a parameter."""
    key = f"apihelp-{path}-param-{param.name}"
    params = (module.prefix, param.name, module.name, path)
    return Text(key, params, (param.help,), param.value_help)


def condition_text(module: type[Module], path: str, condition: Condition) -> Text:
    """When a parameter may be used."""
    params = (module.prefix, *map(str, condition.values))
    return Text(f"apihelp-{path}-paraminfo-{condition.name}", params, (condition.help,))


def example_text(module: type[Module], path: str, number: int, text: str) -> Text:
    """Return the description of an example; ``number`` counts from 1."""
    params = (module.prefix, module.name, path)
    return Text(f"apihelp-{path}-example-{number}", params, (text,))


def shown_as_value(text: Text, form: str) -> Any:
    """Return a single text; in raw form it is a message rather than a list."""
    return text.raw() if form == RAW else text.shown(form)
