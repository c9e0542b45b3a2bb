"""The fields to fill in to log in, to create an account and to change a password.

The fields have the names that MediaWiki gives them:
https://www.mediawiki.org/wiki/API:Authmanagerinfo
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from wikiapi.api import Arr, ErrorFormatter, Obj, RequestContext, code_of, require_posted
from wikiapi.languages import Message

_CLASSES = "MediaWiki\\Auth\\"
PASSWORD = f"{_CLASSES}PasswordAuthenticationRequest"
TEMPORARY = f"{_CLASSES}TemporaryPasswordAuthenticationRequest"
_USERNAME = f"{_CLASSES}UsernameAuthenticationRequest"
_USER_DATA = f"{_CLASSES}UserDataAuthenticationRequest"
_REMEMBER = f"{_CLASSES}RememberMeAuthenticationRequest"
_REASON = f"{_CLASSES}CreationReasonAuthenticationRequest"
_PRIMARY = "primary-required"


@dataclass(frozen=True, slots=True)
class Field:
    """A field to fill in; ``label`` and ``help`` are keys of messages."""

    name: str
    type: str
    label: str
    help: str
    optional: bool = False
    sensitive: bool = False


@dataclass(frozen=True, slots=True)
class AuthRequest:
    """Fields that belong together.

    ``required`` is ``required``, ``primary-required`` or ``optional``. ``provider`` is the key of
    the message with the provider's name; without one, the id of the request is shown as the names
    of provider and account.
    """

    id: str
    required: str
    fields: Sequence[Field]
    provider: str = ""
    account: str = ""


_NAME_FIELD = Field("username", "string", "userlogin-yourname", "authmanager-username-help")
_PASSWORD_FIELD = Field(
    "password", "password", "userlogin-yourpassword", "authmanager-password-help", sensitive=True
)
_NEW_PASSWORD_FIELD = Field(
    "password", "password", "newpassword", "authmanager-password-help", sensitive=True
)
_RETYPE_FIELD = Field(
    "retype", "password", "yourpasswordagain", "authmanager-retype-help", sensitive=True
)
_EMAIL_FIELD = Field(
    "email", "string", "authmanager-email-label", "authmanager-email-help", optional=True
)
_REAL_NAME_FIELD = Field(
    "realname", "string", "authmanager-realname-label", "authmanager-realname-help", optional=True
)
_REMEMBER_FIELD = Field(
    "rememberMe",
    "checkbox",
    "userlogin-remembermypassword",
    "authmanager-userlogin-remembermypassword-help",
    optional=True,
)
_REASON_FIELD = Field(
    "reason", "string", "createacct-reason", "createacct-reason-help", optional=True
)
_MAIL_FIELD = Field("mailpassword", "checkbox", "createaccountmail", "createaccountmail-help")
_PROVIDER = "authmanager-provider-password"
_BY_MAIL = "authmanager-provider-temporarypassword"


def requests_for(context: RequestContext, action: str) -> list[AuthRequest]:
    """Return the requests of an action; none if the wiki has no providers for it."""
    user = context.user
    match action:
        case "login":
            fields = (_NAME_FIELD, _PASSWORD_FIELD)
            return [
                AuthRequest(PASSWORD, _PRIMARY, fields, _PROVIDER),
                AuthRequest(_REMEMBER, "optional", (_REMEMBER_FIELD,)),
            ]
        case "create":
            own = (_NAME_FIELD, _PASSWORD_FIELD, _RETYPE_FIELD)
            has_mail, for_others = context.site.config.editing.email, not user.is_anonymous
            mail = (_EMAIL_FIELD,) if has_mail else ()
            mailed = AuthRequest(TEMPORARY, _PRIMARY, (_MAIL_FIELD,), _BY_MAIL)
            return [
                *([mailed] if has_mail and for_others else []),
                AuthRequest(PASSWORD, _PRIMARY, own, _PROVIDER),
                AuthRequest(_USERNAME, "required", (_NAME_FIELD,)),
                AuthRequest(_USER_DATA, "required", (*mail, _REAL_NAME_FIELD)),
                *([AuthRequest(_REASON, "optional", (_REASON_FIELD,))] if for_others else []),
            ]
        case "change":
            return [new_password_of("" if user.is_anonymous else user.name, _PRIMARY)]
        case "remove":
            name = "" if user.is_anonymous else user.name
            return [AuthRequest(TEMPORARY, _PRIMARY, (_MAIL_FIELD,), _BY_MAIL, name)]
    return []


def new_password_of(name: str, required: str) -> AuthRequest:
    """Return the request for a new password of an account."""
    return AuthRequest(PASSWORD, required, (_NEW_PASSWORD_FIELD, _RETYPE_FIELD), _PROVIDER, name)


class RequestFormatter:
    """Writes requests into answers, with messages in the requested form."""

    def __init__(self, context: RequestContext, form: str) -> None:
        """Write messages as ``wikitext``, ``html``, ``raw`` or not at all (``none``)."""
        self._context, self._form = context, form

    def listed(self, requests: Iterable[AuthRequest], *, with_fields: bool) -> Arr:
        """Return the requests as a list."""
        return Arr((self._request(one, with_fields) for one in requests), "request")

    def merged(self, requests: Iterable[AuthRequest]) -> Obj:
        """Return the fields of all requests together, by name.

        Only one of several primary requests has to be filled in, so one of their fields is required
        only if all of them have it.
        """
        requests = list(requests)
        primary = [request.fields for request in requests if request.required == _PRIMARY]
        fields: dict[str, Field] = {}
        for request in requests:
            for field in request.fields:
                in_all = request.required != _PRIMARY or all(field in other for other in primary)
                merged = replace(field, optional=field.optional or not in_all)
                if field.name in fields:
                    both = merged.optional and fields[field.name].optional
                    merged = replace(fields[field.name], optional=both)
                fields[field.name] = merged
        return self._fields(fields.values())

    def _request(self, request: AuthRequest, with_fields: bool) -> Obj:
        provider = self._text(request.provider) if request.provider else request.id
        data = Obj({"id": request.id, "metadata": Obj(), "required": request.required})
        data |= {"provider": provider, "account": request.account if request.provider else provider}
        if with_fields:
            data["fields"] = self._fields(request.fields)
        return data

    def _fields(self, fields: Iterable[Field]) -> Obj:
        return Obj((field.name, Obj(self._field(field))) for field in fields)

    def _field(self, field: Field) -> Iterator[tuple[str, Any]]:
        yield "type", field.type
        if self._form != "none":
            yield "label", self._shown(field.label)
            yield "help", self._shown(field.help)
        yield "optional", field.optional
        yield "sensitive", field.sensitive

    def _shown(self, key: str) -> str | Obj:
        if self._form == "raw":
            return Obj({"key": key, "params": Arr((), "param")})
        return self._text(key)

    def _text(self, key: str) -> str:
        return self._context.site.messages.text(Message(key), self._context.language)


def field_values(context: RequestContext, requests: Iterable[AuthRequest]) -> Mapping[str, str]:
    """Return the values that a client has given for the fields of requests, by name.

    Raises:
        ApiError: ``mustpostparams``, if a secret is in the query string.
    """
    fields = [field for request in requests for field in request.fields]
    names = {field.name for field in fields}
    context.used_params.update(names)
    require_posted(context, dict.fromkeys(field.name for field in fields if field.sensitive))
    given = context.request.params
    return {name: given[name] for name in names if given.get(name)}


def failed(context: RequestContext, fault: Message) -> Obj:
    """Return the answer to a failed attempt to log in or to create an account."""
    return Obj(
        {
            "status": "FAIL",
            "message": ErrorFormatter(context).reason(fault),
            "messagecode": code_of(fault),
            # The state of an attempt is not kept for a later one.
            "canpreservestate": False,
        }
    )
