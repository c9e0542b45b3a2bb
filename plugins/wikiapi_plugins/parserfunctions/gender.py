"""``{{gender:user|he|she|they}}``: the form of a word that goes with a user."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.store import users
from wikiapi.title.namespaces import USER
from wikiapi.wikitext.declarations import ParserFunction

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.call import FunctionCall

_POSITIONS = {"male": 0, "female": 1}


def gender(call: FunctionCall) -> str:
    """The form by what the user has said of themself; the third, or the first, if nothing."""
    forms = call.args[1:]
    if len(forms) < 2:
        return forms[0] if forms else ""
    neutral = 2 if len(forms) > 2 else 0
    return forms[min(_POSITIONS.get(_gender(call), neutral), len(forms) - 1)]


def _gender(call: FunctionCall) -> str:
    title = call.site.titles.try_parse(call.first, USER)
    if title is None or title.ns != USER:
        return ""
    user = users.by_names(call.site.db, [title.text]).get(title.text)
    if user is None:
        return ""
    return users.properties(call.site.db, [user.user_id], "gender").get(user.user_id) or ""


DECLARATIONS = (ParserFunction("gender", gender),)
