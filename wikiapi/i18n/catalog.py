"""The message catalogue: texts by language and key, with fallback.

Files are JSON objects of key to text, one file per language (``en.json``). ``$1`` marks a
parameter and ``{{PLURAL:$1|one|other}}`` chooses a form by CLDR plural rules.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from wikiapi.i18n.languages import is_known_language, locale_of
from wikiapi.i18n.message import ListOf, Message, MessageParam, Num, Plain, Raw
from wikiapi.memoize import memoize

_PARAMETER = re.compile(r"\$([1-9])")
_PLURAL = re.compile(r"\{\{PLURAL:([^|{}]*)\|([^{}]*)\}\}", re.IGNORECASE)
_CATEGORIES = ("zero", "one", "two", "few", "many", "other")
_ROOT_LANGUAGE = "en"


class Template(NamedTuple):
    """A text with its placeholders, and the language that it is in."""

    text: str
    language: str


class MessageCatalog:
    """Texts of the interface, by language code and key."""

    def __init__(self, texts: Mapping[str, Mapping[str, str]]) -> None:
        """Take the texts as ``{language: {key: text}}``."""
        self._texts = texts

    @classmethod
    def load(cls, folders: Iterable[Path]) -> MessageCatalog:
        """Read every ``<language>.json`` of the folders; a later folder overrides earlier ones."""
        texts: dict[str, dict[str, str]] = {}
        for folder in folders:
            for path in sorted(folder.glob("*.json")):
                loaded = json.loads(path.read_text(encoding="utf-8"))
                texts.setdefault(path.stem, {}).update(loaded)
        return cls(texts)

    def template(self, key: str, language: str) -> str | None:
        """Return the text of a key with its placeholders in a language or the nearest fallback."""
        found = self.find(key, language)
        return found.text if found else None

    def find(self, key: str, language: str) -> Template | None:
        """Return the template of a key in a language or the nearest fallback."""
        for code in fallback_chain(language):
            text = self._texts.get(code, {}).get(key)
            if text is not None:
                return Template(text, code)
        return None

    def template_of_page(self, name: str, language: str) -> str | None:
        """Return the built-in text of a page of the MediaWiki namespace, else ``None``.

        Args:
            name: the page's name, with the code of a language as its last subpage if the text is
                not that of ``language``: ``sidebar/de``.
            language: the content language of the wiki.
        """
        key, slash, code = name.replace(" ", "_").rpartition("/")
        if not slash or not is_known_language(code):
            key, code = name.replace(" ", "_"), language
        return self.template(key[:1].lower() + key[1:], code)

    def keys(self, language: str = _ROOT_LANGUAGE) -> Iterable[str]:
        """Return all keys that have a text in a language."""
        return self._texts.get(language, {}).keys()

    def text(self, message: Message, language: str) -> str:
        """Return the message as plain text; that of an unknown key is ``⧼key⧽``.

        Plural forms and numbers are those of the language that the text is in, which is another one
        where a translation is missing.
        """
        found = self.find(message.key, language)
        if found is None:
            return f"\u29fc{message.key}\u29fd"
        return fill(found.text, message.params, found.language)


def fill(template: str, params: tuple[MessageParam, ...], language: str) -> str:
    """Put the parameters into a template in a language, then resolve its plural forms."""
    if "{{" in template:
        template = _PLURAL.sub(_plural_chooser(params, language), template)
    return _PARAMETER.sub(lambda match: _shown(params, int(match[1]), language, match[0]), template)


def _shown(params: tuple[MessageParam, ...], index: int, language: str, otherwise: str) -> str:
    return render_param(params[index - 1], language) if index <= len(params) else otherwise


def render_param(param: MessageParam, language: str) -> str:
    """Return one parameter as plain text."""
    match param:
        case Raw(value) | Plain(value):
            return value
        case Num(value):
            return format_number(value, language)
        case ListOf(values, kind):
            return join_list([render_param(value, language) for value in values], kind)
        case _:
            return str(param)


def format_number(value: float, language: str) -> str:
    """Return a number with the grouping of a language's CLDR data."""
    from babel.numbers import format_decimal

    return format_decimal(value, locale=locale_of(language))


def join_list(parts: list[str], kind: str = "text") -> str:
    """Join as running text (``a, b and c``), or with commas alone for the kind ``comma``."""
    if len(parts) < 2 or kind == "comma":
        return ", ".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def _plural_chooser(
    params: tuple[MessageParam, ...], language: str
) -> Callable[[re.Match[str]], str]:
    def choose(match: re.Match[str]) -> str:
        number = _PARAMETER.sub(lambda m: _number_of(params, int(m[1])), match[1]).strip()
        forms = match[2].split("|")
        return forms[min(plural_index(number, language), len(forms) - 1)]

    return choose


def _number_of(params: tuple[MessageParam, ...], index: int) -> str:
    if index > len(params):
        return "0"
    param = params[index - 1]
    match param:
        case Num(value) | Raw(value) | Plain(value):
            return str(value)
        case ListOf(values, _):
            return str(len(values))
        case _:
            return str(param)


def plural_categories(language: str) -> list[str]:
    """Return CLDR's names of the plural forms that a language has, in the order of the forms."""
    rules = locale_of(language).plural_form.rules
    return [name for name in _CATEGORIES if name in rules or name == "other"]


def plural_index(number: str, language: str) -> int:
    """Return the index of a number's plural form among the forms of its language."""
    rule, present = locale_of(language).plural_form, plural_categories(language)
    try:
        return present.index(rule(float(number)))
    except ValueError:
        return len(present) - 1


@memoize(512)
def fallback_chain(language: str) -> tuple[str, ...]:
    """Return the languages to try, in order: the code, its ever shorter prefixes, English."""
    parts = language.split("-")
    chain = ["-".join(parts[:length]) for length in range(len(parts), 0, -1)]
    return tuple(dict.fromkeys([*chain, _ROOT_LANGUAGE]))
