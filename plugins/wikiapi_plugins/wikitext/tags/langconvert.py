"""``<langconvert from= to=>``: a text from one way to write a language into another.

Both ways must belong to one language. The two scripts of Serbian are converted here; what would
take a dictionary, as Chinese does, stays as it is, and a warning of the page says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from wikiapi.wikitext import ExtensionTag, TagCall
from wikiapi_plugins.facts import facts

_CYRILLIC = "абвгдђежзијклмнопрстћуфхцчшАБВГДЂЕЖЗИЈКЛМНОПРСТЋУФХЦЧШ"
_LATIN = "abvgdđežzijklmnoprstćufhcčšABVGDĐEŽZIJKLMNOPRSTĆUFHCČŠ"
_PAIRS = {"љ": "lj", "њ": "nj", "џ": "dž", "Љ": "Lj", "Њ": "Nj", "Џ": "Dž"}
_TO_LATIN = str.maketrans({**dict(zip(_CYRILLIC, _LATIN, strict=True)), **_PAIRS})
_TO_CYRILLIC = str.maketrans(_LATIN, _CYRILLIC)
_PAIR = re.compile("|".join(_PAIRS.values()), re.IGNORECASE)
_PAIRED = {latin.lower(): cyrillic for cyrillic, latin in _PAIRS.items() if cyrillic.islower()}


def _joined(match: re.Match[str]) -> str:
    letter = _PAIRED[match[0].lower()]
    return letter.upper() if match[0][0].isupper() else letter


def to_latin(text: str) -> str:
    """The text in Latin letters."""
    return text.translate(_TO_LATIN)


def to_cyrillic(text: str) -> str:
    """The text in Cyrillic letters; ``lj``, ``nj`` and ``dž`` are one letter each."""
    return _PAIR.sub(_joined, text).translate(_TO_CYRILLIC)


# Neither the markup nor what strip markers stand for is text.
_TEXT = re.compile("(?P<same><[^>]*+>?|&[^;\\s]{1,32};|\x7f[^\x7f]*+\x7f?)|[^<&\x7f]+|.", re.DOTALL)
_CONVERTERS: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {"sr-ec": to_cyrillic, "sr-el": to_latin, "sh-cyrl": to_cyrillic, "sh-latn": to_latin}
)


def langconvert(call: TagCall) -> str:
    """Return the content in the requested script."""
    source, target = (call.attributes.get(name, "").strip().lower() for name in ("from", "to"))
    if not _of_one_language(source, target):
        return f'<span class="error">{call.state.messages.text("invalid-langconvert-attrs")}</span>'
    html = call.parse(call.inner or "")
    if source == target:
        return html
    convert = _CONVERTERS.get(target)
    if convert is None:
        call.state.notices.warn("langconvert-unknown", source, target)
        return html
    return _TEXT.sub(lambda match: match["same"] or convert(match[0]), html)


def _of_one_language(source: str, target: str) -> bool:
    return any(source in ways and target in ways for ways in facts("languagevariants").values())


DECLARATION = ExtensionTag("langconvert", langconvert)
