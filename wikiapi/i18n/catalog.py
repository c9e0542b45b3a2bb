"""The message catalogue: texts by language and key, with fallback to other languages.

There is a JSON file for each language (``en.json``), an object with texts by key. ``$1`` is the
placeholder of a parameter. ``{{PLURAL:$1|one|other}}`` selects a form by CLDR's plural rules.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from wikiapi.i18n.languages import is_known_language, locale_of
from wikiapi.i18n.message import ListOf, Message, MessageParam, Num, Plain, Raw
from wikiapi.i18n.numbers import format_number
from wikiapi.memoize import memoize

_PARAMETER = re.compile(r"\$([1-9])")
_PLURAL = re.compile(r"\{\{PLURAL:([^|{}]*)\|([^{}]*)\}\}", re.IGNORECASE)
_CATEGORIES = ("zero", "one", "two", "few", "many", "other")
_ROOT_LANGUAGE = "en"


class Template(NamedTuple):
    """A text with placeholders, and its language."""

    text: str
    language: str


class MessageCatalog:
    """The texts of the interface, by language code and key."""

    def __init__(self, texts: Mapping[str, Mapping[str, str]]) -> None:
        """Use these texts, given as ``{language: {key: text}}``."""
        self._texts = texts

    @classmethod
    def load(cls, folders: Iterable[Path]) -> MessageCatalog:
        """Read every ``<language>.json`` in the folders; later folders override earlier ones."""
        texts: dict[str, dict[str, str]] = {}
        for folder in folders:
            for path in sorted(folder.glob("*.json")):
                loaded = json.loads(path.read_text(encoding="utf-8"))
                texts.setdefault(path.stem, {}).update(loaded)
        return cls(texts)

    def template(self, key: str, language: str) -> str | None:
        """Return the text of a key, with placeholders, in a language or its nearest fallback."""
        found = self.find(key, language)
        return found.text if found else None

    def find(self, key: str, language: str) -> Template | None:
        """Return the template of a key in a language or its nearest fallback."""
        for code in fallback_chain(language):
            text = self._texts.get(code, {}).get(key)
            if text is not None:
                return Template(text, code)
        return None

    def template_of_page(self, name: str, language: str) -> str | None:
        """Return the default text of a page in the MediaWiki namespace, or ``None``.

        Args:
            name: the name of the page, which can end in the code of another language, as in
                ``sidebar/de``.
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
        """Return a message as plain text, or ``⧼key⧽`` if the key is unknown.

        Plural forms and numbers are in the language of the text, which is a fallback language if
        there is no translation.
        """
        found = self.find(message.key, language)
        if found is None:
            return f"\u29fc{message.key}\u29fd"
        return fill(found.text, message.params, found.language)


def fill(template: str, params: tuple[MessageParam, ...], language: str) -> str:
    """Return a template with its plural forms resolved and its parameters inserted."""
    if "{{" in template:
        template = _PLURAL.sub(_plural_chooser(params, language), template)
    return _PARAMETER.sub(lambda match: _shown(params, int(match[1]), language, match[0]), template)


def _shown(params: tuple[MessageParam, ...], index: int, language: str, otherwise: str) -> str:
    return render_param(params[index - 1], language) if index <= len(params) else otherwise


def render_param(param: MessageParam, language: str) -> str:
    """Return a parameter as plain text."""
    match param:
        case Raw(value) | Plain(value):
            return value
        case Num(value):
            whole = isinstance(value, float) and value.is_integer()
            return format_number(str(int(value) if whole else value), language)
        case ListOf(values, kind):
            return join_list([render_param(value, language) for value in values], kind)
        case _:
            return str(param)


def join_list(parts: list[str], kind: str = "text") -> str:
    """Return a list as text (``a, b and c``), or with commas only for the kind ``comma``."""
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
    """Return CLDR's names of the plural forms of a language, in the order of the forms."""
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
    """Return the languages to try, in order: the code, its shorter prefixes, and English."""
    parts = language.split("-")
    chain = ["-".join(parts[:length]) for length in range(len(parts), 0, -1)]
    return tuple(dict.fromkeys([*chain, _ROOT_LANGUAGE]))
