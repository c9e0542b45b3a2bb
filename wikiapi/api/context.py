"""The context of a request: its state while it is being answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum
from typing import Any

from wikiapi.accounts.user import Performer, Session, User
from wikiapi.api.request import ApiRequest
from wikiapi.api.result import Result
from wikiapi.budget import Budget
from wikiapi.languages.message import Message
from wikiapi.site import Site


class CacheMode(IntEnum):
    """Cache modes from private to public; the strictest one of all modules applies."""

    PRIVATE = 0
    ANON_PUBLIC_USER_PRIVATE = 1
    PUBLIC = 2


@dataclass(slots=True)
class CacheControl:
    """The cache policy of one answer. Ages are in seconds.

    ``is_of_module`` says that the action has chosen the ages, rather than the request.
    """

    mode: CacheMode = CacheMode.PRIVATE
    max_age: int = 0
    shared_max_age: int = 0
    is_of_module: bool = False

    def keep(self, seconds: int) -> None:
        """Set the ages for clients and shared caches, in place of those requested."""
        self.max_age = self.shared_max_age = seconds
        self.is_of_module = True

    def restrict(self, mode: CacheMode) -> None:
        """Make the mode at least as strict as ``mode``."""
        self.mode = min(self.mode, mode)

    def forbid(self) -> None:
        """Forbid caching of the answer, as is done for errors."""
        self.mode, self.max_age, self.shared_max_age = CacheMode.PRIVATE, 0, 0


DEFAULT_FORMAT = "jsonfm"
ANNOUNCE_LIST = (
    "https://lists.wikimedia.org/postorius/lists/mediawiki-api-announce.lists.wikimedia.org/"
)


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A line of the diagnostic log."""

    msg: str
    type: str
    caller: str


@dataclass(frozen=True, slots=True)
class Warned:
    """A warning about a module, which is given by its path (``query+info``).

    Error formats other than ``bc`` show a code, by default derived from the message's key, and
    data.
    """

    module: str
    message: Message
    code: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class RequestContext:
    """The state of one request while the API answers it."""

    site: Site
    request: ApiRequest
    user: User
    session: Session
    result: Result
    now: datetime
    language: str = "en"
    variant: str = ""
    error_language: str = "en"
    error_format: str = "bc"
    use_database_texts: bool = False
    cache: CacheControl = field(default_factory=CacheControl)
    warnings: list[Warned] = field(default_factory=list)
    log: list[LogEntry] = field(default_factory=list)
    used_params: set[str] = field(default_factory=set)
    headers: list[tuple[str, str]] = field(default_factory=list)
    """Extra response headers that modules add."""
    default_format: str = DEFAULT_FORMAT
    """The format of the answer when the request names none."""
    running: str = "main"
    """Path of the running module, to which errors are attributed."""
    budget: Budget | None = None
    """The budget of the request, which a streamed answer uses until its end."""

    @classmethod
    def of(
        cls, site: Site, request: ApiRequest, session: Session, user: User | None = None
    ) -> RequestContext:
        """Return the context of a request; without a user, it is a visitor's."""
        if user is None:
            rights = frozenset(site.config.permissions.anonymous_rights)
            user = User(request.remote_address, rights)
        result = Result(site.config.http.result_size_limit)
        return cls(site, request, user, session, result, site.clock())

    @property
    def performer(self) -> Performer:
        """The user, as the author of changes."""
        # As in PHP, an empty value is false like 0.
        marks_log_entries = self.request.params.get("bot") not in ("", "0")
        return Performer(self.site, self.user, self.request.remote_address, marks_log_entries)

    def warn(
        self,
        module: str,
        message: Message,
        code: str | None = None,
        data: Mapping[str, Any] | None = None,
    ) -> None:
        """Add a warning about a module, given by its path, unless it has been added already."""
        warned = Warned(module, message, code, data or {})
        if warned not in self.warnings:
            self.warnings.append(warned)

    def deprecate(self, module: str, message: Message, feature: str | None = None) -> None:
        """Add a warning about a deprecated feature, and a link to the list of announcements.

        ``feature`` is the deprecated part of the query string.
        """
        self.warn(module, message, "deprecation", {"feature": feature} if feature else None)
        announcement = Message("api-usage-mailinglist-ref", (ANNOUNCE_LIST,))
        self.warn("main", announcement, "deprecation-help")
