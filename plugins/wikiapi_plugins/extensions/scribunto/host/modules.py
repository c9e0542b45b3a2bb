"""Modules and their source."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from wikiapi.title import Title
from wikiapi.title.contentmodel import default_model
from wikiapi.wikitext.expand.loader import TemplateText
from wikiapi_plugins.extensions.scribunto.errors import Refusal
from wikiapi_plugins.extensions.scribunto.host.basics import Operations

if TYPE_CHECKING:
    from wikiapi_plugins.extensions.scribunto.session import Session

MODEL = "Scribunto"


def used_text(session: Session, title: Title) -> TemplateText | None:
    """The text of a page, if it exists; either way the page counts as used, as a template does."""
    state = session.state
    found = state.template_text(title, state.root_frame())
    ids = (found.page_id, found.revision_id) if found else (0, 0)
    state.output.add_template(title, *ids)
    return found


def module_title(session: Session, name: str) -> Title | None:
    """The title of a module, which need not exist."""
    title = session.state.site.titles.try_parse(name)
    is_module = title and not title.interwiki and default_model(title) == MODEL
    return title if is_module else None


def module(session: Session, name: str) -> list[str] | None:
    """Title and digest of a module; ``None`` where there is none. It counts as used."""
    session.prefetch.note(name)
    title = module_title(session, name)
    if title:
        used_text(session, title)
    return described(session, title)


def described(session: Session, title: Title | None) -> list[str] | None:
    """Title and digest of a module, if it exists."""
    found = session.state.template_text(title, session.state.root_frame()) if title else None
    return [title.prefixed_text, session.memory.digest(found)] if title and found else None


def source(session: Session, name: str) -> list[str] | None:
    """Digest and text of a module."""
    title = module_title(session, name)
    found = used_text(session, title) if title else None
    return [session.memory.digest(found), found.text] if found else None


def json(session: Session, name: str) -> str:
    """The text of a page of JSON."""
    title = session.state.site.titles.try_parse(name)
    found = used_text(session, title) if title and not title.interwiki else None
    if found is None:
        raise Refusal(f"bad argument #1 to 'mw.loadJsonData' ('{name}' is not a valid JSON page)")
    return found.text


OPERATIONS: Operations = MappingProxyType({"module": module, "source": source, "json": json})
