"""Help texts in the forms that a client may request (``helpformat``).

The texts are the docstrings and the ``help`` of the declarations; in them, ````word```` marks text
to be typed literally.
"""

from __future__ import annotations

import html
import inspect
import re
from dataclasses import dataclass
from typing import Any

from wikiapi.api import Arr, Condition, Module, Obj, Param

NONE, RAW, HTML, WIKITEXT = "none", "raw", "html", "wikitext"
FORMS = (HTML, WIKITEXT, RAW, NONE)
_TYPED = re.compile("``(.+?)``")
_LIST_ITEM = "\n;{}:{}"


@dataclass(frozen=True)
class Text:
    """A help text.

    Attributes:
        key: the message key, which is the text in raw form.
        params: the parameters of the message.
        paragraphs: the text itself.
        values: explained values of a parameter, each with its explanation.
    """

    key: str
    params: tuple[str, ...]
    paragraphs: tuple[str, ...]
    values: tuple[tuple[str, str], ...] = ()

    def in_form(self, form: str) -> str | Arr:
        """Return the text in a form other than ``none``; in raw form it is a list of messages."""
        if form == RAW:
            messages = [self.raw()]
            for value, _ in self.values:
                key = f"{self.key.replace('-param-', '-paramvalue-')}-{value}"
                params = Arr((*self.params, value), "param")
                messages.append(Obj({"key": key, "params": params, "forvalue": value}))
            return Arr(messages, "msg")
        return self.html() if form == HTML else self.wikitext()

    def raw(self) -> Obj:
        """Return the message key and the parameters of the text."""
        return Obj({"key": self.key, "params": Arr(self.params, "param")})

    def html(self) -> str:
        """Return the text as HTML; a single paragraph is not wrapped in an element."""
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
    """Return a text as HTML that is also valid wikitext."""
    return _TYPED.sub(r"<kbd>\1</kbd>", html.escape(text, quote=False))


def module_text(module: type[Module], path: str) -> Text:
    """Return the description of a module, which is its docstring."""
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
    """Return the text that says when a parameter may be used."""
    params = (module.prefix, *map(str, condition.values))
    return Text(f"apihelp-{path}-paraminfo-{condition.name}", params, (condition.help,))


def example_text(module: type[Module], path: str, number: int, text: str) -> Text:
    """Return the description of an example; ``number`` counts from 1."""
    params = (module.prefix, module.name, path)
    return Text(f"apihelp-{path}-example-{number}", params, (text,))


def value_in_form(text: Text, form: str) -> Any:
    """Return a text in a form; in raw form it is a single message rather than a list."""
    return text.raw() if form == RAW else text.in_form(form)
