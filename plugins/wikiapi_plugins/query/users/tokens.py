"""``meta=tokens``."""

from __future__ import annotations

from wikiapi.api import CacheMode, MetaModule, Obj, enum, lacks_same_origin_security, tokens


class Tokens(MetaModule):
    """Return the tokens that actions which change something require."""

    name = "tokens"
    needs_read = False
    params = (
        enum("type", *tokens.TOKEN_TYPES, multi=True, default="csrf", all_value="*",
             help="Types of token to get."),
    )  # fmt: skip
    examples = (
        ("action=query&meta=tokens", "A csrf token, the default"),
        ("action=query&meta=tokens&type=login|createaccount", "Two tokens bound to the session"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Tokens",)

    def cache_mode(self) -> CacheMode:
        """Return ``PRIVATE``, because tokens belong to a session."""
        return CacheMode.PRIVATE

    def execute(self) -> None:
        """Issue a token for each type, unless another site's script could read it."""
        if lacks_same_origin_security(self.context.request):
            self.warn("apiwarn-tokens-origin")
            return
        session, now = self.context.session, self.context.now
        self.result.set(
            ("query",),
            self.name,
            Obj(
                (f"{kind}token", tokens.issue(session, kind, now)) for kind in self.p.texts("type")
            ),
        )
