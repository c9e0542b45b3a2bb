"""``action=createaccount``."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace

from wikiapi.accounts import (
    Mail,
    Mailbox,
    authentication,
    blocks_on,
    hash_password,
    is_mail_address,
    mail,
    name_of_new_account,
    password_errors,
    passwords,
    rates,
)
from wikiapi.accounts import User as RequestUser
from wikiapi.api import Obj, WriteAction, compact, missing_right
from wikiapi.languages import Duration, Message, Num, Plain
from wikiapi.pages import Changelog, Watcher
from wikiapi.store import Actors, Person, next_id
from wikiapi.store.models import SiteStats, User
from wikiapi.title import USER
from wikiapi_plugins.query.users.authentication import (
    CONTINUE,
    FIELDS,
    MERGE,
    PRESERVE,
    REQUESTS,
    RETURN,
    dynamic_params,
    failed,
    field_values,
    require_way_back,
    selected_requests,
)

_COLUMNS = (
    *("user_id", "user_name", "user_real_name", "user_password", "user_newpassword"),
    *("user_email", "user_touched", "user_token", "user_registration", "user_editcount"),
)


class CreateAccount(WriteAction):
    """Create an account."""

    name = "createaccount"
    prefix = "create"
    position = 3
    params = (
        REQUESTS,
        FIELDS,
        MERGE,
        PRESERVE,
        RETURN,
        CONTINUE,
    )
    needs_token = "createaccount"
    examples = (
        (
            "action=createaccount&username=Example&password=ExamplePassword&retype=ExamplePassword&createreturnurl=http://example.org/&createtoken=123ABC",
            "Create an account",
        ),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Account_creation",)
    dynamic_params = dynamic_params("create")
    needs_read = False

    def prepare(self) -> None:
        """Read the fields of the request, and hash the password.

        Raises:
            ApiError: ``missingparam``, if the request neither continues an earlier one nor has a
                return URL, or ``badurl_createreturnurl``.
        """
        require_way_back(self)
        self._fields = field_values(self.context, selected_requests(self, "create"))
        self._stored, self._temporary = "", None
        if _MAILED in self._fields:
            self._temporary = authentication.new_temporary_password()
        elif passwords.is_usable(self._fields.get("password", "")):
            self._stored = hash_password(self._fields.get("password", ""))

    def perform(self) -> None:
        """Create the account, or answer with the reason why it cannot be created."""
        fields = self._fields
        name = name_of_new_account(self.site, fields.get("username", ""))
        fault = self._refusal() or self._fault(fields, name)
        if fault is not None or name is None:
            self.result.set((), self.name, failed(self.context, (fault or Message("noname"))))
            return
        user_id = next_id(self.db, User.user_id)
        now = compact(self.context.now)
        row = (
            *(user_id, name, fields.get("realname", ""), self._stored, ""),
            *(fields.get("email", ""), now, secrets.token_hex(16), now, 0),
        )
        self.db.insert_many(User, [row], _COLUMNS)
        Actors(self.db).ids([Person(user_id, name)])
        counted = SiteStats.update(ss_users=SiteStats.ss_users + 1)
        self.db.execute_write(counted)
        creator = self.context.user
        account = RequestUser(name, creator.rights, user_id)
        page = self.site.titles.make(USER, name.replace(" ", "_"))
        by_client = self.context.performer
        as_account = replace(by_client, user=account)
        kind = "create" if creator.is_anonymous else "byemail" if _MAILED in fields else "create2"
        Changelog(as_account if creator.is_anonymous else by_client).add_entry(
            "newusers",
            kind,
            page,
            reason="" if creator.is_anonymous else fields.get("reason", ""),
            params={"4::userid": user_id},
        )
        Watcher(as_account).watch([page])
        if self._temporary is not None:
            owner = Mailbox(user_id, fields["email"])
            authentication.set_temporary_password(self.site, [user_id], self._temporary)
            site = self.site.config.site.name
            maker = self.context.user.name
            text = _TEXT.format(name=name, site=site, maker=maker, password=self._temporary.text)
            mail.post(self.site, Mail(mail.WIKI, owner, f"Account on {site}", text))
        self.result.set((), self.name, Obj({"status": "PASS", "username": name}))

    def _refusal(self) -> Message | None:
        """Return why the user may not create any account; ``None`` if there is no reason."""
        context = self.context
        if not context.user.can("createaccount"):
            return missing_right(self.site, "createaccount")
        blocks = [block for block in blocks_on(context.performer) if block.create_account]
        if blocks:
            params = (Plain(context.request.remote_address), Plain(blocks[0].reason))
            return Message("cantcreateaccount-text", (*params, Plain(blocks[0].by_name)))
        return None

    def _fault(self, fields: Mapping[str, str], name: str | None) -> Message | None:
        """Return the first problem with the fields of the request; ``None`` if there is none."""
        has_password = bool(fields.get("password"))
        if name is None:
            return Message("noname")
        namesake = User.select(User.user_id).where(User.user_name == name)
        if self.db.scalar(namesake) is not None:
            return Message("userexists")
        if not (has_password or _MAILED in fields):
            return Message("authmanager-create-no-primary")
        if fields.get("email") and not is_mail_address(fields["email"]):
            return Message("invalidemailaddress")
        if _MAILED in fields and not fields.get("email"):
            return Message("noemailcreate")
        if has_password and fields["password"] != fields.get("retype"):
            return Message("badretype")
        faults = password_errors(fields["password"], name) if has_password else iter(())
        if fault := next(faults, None):
            return fault
        if not self.site.config.editing.rate_limits or self.context.user.can("noratelimit"):
            return None
        counter = f"acctcreate:{self.context.request.remote_address}"
        if rates.hit(self.site, counter, rates.NEW_ACCOUNTS):
            return Message(
                "acct_creation_throttle_hit",
                (Num(rates.NEW_ACCOUNTS.hits), Duration(rates.NEW_ACCOUNTS.seconds)),
            )
        return None


_MAILED = "mailpassword"
_TEXT = """{maker} has created the account "{name}" on {site} for you.

Log in with this temporary password within a week:

{password}

You will then be asked to choose a new password. If you do not want the account, you need not do
anything.
"""
