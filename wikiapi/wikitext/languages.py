"""Which interwiki prefixes stand for languages, and what languages are called."""

from __future__ import annotations

from wikiapi.i18n.languages import cldr_locale, is_language_code
from wikiapi.memoize import memoize


def is_language(prefix: str) -> bool:
    """Return whether an interwiki prefix is a language code that has a name."""
    return bool(autonym(prefix))


@memoize(1024)
def autonym(code: str) -> str:
    """A language's name in itself, empty for what is no language code known to CLDR."""
    if not is_language_code(code):
        return ""
    locale = cldr_locale(code)
    return (locale and locale.get_display_name(locale)) or ""
