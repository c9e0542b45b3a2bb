"""The main module, which handles the parameters that all actions share."""

from __future__ import annotations

from wikiapi.api.context import CacheMode
from wikiapi.api.errorformat import FORMATS
from wikiapi.api.module import Action
from wikiapi.api.params.declaration import boolean, enum, integer, string, user
from wikiapi.api.params.types import unknown_value
from wikiapi.api.permissions import check_token, read_only, require_posted
from wikiapi.api.registries import registries
from wikiapi.errors import ApiError
from wikiapi.languages.codes import is_language_code
from wikiapi.languages.message import Message, Num, Plain, plain_list
from wikiapi.site import Site
from wikiapi.texts import byte_length
from wikiapi.timestamps import compact, iso

_REQUEST_ID_BYTES = 255
_SHORTEST_RETRY = 5
"""Minimum of the header ``Retry-After``, in seconds."""
_PROMISE = "promise-non-write-api-action"
"""The header with which clients promise that a request does not write."""
_NOT_PROMISED = ("", "0")


def _actions(site: Site) -> tuple[str, ...]:
    return tuple(registries(site).actions)


def _formats(site: Site) -> tuple[str, ...]:
    return tuple(registries(site).formats)


class Main(Action):
    """The parameters that every request takes."""

    name = "main"
    needs_read = False
    params = (
        enum("action", choices=_actions, default="help", submodules=True,
             help="Which action to perform."),
        enum("format", choices=_formats, default="jsonfm", submodules=True,
             help="The format of the output."),
        integer("maxlag", "Fail if the database lags by more seconds than this."),
        integer("smaxage", "Seconds for which shared caches may store the answer.",
                minimum=0, default=0),
        integer("maxage", "Seconds for which the client may store the answer.",
                minimum=0, default=0),
        enum("assert", "anon", "bot", "temp", "user", help="Fail unless the user is of this kind."),
        user("assertuser", "Fail unless the user has this name.", kinds=("name", "temp")),
        string("requestid", "Any text, which is included in the answer."),
        boolean("servedby", "Include the name of the host that answered."),
        boolean("curtimestamp", "Include the current time."),
        boolean("responselanginfo", "Include the languages used for texts and errors."),
        string("origin", "The origin of a cross-domain request; ``*`` for an anonymous one."),
        boolean("crossorigin", "Allow a cross-domain request without a session cookie."),
        string("uselang", "Language of texts: a code, ``user`` or ``content``.", default="user"),
        string("variant", "Language variant, if the language has any."),
        enum("errorformat", *FORMATS, default="bc", help="The format of errors and warnings."),
        string("errorlang", "Language of errors and warnings: a code, ``user``, ``content`` or "
               "``uselang`` for the language of texts.", default="uselang"),
        boolean("errorsuselocal", "Use texts customised on the wiki in errors."),
    )  # fmt: skip

    @classmethod
    def place(cls) -> str:
        return ""

    def prepare(self) -> None:
        """Set the language, error format and cache mode; called before anything can fail.

        Errors about parameters of the main module have the id of the request and the time, too.
        """
        request, root = self.context.request.params, self.result.root
        form = request.get("errorformat", "bc")
        if form in FORMATS:
            self.context.error_format = form
        self.context.use_database_texts = "errorsuselocal" in request
        self.context.variant = request.get("variant", "")
        self.context.language = self._language(request.get("uselang", "user"))
        code = request.get("errorlang", "uselang")
        if self.context.error_format == "bc":
            self.context.error_language = "en"
        elif code == "uselang":
            self.context.error_language = self.context.language
        else:
            self.context.error_language = self._language(code)
        # The cache mode decides whether the ages in the request apply.
        cache = self.context.cache
        cache.mode = CacheMode.PUBLIC
        if request.get("uselang", "user") == "user":
            cache.restrict(CacheMode.ANON_PUBLIC_USER_PRIVATE)
        if "requestid" in request and byte_length(request["requestid"]) <= _REQUEST_ID_BYTES:
            root["requestid"] = request["requestid"]
        if "servedby" in request and self.site.config.http.show_host_name:
            root["servedby"] = self.site.host_name
        if "curtimestamp" in request:
            root["curtimestamp"] = iso(compact(self.context.now))

    def execute(self) -> None:
        """Check the assertions, run the action, then warn about unknown parameters.

        Raises:
            ApiError: the request cannot be answered.
        """
        self._add_extras()
        fault = self.context.request.fault
        if fault is not None:
            # The format may be in the part that was not read. Such requests come from programs,
            # which do not expect HTML.
            self.context.default_format = "json"
            raise fault
        self._check_assertions()
        action = self._action()
        self._check_params(action)
        self._check_allowed(action)
        self._check_lag()
        self._check_method(action)
        # Last, so that clients get the errors that they would get from a writable wiki, and for
        # every action that writes, whatever plugin it is from.
        if action.is_write and (reason := self.site.read_only_reason):
            raise read_only(reason)
        self.context.cache.restrict(action.cache_mode())
        self.context.running = action.path()
        action.execute()
        self.context.running = self.path()
        action.notify_executed()
        request = self.context.request
        for name in sorted(request.array_names - request.params.keys()):
            if name in self.context.used_params:
                self.warn("apiwarn-unsupportedarray", Plain(name))
        self.context.used_params |= registries(self.site).format_params
        unused = [name for name in request.params if name not in self.context.used_params]
        if unused:
            params = (plain_list(unused, "comma"), Num(len(unused)))
            self.warn("apierror-unrecognizedparams", *params, code="unrecognizedparams")
        if self.result.truncated:
            message = Message("apiwarn-truncatedresult", (Num(self.result.limit),))
            self.context.warn("result", message)

    def _action(self) -> Action:
        name, actions = self.p.text("action"), registries(self.site).actions
        if name not in actions:
            raise unknown_value("action", name, tuple(actions))
        action = actions[name](self.context)
        self.context.default_format = action.default_format or self.context.default_format
        return action

    def _check_params(self, action: Action) -> None:
        """Check an action's parameters, whose errors precede all others."""
        self.context.running = action.path()
        values = action.p
        if action.needs_token:
            try:
                check_token(
                    self.context, action.needs_token, action.full("token"), values.text("token")
                )
            except ApiError:
                action.explain_bad_token()
                raise
        self.context.running = self.path()

    def _check_allowed(self, action: Action) -> None:
        if action.requires_read() and not self.context.user.can("read"):
            raise ApiError("readapidenied", "apierror-readapidenied")
        if not action.is_write:
            return
        if self.context.request.headers.get(_PROMISE, "") not in _NOT_PROMISED:
            raise ApiError("promised-nonwrite-api", "apierror-promised-nonwrite-api")
        if reason := self.site.config.site.read_only:
            raise read_only(reason)

    def _check_method(self, action: Action) -> None:
        if action.must_be_posted and not self.context.request.is_posted:
            message = Message("apierror-mustbeposted", (Plain(action.name),))
            raise ApiError("mustbeposted", message)
        if action.must_be_posted:
            params = action.param_set(self.site, action.actual_prefix)
            require_posted(self.context, params.sensitive)

    def _check_assertions(self) -> None:
        user = self.context.user
        match self.p.text_or_none("assert"):
            case "anon" if not user.is_anonymous:
                raise ApiError("assertanonfailed", "apierror-assertanonfailed")
            case "user" if user.is_anonymous:
                raise ApiError("assertuserfailed", "apierror-assertuserfailed")
            case "temp":
                raise ApiError("asserttempfailed", "apierror-asserttempfailed")
            case "bot" if not user.can("bot"):
                raise ApiError("assertbotfailed", "apierror-assertbotfailed")
        named = self.p.text_or_none("assertuser")
        if named is not None and (user.is_anonymous or named != user.name):
            message = Message("apierror-assertnameduserfailed", (Plain(named),))
            raise ApiError("assertnameduserfailed", message)

    def _check_lag(self) -> None:
        """Check ``maxlag`` against the replica that lags most; a store without any never lags."""
        accepted = self.p.number_or_none("maxlag")
        if accepted is None:
            return
        lag = int(max(filter(None, self.db.lags()), default=0))
        if accepted >= lag:
            return
        host = self.site.host_name
        seconds = max(accepted, _SHORTEST_RETRY)
        self.context.headers += [("Retry-After", str(seconds)), ("X-Database-Lag", str(lag))]
        message = Message("apierror-maxlag-generic", (Num(lag),))
        if self.site.config.http.show_host_name:
            message = Message("apierror-maxlag", (Num(lag), Plain(host)))
        raise ApiError("maxlag", message, data={"host": host, "lag": lag, "type": "db"})

    def _language(self, code: str) -> str:
        if code == "user":
            user, written = self.context.user, self.site.parser.content_converter
            # Visitors without an account read the wiki in a variant of its language.
            variant = written.find(self.context.variant) if written and user.is_anonymous else None
            code = user.options.get("language") or variant or code
        if code in ("user", "content") or not is_language_code(code):
            return self.site.language
        return code

    def _add_extras(self) -> None:
        root, p = self.result.root, self.p
        self.context.cache.max_age = p.number("maxage")
        self.context.cache.shared_max_age = p.number("smaxage")
        if p.is_given("requestid"):
            text = p.text("requestid")
            if len(text.encode()) > _REQUEST_ID_BYTES:
                message = Message("apierror-requestid-toolong", (Num(_REQUEST_ID_BYTES),))
                raise ApiError("badvalue", message)
            root["requestid"] = text
        if p.flag("responselanginfo"):
            root["uselang"] = self.context.language
            root["errorlang"] = self.context.error_language
