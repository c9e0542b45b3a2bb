"""``action=scribunto-console``: Lua beside a module, question by question."""

from __future__ import annotations

from dataclasses import replace

from wikiapi.api import Action, boolean, integer, string, text
from wikiapi.errors import ApiError
from wikiapi.title import Title
from wikiapi.wikitext import ParserOptions, ParseState
from wikiapi_plugins.extensions.scribunto.consoles import MAX_SIZE, Console
from wikiapi_plugins.extensions.scribunto.errors import ScriptError, details
from wikiapi_plugins.extensions.scribunto.invoke import FUNCTION, Invoker

_TOO_LARGE = "scribunto-console-too-large"


class ScribuntoConsole(Action):
    """Evaluate Lua beside a module, as the console of a module's editor does.

    The module's value is ``p``; ``print`` and ``mw.log`` print; a question that begins with ``=``
    is an expression. A console is kept for an hour in the process that answered, with the module
    and the questions it was sent: they are evaluated again before each new one, all of them within
    the limits of one page.
    """

    name = "scribunto-console"
    is_internal = True
    params = (
        string("title", "Title that the module goes by."),
        text("content", "Text of the module; without it the one that the console has already."),
        integer("session", "Number of the console, from an earlier answer."),
        text("question", "What to evaluate.", required=True),
        boolean("clear", "Forget what the console was asked before."),
    )
    examples = (
        (
            "action=scribunto-console&title=Module:Sandbox&content=return%20{a=1}&question==p.a",
            "Ask a module for one of its values",
        ),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/Extension:Scribunto",)

    def execute(self) -> None:
        """Evaluate the question and remember it, unless it fails."""
        title = self._title()
        known = self._invoker.consoles.get(self.p["session"])
        console = self._asked(known or self._invoker.consoles.new())
        data = self._evaluated(title, console)
        if data["type"] == "normal":
            console = replace(console, questions=(*console.questions, self.p["question"]))
        if console.size <= MAX_SIZE:
            self._invoker.consoles.keep(console)
        data |= {"session": console.id, "sessionSize": console.size, "sessionMaxSize": MAX_SIZE}
        if known is None:
            data["sessionIsNew"] = True
        for name, value in data.items():
            self.result.set((), name, value)

    @property
    def _invoker(self) -> Invoker:
        declared = self.site.parser.registries.function(FUNCTION)
        if declared is None or not isinstance(declared.function, Invoker):
            raise LookupError(FUNCTION)
        return declared.function

    def _title(self) -> Title:
        name = self.p["title"] or ""
        title = self.site.titles.try_parse(name)
        if title is None or title.interwiki:
            raise ApiError.of("invalidtitle", "apierror-invalidtitle", name)
        return title

    def _asked(self, console: Console) -> Console:
        """The console as this request wants it."""
        if self.p["clear"]:
            console = replace(console, questions=())
        if self.p["content"] is not None:
            console = replace(console, content=self.p["content"])
        return console

    def _evaluated(self, title: Title, console: Console) -> dict[str, object]:
        options = ParserOptions(limit_report=False, language=self.context.language)
        parser = self.site.parser
        state = ParseState(parser, title, options, parser.loader())
        try:
            return self._answer(title, console, state)
        except ScriptError as error:
            return _problem(error, state)
        finally:
            self.site.plugins.hook.on_rendering_ended(state=state)

    def _answer(self, title: Title, console: Console, state: ParseState) -> dict[str, object]:
        question: str = self.p["question"]
        if console.size + len(question.encode("utf-8", "replace")) > MAX_SIZE:
            raise ScriptError(_TOO_LARGE)
        session = self._invoker.session(state)
        name = state.message("scribunto-console-code")
        text, printed = session.ask(title, console.content, name, console.code(question))
        return {"type": "normal", "print": printed, "return": text}


def _problem(error: ScriptError, state: ParseState) -> dict[str, object]:
    message = state.message(error.key, *error.params)
    html = details(message, error.trace, state)
    return {"type": "error", "html": html, "message": message, "messagename": error.key}
