"""Accounts: users and their groups, sessions, passwords, blocks, rates and mail."""

from __future__ import annotations

from wikiapi.accounts import (
    authentication,
    blocking,
    blocks,
    groups,
    mail,
    passwords,
    preferences,
    rates,
    sessions,
)
from wikiapi.accounts.authentication import Account
from wikiapi.accounts.blocks import (
    Restriction,
    UserBlocks,
    address_of_hex,
    block_against,
    blocks_on,
    covering,
    read_range,
)
from wikiapi.accounts.groups import (
    IMPLICIT,
    IMPLICIT_RIGHTS,
    all_rights,
    changeable_groups,
    default_rights,
    explicit_groups,
    group_rights,
    groups_with,
    implicit_groups,
    in_groups,
    not_expired,
    rights_of,
)
from wikiapi.accounts.mail import Mail, Mailbox, is_mail_address
from wikiapi.accounts.names import (
    RESERVED_NAMES,
    canonical_name,
    name_of_new_account,
    user_kind,
    user_text,
)
from wikiapi.accounts.objectcache import Entries
from wikiapi.accounts.passwords import hash_password, password_errors
from wikiapi.accounts.preferences import default_options, option, signature_of, stored_options
from wikiapi.accounts.rates import exceeds_rate_limit
from wikiapi.accounts.sessions import LoggedIn
from wikiapi.accounts.user import Performer, Session, User

__all__ = [
    "IMPLICIT",
    "IMPLICIT_RIGHTS",
    "RESERVED_NAMES",
    "Account",
    "Entries",
    "LoggedIn",
    "Mail",
    "Mailbox",
    "Performer",
    "Restriction",
    "Session",
    "User",
    "UserBlocks",
    "address_of_hex",
    "all_rights",
    "authentication",
    "block_against",
    "blocking",
    "blocks",
    "blocks_on",
    "canonical_name",
    "changeable_groups",
    "covering",
    "default_options",
    "default_rights",
    "exceeds_rate_limit",
    "explicit_groups",
    "group_rights",
    "groups",
    "groups_with",
    "hash_password",
    "implicit_groups",
    "in_groups",
    "is_mail_address",
    "mail",
    "name_of_new_account",
    "not_expired",
    "option",
    "password_errors",
    "passwords",
    "preferences",
    "rates",
    "read_range",
    "rights_of",
    "sessions",
    "signature_of",
    "stored_options",
    "user_kind",
    "user_text",
]
