"""``action=acquiretempusername``."""

from __future__ import annotations

from wikiapi.api import WriteAction
from wikiapi.errors import ApiError


class AcquireTempUserName(WriteAction):
    """Get a name for a temporary account."""

    name = "acquiretempusername"
    position = 50
    needs_token = ""
    examples = (("action=acquiretempusername", "Get a name"),)
    is_internal = True

    def perform(self) -> None:
        """Refuse the request.

        Raises:
            ApiError: ``tempuserdisabled``.
        """
        raise ApiError("tempuserdisabled", "apierror-tempuserdisabled")
