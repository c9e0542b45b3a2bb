"""Errors and warnings in the requested ``errorformat``.

``bc`` is the original format, with one ``error`` object and warnings grouped by module. The others
list every error and warning with its code, module and text.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from wikiapi.api.context import ANNOUNCE_LIST, RequestContext, Warned
from wikiapi.api.result import Arr, Obj
from wikiapi.errors import ApiError, ApiErrors, BudgetExceeded, StoreError
from wikiapi.languages.catalog import unknown_text
from wikiapi.languages.message import (
    Duration,
    ListOf,
    Message,
    MessageParam,
    Num,
    Plain,
    Raw,
    Template,
)

BC = "bc"
PLAINTEXT = "plaintext"
FORMATS = (PLAINTEXT, "wikitext", "html", "raw", "none", BC)


class ErrorFormatter:
    """Adds the errors and warnings of a request to its result."""

    def __init__(self, context: RequestContext, form: str | None = None) -> None:
        """Use the error language and format of the request; ``form`` overrides the format."""
        self._context = context
        self._messages = context.site.messages
        self._language = context.error_language
        self._form = form or context.error_format
        self._local: Mapping[str, str] = {}

    def add_errors(self, error: ApiError | ApiErrors, module: str) -> None:
        """Add an error to the result, which should be empty otherwise.

        Errors that look the same are listed once.
        """
        errors = error.errors if isinstance(error, ApiErrors) else [error]
        self._load_local(error.message for error in errors)
        root = self._context.result.root
        if self._form == BC:
            root["error"] = self._bc_error(errors[0])
            return
        entries = [self._entry(e.message, e.code, module, e.data) for e in errors]
        root["errors"] = Arr(_unique(entries), "error")
        self._add_docref(root)

    def add_warnings(self) -> None:
        """Add the warnings collected so far to the result."""
        warnings = self._context.warnings
        if not warnings:
            return
        self._load_local(warned.message for warned in warnings)
        root = self._context.result.root
        if self._form == BC:
            root["warnings"] = self._bc_warnings(warnings)
            return
        root["warnings"] = Arr(
            (
                self._entry(w.message, w.code or code_of(w.message), w.module, w.data)
                for w in warnings
            ),
            "warning",
        )

    def reason(self, message: Message) -> str | Obj:
        """Return a message for the data of an answer: its text, or an object if codes are shown."""
        return self._plain(message) if self._form == BC else self._coded(message, code_of(message))

    def problems(self, errors: Sequence[Message], warnings: Sequence[Message]) -> Obj:
        """Return the errors and warnings of one item of an answer.

        Empty lists are left out, unless the messages are in the old format.
        """
        lists = {"errors": (errors, "error"), "warnings": (warnings, "warning")}
        return Obj(
            {
                name: self.listed(messages, kind)
                for name, (messages, kind) in lists.items()
                if messages or self._form == BC
            }
        )

    def listed(self, messages: Iterable[Message], kind: str = "error") -> Arr:
        """Return a list of messages for the data of an answer that is not an error.

        ``kind`` is ``error`` or ``warning``. Messages that look the same are listed once.
        """
        if self._form == BC:
            items = [
                Obj(
                    {
                        "message": message.key,
                        "params": Arr(raw_params(message.params), "param"),
                        "code": code_of(message),
                        "type": kind,
                    }
                )
                for message in messages
            ]
        else:
            items = [Obj(self._rendered(m) | {"code": code_of(m)}) for m in messages]
        return Arr(_unique(items), kind)

    def _bc_error(self, error: ApiError) -> Obj:
        error_object = Obj(
            {"code": error.code, "info": self._plain(error.message), **error.data}, content="docref"
        )
        self._add_docref(error_object)
        return error_object

    def _bc_warnings(self, warnings: list[Warned]) -> Obj:
        by_module: dict[str, dict[str, None]] = {}
        for warned in warnings:
            name = warned.module.rpartition("+")[2]
            by_module.setdefault(name, {})[self._plain(warned.message)] = None
        return Obj(
            (name, Obj({"warnings": "\n".join(texts)}, content="warnings"))
            for name, texts in by_module.items()
        )

    def _entry(self, message: Message, code: str, module: str, data: Any) -> Obj:
        entry = self._coded(message, code)
        if data:
            entry["data"] = Obj(data)
        entry["module"] = module
        return entry

    def _coded(self, message: Message, code: str) -> Obj:
        entry = Obj({"code": code}, content=self._form if self._form == "html" else "text")
        entry |= self._rendered(message)
        return entry

    def _load_local(self, messages: Iterable[Message]) -> None:
        """Look up the texts that the wiki has customised, if the request asks for them."""
        context = self._context
        if context.use_database_texts and self._form != BC:
            keys = dict.fromkeys(message.key for message in messages)
            self._local = context.site.messages.stored(keys, self._language)

    def _rendered(self, message: Message) -> dict[str, Any]:
        match self._form:
            case "none":
                return {}
            case "raw":
                return {"key": message.key, "params": Arr(raw_params(message.params), "param")}
            case "html":
                return {"html": self._html(message)}
            case "wikitext":
                return {"text": self._wikitext(message)}
            case _:
                return {"text": self._plain(message)}

    def _add_docref(self, node: Obj) -> None:
        messages = (
            Message("api-usage-docref", (self._context.site.script_url,)),
            Message("api-usage-mailinglist-ref", (ANNOUNCE_LIST,)),
        )
        node["docref"] = " ".join(map(self._wikitext, messages))
        if node.content is None:
            node.content = "docref"

    def _plain(self, message: Message) -> str:
        template = self._template(message)
        if template is None:
            return unknown_text(message.key)
        return self._filled(template._replace(text=without_markup(template.text)), message)

    def _wikitext(self, message: Message) -> str:
        template = self._template(message)
        return unknown_text(message.key) if template is None else self._filled(template, message)

    def _html(self, message: Message) -> str:
        template = self._template(message)
        if template is None:
            return unknown_text(message.key)
        try:
            return self._messages.render(template, message)
        except (BudgetExceeded, StoreError):
            return html.escape(self._plain(message), quote=False)

    def _template(self, message: Message) -> Template | None:
        local = self._local.get(message.key)
        if local is not None:
            return Template(local, self._language)
        return self._messages.default(message.key, self._language)

    def _filled(self, template: Template, message: Message) -> str:
        try:
            return self._messages.fill(template, message)
        except (BudgetExceeded, StoreError):
            # Which may be the error that is to be written.
            return self._messages.catalog.fill(template, message)


_QUOTING = re.compile(r"</?(?:var|kbd|samp|code)>")
_TAG = re.compile(r"</?[a-z][^<>]*>|'{2,3}")


def without_markup(text: str) -> str:
    """Return the text of a message without tags; those that mark names become quotes."""
    return html.unescape(_TAG.sub("", _QUOTING.sub('"', text)))


def raw_params(params: tuple[MessageParam, ...]) -> list[Any]:
    """Return message parameters as ``errorformat=raw`` shows them."""
    return [_raw_param(param) for param in params]


def _raw_param(param: MessageParam) -> Any:
    match param:
        case Plain(value):
            return {"plaintext": value}
        case Num(value):
            return {"num": value}
        case ListOf(values, kind):
            return {"list": [_raw_param(value) for value in values], "type": kind}
        case Duration(seconds):
            return {"duration": seconds}
        case Raw(value):
            return {"raw": value}
        case _:
            return param


_PREFIX = re.compile(r"(?:apierror|apiwarn|paramvalidator)-")
_CODES = {
    "badaccess-group0": "permissiondenied",
    "badaccess-groups": "permissiondenied",
    "autoblockedtext": "autoblocked",
    "blockedtext": "blocked",
    "blockedtext-composite": "blocked",
    "blockedtext-partial": "blocked",
    "cantcreateaccount-text": "blocked",
    "deleteprotected": "cantedit",
    "imagenocrossnamespace": "nonfilenamespace",
    "imagetypemismatch": "filetypemismatch",
    "markedaspatrollederror-noautopatrol": "noautopatrol",
    "movenologintext": "cantmove-anon",
    "movenotallowed": "cantmove",
    "movenotallowedfile": "cantmovefile",
    "namespaceprotected": "protectednamespace",
    "noname": "invaliduser",
    "ns-specialprotected": "unsupportednamespace",
    "protect-cantedit": "cantedit",
    "protectedinterface": "protectednamespace-interface",
    "protectedpagetext": "protectedpage",
    "titleprotected": "protectedtitle",
}
"""MediaWiki's API codes for messages that its user interface shows as well."""


def _unique(items: Iterable[Obj]) -> list[Obj]:
    """Return items in their order, each of them once."""
    unique: list[Obj] = []
    for item in items:
        unique += [] if item in unique else [item]
    return unique


def code_of(message: Message) -> str:
    """Return the code of an error or warning for which none is given.

    It is the message's key without its prefix, except for messages of the user interface.
    """
    return _CODES.get(message.key) or _PREFIX.sub("", message.key, count=1)
