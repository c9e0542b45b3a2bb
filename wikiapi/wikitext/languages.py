"""Which interwiki prefixes stand for languages, and what languages are called."""

from __future__ import annotations

from functools import lru_cache

from babel import Locale, UnknownLocaleError


class Languages:
    """Languages as interwiki prefixes."""

    def is_language(self, prefix: str) -> bool:
        """Whether a prefix is a language code that has a name."""
        return bool(autonym(prefix))


@lru_cache(maxsize=1024)
def autonym(code: str) -> str:
    """A language's name in itself, empty for what is no language code known to CLDR."""
    if not code.replace("-", "").isascii() or not code.replace("-", "").isalnum():
        return ""
    try:
        locale = Locale.parse(code.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return ""
    name = locale.get_display_name(locale) or ""
    return name[:1].upper() + name[1:] if code == "de" else name


@lru_cache(maxsize=256)
def text_direction(code: str) -> str:
    """``rtl`` for languages written from right to left, else ``ltr``."""
    try:
        return Locale.parse(code.replace("-", "_")).text_direction
    except (UnknownLocaleError, ValueError):
        return "ltr"
