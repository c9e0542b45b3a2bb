"""Pages of style sheets: shown as source, and checked before they are saved."""

from __future__ import annotations

from wikiapi.errors import ApiError
from wikiapi.i18n import Plain
from wikiapi.title import Title
from wikiapi.wikitext import ContentModel, Parser
from wikiapi_plugins.extensions.templatestyles.sheet import problems
from wikiapi_plugins.wikitext.contentmodels.code import Code


def saved(_: Parser, text: str, __: Title) -> str:
    """Return the text of a sheet.

    Raises:
        ApiError: the sheet contains something that is not allowed; the first is reported.
    """
    for problem in problems(text):
        key = f"templatestyles-error-{problem.code}"
        raise ApiError.of(key, key, problem.line, problem.column, Plain(problem.name))
    return text


DECLARATION = ContentModel(
    "sanitized-css", ("text/css",), Code("css", "mw-code mw-css").render, saved=saved
)
