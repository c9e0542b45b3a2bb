"""``action=acquiretempusername``."""

from __future__ import annotations

from wikiapi.errors import ApiError
from wikiapi_plugins.editing.action import WriteAction


class AcquireTempUserName(WriteAction):
    """Gives visitors the name of a temporary account, which no wiki has, as MediaWiki by default.

    https://www.mediawiki.org/wiki/Manual:$wgAutoCreateTempUser
    """

    def perform(self) -> None:
        """Say that there are no temporary accounts.

        Raises:
            ApiError: ``tempuserdisabled``.
        """
        raise ApiError.of("tempuserdisabled", "apierror-tempuserdisabled")
