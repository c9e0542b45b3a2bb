"""``action=scribunto-console``: evaluates Lua code with access to a module."""

from __future__ import annotations

from dataclasses import replace

from wikiapi.api import Action, boolean, integer, string, text, valid_title
from wikiapi.title import Title
from wikiapi.wikitext import ParserOptions, notify_rendering_ended
from wikiapi_plugins.extensions.scribunto.consoles import MAX_SIZE, Console
from wikiapi_plugins.extensions.scribunto.errors import ScriptError, details_html, error_text
from wikiapi_plugins.extensions.scribunto.invoke import SESSION, find_invoker

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

    def execute(self) -> None:
        """Evaluate the question, and add it to the console if it succeeds."""
        title = valid_title(self.site, self.p["title"] or "")
        invoker = find_invoker(self.site)
        stored = invoker.consoles.get(self.p["session"])
        console = stored or invoker.consoles.new()
        if self.p["clear"]:
            console = replace(console, questions=())
        if self.p["content"] is not None:
            console = replace(console, content=self.p["content"])
        data = self._evaluate(title, console)
        if data["type"] == "normal":
            console = replace(console, questions=(*console.questions, self.p["question"]))
        if console.size <= MAX_SIZE:
            invoker.consoles.store(console)
        data |= {"session": console.id, "sessionSize": console.size, "sessionMaxSize": MAX_SIZE}
        if stored is None:
            data["sessionIsNew"] = True
        for name, value in data.items():
            self.result.set((), name, value)

    def _evaluate(self, title: Title, console: Console) -> dict[str, object]:
        """Return the fields of the answer: the value and the output, or the error."""
        question: str = self.p["question"]
        options = ParserOptions(limit_report=False, language=self.context.language)
        state = self.site.parser.new_state(title, options)
        try:
            if console.size + len(question.encode("utf-8", "replace")) > MAX_SIZE:
                raise ScriptError(_TOO_LARGE)
            text, printed = state.plugin(SESSION).evaluate(
                *(title, console.content),
                *(state.messages.text("scribunto-console-code"), console.code(question)),
            )
            return {"type": "normal", "print": printed, "return": text}
        except ScriptError as error:
            message = error_text(error, self.site)
            html = details_html(message, error.trace, state)
            return {"type": "error", "html": html, "message": message, "messagename": error.key}
        finally:
            notify_rendering_ended(state)
