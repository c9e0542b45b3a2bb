"""``action=checktoken``: whether a token is valid."""

from __future__ import annotations

from wikiapi.api import Action, Obj, enum, integer, string, tokens

_UNESCAPED_SUFFIX = tokens.SUFFIX.replace("+", " ")
"""The suffix of a token whose plus sign was not percent-encoded."""


class CheckToken(Action):
    """Check the validity of a token from action=query&meta=tokens."""

    name = "checktoken"
    position = 21
    params = (
        enum("type", *tokens.TOKEN_TYPES, required=True, help="Type of the token."),
        string("token", "The token to check.", required=True, sensitive=True),
        integer("maxtokenage", "Maximum age of the token, in seconds."),
    )
    examples = (("action=checktoken&type=csrf&token=123ABC", "Check a csrf token"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Checktoken",)

    def execute(self) -> None:
        """Put whether the token is valid, and when it was issued, into the result."""
        token, kind = self.p.text("token"), self.p.text("type")
        session, now = self.context.session, self.context.now
        if token.endswith(_UNESCAPED_SUFFIX):
            self.warn("apiwarn-checktoken-percentencoding")
        max_age = self.p.number_or_none("maxtokenage")
        result = "invalid"
        if tokens.matches(token, session, kind, now, max_age):
            result = "valid"
        elif max_age is not None and tokens.matches(token, session, kind, now):
            result = "expired"
        verdict = Obj({"result": result})
        issued = tokens.issued_at(token)
        if issued is not None:
            verdict["generated"] = issued.strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")
        self.result.set((), self.name, verdict)
