"""``action=createaccount``."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace

from wikiapi.api import Obj, compact
from wikiapi.api.request import User as RequestUser
from wikiapi.i18n import Message, Num, Plain
from wikiapi.store.models import SiteStats, User
from wikiapi.store.passwords import hash_password
from wikiapi.store.write.ids import Actors, Person, next_id
from wikiapi.title import USER
from wikiapi_plugins.editing.accounts.outbox import WIKI, Mail, Mailbox, post
from wikiapi_plugins.editing.accounts.rules import (
    is_mail_address,
    is_usable,
    name_of_new_account,
    password_errors,
)
from wikiapi_plugins.editing.action import WriteAction
from wikiapi_plugins.editing.identity import temporarypasswords
from wikiapi_plugins.editing.identity.throttling import NEW_ACCOUNTS, hit
from wikiapi_plugins.editing.recording.changelog import Changelog
from wikiapi_plugins.editing.watchlists.watching import Watcher
from wikiapi_plugins.query.users.authparams import require_way_back
from wikiapi_plugins.query.users.authrequests import failed, field_values, requests_for
from wikiapi_plugins.query.users.currentblocks import blocks_on

_COLUMNS = (
    *("user_id", "user_name", "user_real_name", "user_password", "user_newpassword"),
    *("user_email", "user_touched", "user_token", "user_registration", "user_editcount"),
)


class CreateAccount(WriteAction):
    """Creates an account in one step; its password is given, or generated and sent by mail."""

    def prepare(self) -> None:
        """Read the fields of the request, and hash the password.

        Raises:
            ApiError: ``missingparam``, if the request neither continues an earlier one nor has a
                return URL.
        """
        require_way_back(self)
        self._fields = field_values(self.context, requests_for(self.context, "create"))
        self._stored, self._temporary = "", None
        if _MAILED in self._fields:
            self._temporary = temporarypasswords.generate()
        elif is_usable(self._fields.get("password", "")):
            self._stored = hash_password(self._fields.get("password", ""))

    def perform(self) -> None:
        """Create the account, or answer with the reason why it cannot be created."""
        fields = self._fields
        name = name_of_new_account(self.site, fields.get("username", ""))
        fault = self._refusal() or self._fault(fields, name)
        if fault is not None or name is None:
            self._fail(fault or Message("noname"))
            return
        self._make(name, fields)
        self.result.set((), self.name, Obj({"status": "PASS", "username": name}))

    def _refusal(self) -> Message | None:
        """Return why the user may not create any account; ``None`` if there is no reason."""
        context = self.context
        if not context.user.can("createaccount"):
            return Message("badaccess-group0", ("createaccount",))
        blocks = [block for block in blocks_on(context) if block.create_account]
        if blocks:
            params = (Plain(context.request.remote_address), Plain(blocks[0].reason))
            return Message("cantcreateaccount-text", (*params, Plain(blocks[0].by_name)))
        return None

    def _fault(self, fields: Mapping[str, str], name: str | None) -> Message | None:
        """Return the first problem with the fields of the request; ``None`` if there is none."""
        has_password = bool(fields.get("password"))
        if not fields.get("username") or not (has_password or _MAILED in fields):
            return Message("authmanager-create-no-primary")
        if name is None:
            return Message("noname")
        taken = User.select(User.user_id).where(User.user_name == name)
        if self.db.scalar(taken) is not None:
            return Message("userexists")
        if fields.get("email") and not is_mail_address(fields["email"]):
            return Message("invalidemailaddress")
        if _MAILED in fields and not fields.get("email"):
            return Message("noemailcreate")
        if has_password and fields["password"] != fields.get("retype"):
            return Message("badretype")
        faults = password_errors(fields["password"], name) if has_password else iter(())
        return next(faults, None) or self._too_many()

    def _too_many(self) -> Message | None:
        if not self.site.config.editing.rate_limits or self.context.user.can("noratelimit"):
            return None
        counter = f"acctcreate:{self.context.request.remote_address}"
        if hit(self.site, counter, NEW_ACCOUNTS):
            return Message("acct_creation_throttle_hit", (Num(NEW_ACCOUNTS.hits),))
        return None

    def _fail(self, fault: Message) -> None:
        self.result.set((), self.name, failed(self.context, fault))

    def _make(self, name: str, fields: Mapping[str, str]) -> None:
        """Store the account and its log entry, and put its user page on its own watch list."""
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
        as_account = replace(self.context, user=account)
        kind = "create" if creator.is_anonymous else "byemail" if _MAILED in fields else "create2"
        Changelog(as_account if creator.is_anonymous else self.context).add_entry(
            "newusers",
            kind,
            page,
            reason="" if creator.is_anonymous else fields.get("reason", ""),
            params={"4::userid": user_id},
        )
        Watcher(as_account).watch([page])
        if self._temporary is not None:
            owner = Mailbox(user_id, fields["email"])
            temporarypasswords.give(self.site, [user_id], self._temporary)
            self._mail_password(owner, name, self._temporary.text)

    def _mail_password(self, owner: Mailbox, name: str, password: str) -> None:
        """Put a mail with a temporary password, to be replaced at first login, into the outbox."""
        site = self.site.config.site.name
        maker = self.context.user.name
        text = _TEXT.format(name=name, site=site, maker=maker, password=password)
        post(self.site, Mail(WIKI, owner, f"Account on {site}", text))


_MAILED = "mailpassword"
_TEXT = """{maker} has created the account "{name}" on {site} for you.

Log in with this temporary password within a week:

{password}

You will then be asked to choose a new password. If you do not want the account, you need not do
anything.
"""
