"""What the special pages with lists for maintenance have in common: one query each.

``list=querypage`` shows what they show. MediaWiki's SQLite layer hands numbers over as texts, and
so the answers have them.
"""

from __future__ import annotations

from functools import reduce
from operator import and_
from typing import Any

from wikiapi.api import Namespaces
from wikiapi.store.models import Page


def no_redirects(namespaces: Namespaces) -> Any:
    """Return a condition on pages."""
    return Page.page_namespace.in_(namespaces) & (Page.page_is_redirect == 0)


def all_of(*conditions: Any) -> Any:
    """Return the conditions as one."""
    return reduce(and_, conditions)
