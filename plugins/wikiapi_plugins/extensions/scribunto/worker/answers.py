"""Answers of the server that hold for every page, kept so that no page asks for them again."""

from __future__ import annotations

from typing import Any

from .literal import Literal

MAX_BYTES = 4 * 1024 * 1024
"""Bytes of questions and answers that are kept, about."""
_LONGEST = 256
_WORTH_COMPILING = 1024


class AnswerCache:
    """The answers of one process. Used by one thread; it holds no value of any Lua state."""

    def __init__(self) -> None:
        """Start empty."""
        self._answers: dict[str, Any] = {}
        self._size = 0

    @staticmethod
    def key(operation: str, arguments: list[Any]) -> str | None:
        """What a question is known by; ``None`` for one too long to be worth it.

        The way values are written tells apart what Python calls equal, as 1 and true.
        """
        if sum(len(each) for each in arguments if isinstance(each, str)) > _LONGEST:
            return None
        return repr((operation, arguments))

    def __contains__(self, key: object) -> bool:
        """Whether there is an answer."""
        return key in self._answers

    def __getitem__(self, key: str) -> Any:
        """The answer."""
        return self._answers[key]

    def keep(self, key: str, answer: Any) -> Any:
        """Keep an answer, and return it in the form it is kept in.

        When there is no room left it starts anew: what is asked often will be asked soon.
        """
        size = len(repr(answer))
        if size > MAX_BYTES:
            return answer
        if size > _WORTH_COMPILING and isinstance(answer, dict):
            answer = Literal(answer)
        if self._size + size > MAX_BYTES:
            self._answers.clear()
            self._size = 0
        self._answers[key] = answer
        self._size += len(key) + size
        return answer
