"""``action=acquiretempusername``."""

from __future__ import annotations

from wikiapi.errors import ApiError
from wikiapi_plugins.editing.action import WriteAction


class AcquireTempUserName(WriteAction):
    """Always refused: there are no temporary accounts, as in MediaWiki by default.

    https://www.mediawiki.org/wiki/Manual:$wgAutoCreateTempUser
    """

    def perform(self) -> None:
        """Refuse the request.

        Raises:
            ApiError: ``tempuserdisabled``.
        """
        raise ApiError.of("tempuserdisabled", "apierror-tempuserdisabled")
