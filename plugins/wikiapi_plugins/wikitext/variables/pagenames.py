"""Variables for parts of the page's name. Their parser functions are in ``parserfunctions``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

from wikiapi.title import Title, TitleCodec, quote_title
from wikiapi.wikitext import ParseState, Variable, escape_wikitext


def _base(title: Title, titles: TitleCodec) -> str:
    return title.text.rpartition("/")[0] or title.text if title.namespace.subpages else title.text


def _sub(title: Title, titles: TitleCodec) -> str:
    return title.text.rpartition("/")[2] or title.text if title.namespace.subpages else title.text


def _root(title: Title, titles: TitleCodec) -> str:
    return title.text.partition("/")[0] or title.text if title.namespace.subpages else title.text


def _talk(title: Title, titles: TitleCodec) -> str:
    talk = titles.talk(title)
    return talk.prefixed_text if talk else ""


def _talk_space(title: Title, titles: TitleCodec) -> str:
    talk = titles.namespaces.talk(title.namespace)
    return talk.name if talk else ""


PARTS: Mapping[str, Callable[[Title, TitleCodec], str]] = MappingProxyType(
    {
        "PAGENAME": lambda title, titles: title.text,
        "FULLPAGENAME": lambda title, titles: title.prefixed_text,
        "BASEPAGENAME": _base,
        "SUBPAGENAME": _sub,
        "ROOTPAGENAME": _root,
        "TALKPAGENAME": _talk,
        "SUBJECTPAGENAME": lambda title, titles: titles.subject(title).prefixed_text,
        "NAMESPACE": lambda title, titles: title.namespace.name,
        "TALKSPACE": _talk_space,
        "SUBJECTSPACE": lambda title, titles: titles.namespaces.subject(title.namespace).name,
    }
)
"""Functions that return a part of a title, by name of the variable."""
ALIASES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "SUBJECTPAGENAME": ("ARTICLEPAGENAME",),
        "SUBJECTPAGENAMEE": ("ARTICLEPAGENAMEE",),
        "SUBJECTSPACE": ("ARTICLESPACE",),
        "SUBJECTSPACEE": ("ARTICLESPACEE",),
    }
)


def encoded(text: str) -> str:
    """Return a name encoded for a URL."""
    return quote_title(text.replace(" ", "_"))


def _value(part: Callable[[Title, TitleCodec], str], state: ParseState) -> str:
    return escape_wikitext(part(state.title, state.site.titles), state.link_rules)


def _encoded_value(part: Callable[[Title, TitleCodec], str], state: ParseState) -> str:
    name = encoded(part(state.title, state.site.titles))
    return escape_wikitext(name, state.link_rules)


def _words() -> list[Variable]:
    words = []
    for name, part in PARTS.items():
        words.append(Variable(name, partial(_value, part), ALIASES.get(name, ())))
        name = f"{name}E"
        words.append(Variable(name, partial(_encoded_value, part), ALIASES.get(name, ())))
    return words


DECLARATIONS = (
    *_words(),
    Variable("NAMESPACENUMBER", lambda state: str(state.title.ns)),
)
