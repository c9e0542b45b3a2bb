"""What the actions for authentication share: parameters, fields to fill in, and recent logins.

The fields have the names that MediaWiki gives them:
https://www.mediawiki.org/wiki/API:Authmanagerinfo
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from wikiapi.api import (
    Action,
    Arr,
    ErrorFormatter,
    Module,
    Obj,
    RequestContext,
    boolean,
    clean,
    code_of,
    enum,
    require_posted,
    string,
)
from wikiapi.errors import ApiError
from wikiapi.languages import Message, Num, Plain, plain_list
from wikiapi.wikitext import protocols

REQUESTS = string("requests", "Use these ways of logging in, by their ids.", multi=True)
FIELDS = enum(
    "messageformat",
    "html",
    "wikitext",
    "raw",
    "none",
    default="wikitext",
    help="The form of messages in the answer.",
)
MERGE = boolean("mergerequestfields", "List the fields of all ways of logging in together.")
PRESERVE = boolean("preservestate", "Keep the state of a failed attempt for the next one.")
RETURN = string("returnurl", "URL to return to from another provider.")
CONTINUE = boolean("continue", "Continue after an answer that asked for more input.")


def dynamic_params(purpose: str) -> str:
    """Return the description of the fields that depend on a wiki's authentication methods."""
    return (
        "Further parameters are the fields of the wiki's ways of logging in, listed by "
        f"``action=query&meta=authmanagerinfo`` with ``amirequestsfor={purpose}``."
    )


def require_way_back(action: Action) -> None:
    """Raise an error if a request could not return from another provider.

    Raises:
        ApiError: ``missingparam``, or ``badurl_`` with the name of the parameter if it is no
            complete URL with one of the wiki's protocols.
    """
    name, url = action.full("returnurl"), action.p.text_or_none("returnurl")
    if url is None and not action.p.flag("continue"):
        names = [action.full("continue"), name]
        params = (plain_list(names), Num(len(names)))
        raise ApiError("missingparam", "apierror-missingparam-at-least-one-of", *params)
    settings = action.site.config.wikitext
    address = protocols(settings.add_protocols, settings.remove_protocols).address
    if url is not None and (url.startswith("//") or not address.match(url)):
        raise ApiError(f"badurl_{name}", "apierror-badurl", Plain(name), Plain(url))


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
    """A request for authentication: fields that belong together.

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


def selected_requests(module: Module, action: str) -> list[AuthRequest]:
    """Return the requests of an action that a client chooses with ``requests``, by default all."""
    requests, chosen = requests_for(module.context, action), module.p.texts(REQUESTS.name)
    if not module.p.is_given(REQUESTS.name):
        return requests
    return [request for request in requests if request.id in chosen]


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


def requests_data(module: Module, requests: Iterable[AuthRequest]) -> dict[str, Any]:
    """Return requests in the form of answers, as the parameters ``MERGE`` and ``FIELDS`` choose it.

    Their fields are listed with each request, or all together.
    """
    requests = list(requests)
    is_merged = module.p.flag("mergerequestfields")
    items = Arr((), "request")
    for request in requests:
        provider = _message(module, request.provider) if request.provider else request.id
        item = Obj({"id": request.id, "metadata": Obj(), "required": request.required})
        item |= {"provider": provider, "account": request.account if request.provider else provider}
        if not is_merged:
            item["fields"] = _fields_data(module, request.fields)
        items.append(item)
    data: dict[str, Any] = {"requests": items}
    if is_merged:
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
        data["fields"] = _fields_data(module, fields.values())
    return data


def _fields_data(module: Module, fields: Iterable[Field]) -> Obj:
    """Return fields by name, with their messages in the form of ``messageformat``."""
    form = module.p.text("messageformat")
    data = Obj()
    for field in fields:
        item: dict[str, Any] = {"type": field.type}
        for name, key in (("label", field.label), ("help", field.help)):
            if form == "raw":
                item[name] = Obj({"key": key, "params": Arr((), "param")})
            elif form != "none":
                item[name] = _message(module, key)
        item |= {"optional": field.optional, "sensitive": field.sensitive}
        data[field.name] = Obj(item)
    return data


def _message(module: Module, key: str) -> str:
    return module.site.messages.text(Message(key), module.context.language)


def field_values(context: RequestContext, requests: Iterable[AuthRequest]) -> Mapping[str, str]:
    """Return the values of the fields of authentication requests that a client sends, by name.

    Raises:
        ApiError: ``mustpostparams``, if a secret is in the query string.
    """
    fields = [field for request in requests for field in request.fields]
    names = {field.name for field in fields}
    context.used_params.update(names)
    require_posted(context, dict.fromkeys(field.name for field in fields if field.sensitive))
    params = context.request.params
    return {name: clean(params[name])[0] for name in names if params.get(name)}


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


def can_log_in(context: RequestContext) -> bool:
    """Return whether another account can log in in the session of a request.

    As in MediaWiki, none can in a session that was opened with a bot password or by a plugin.
    """
    return context.user.is_anonymous or context.session.authenticated_at is not None


# Users of such a session are exempt from the following, because they cannot enter their password
# again.

_RECENT = timedelta(hours=1)
"""https://www.mediawiki.org/wiki/Manual:$wgReauthenticateTime"""
_REFUSALS = {"reauth": "apierror-reauthenticate", "fail": "apierror-cannotreauthenticate"}


def login_status(context: RequestContext) -> str:
    """Return whether the user may perform an action that requires a recent login.

    ``ok``, ``reauth`` if the user must log in first, or ``fail`` if nobody can log in.
    """
    if context.user.is_anonymous:
        return "reauth" if context.site.is_writable else "fail"
    since = context.session.authenticated_at
    return "reauth" if since is not None and abs(context.now - since) > _RECENT else "ok"


def require_recent_login(context: RequestContext) -> None:
    """Refuse a user who logged in too long ago, since somebody else may be at the computer.

    Raises:
        ApiError: ``reauthenticate`` or ``cannotreauthenticate``.
    """
    status = login_status(context)
    if status != "ok":
        raise ApiError(None, _REFUSALS[status])
