"""Text from the command line, which may be bytes of any kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    _TextType = click.ParamType[str]
else:
    _TextType = click.ParamType  # generic since click 8.5 only


class Text(_TextType):
    """Text in UTF-8. Other bytes come from the shell as lone surrogates, which cannot be sent."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(value)
        try:
            text.encode()
        except UnicodeEncodeError:
            self.fail(f"{text!r} is no UTF-8", param, ctx)
        return text


TEXT = Text()
