"""Conditions that the maintenance reports share.

A report is one query, which ``list=querypage`` and a special page of MediaWiki show. Numbers are
strings in the answers, because MediaWiki's SQLite layer returns them as strings.
"""

from __future__ import annotations

from functools import reduce
from operator import and_
from typing import Any

from wikiapi.api import Namespaces
from wikiapi.store.models import Page


def no_redirects(namespaces: Namespaces) -> Any:
    """Return the condition that a page is in one of the namespaces and is no redirect."""
    return Page.page_namespace.in_(namespaces) & (Page.page_is_redirect == 0)


def all_of(*conditions: Any) -> Any:
    """Return the conjunction of the conditions."""
    return reduce(and_, conditions)
