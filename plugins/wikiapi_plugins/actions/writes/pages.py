"""Actions on whole pages: editing, moving, deleting, protecting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.api.params.declaration import (
    boolean,
    enum,
    integer,
    namespace,
    string,
    text,
    timestamp,
)
from wikiapi_plugins.actions.writes.declared import Write, reason, tags, upload, watchlist
from wikiapi_plugins.families.facts import facts
from wikiapi_plugins.families.models import content_formats, content_models
from wikiapi_plugins.families.pagesetparams import PAGE_SET

if TYPE_CHECKING:
    from wikiapi.site import Site

_WATCH = boolean("watch", "Watch the page; use ``watchlist`` instead.", deprecated=True)
_UNWATCH = boolean("unwatch", "Stop watching it; use ``watchlist`` instead.", deprecated=True)
_PAGE = (
    string("title", "Title of the page. Not together with ``pageid``."),
    integer("pageid", "Id of the page. Not together with ``title``."),
)
_RETURN = (
    string("returnto", "Page to go back to after an account was created for the edit."),
    string("returntoquery", "Query string of that page.", default=""),
    string("returntoanchor", "Fragment of that page.", default=""),
)


def _languages(_: Site) -> tuple[str, ...]:
    return (*facts("languages"), "default")


WRITES = (
    Write(
        name="edit",
        help="Create and edit pages.",
        manual="API:Edit",
        params=(
            *_PAGE,
            string("section", "Section: ``0`` for the lead, ``new`` for a new one."),
            string("sectiontitle", "Heading of a new section."),
            text("text", "Content of the page."),
            string("summary", "Edit summary, and heading of a new section without one."),
            tags(),
            boolean("minor", "Mark the edit as minor."),
            boolean("notminor", "Do not mark it as minor, whatever the preferences say."),
            boolean("bot", "Mark the edit as a bot's."),
            integer("baserevid", "Revision that the edit is based on, to detect conflicts."),
            timestamp("basetimestamp", "Time of that revision, to detect conflicts."),
            timestamp("starttimestamp", "When editing began, to detect conflicts."),
            boolean("recreate", "Ignore that the page was deleted in the meantime."),
            boolean("createonly", "Do nothing if the page exists."),
            boolean("nocreate", "Do nothing if the page does not exist."),
            _WATCH,
            _UNWATCH,
            watchlist(),
            string("md5", "MD5 hash of the text, which is checked when given."),
            text("prependtext", "Text to put at the beginning of the page."),
            text("appendtext", "Text to put at the end of the page or section."),
            integer("undo", "Revision to undo.", minimum=0),
            integer("undoafter", "Undo all revisions from ``undo`` to this one.", minimum=0),
            boolean("redirect", "Follow redirects."),
            enum("contentformat", choices=content_formats, help="Serialisation of the text."),
            enum("contentmodel", choices=content_models, help="Content model of the text."),
            *_RETURN,
        ),
        examples=(
            (("action=edit&title=Test&summary=test%20summary&text=article%20content"
             "&baserevid=1234567&token=123ABC"), "Edit a page"),
            ("action=edit&title=Test&prependtext=__NOTOC__%0A&token=123ABC",
             "Put a switch in front of a page"),
        ),
    ),
    Write(
        name="stashedit",
        help="Prepare an edit before it is saved.",
        internal=True,
        params=(
            string("title", "Title of the page.", required=True),
            string("section", "Section: ``0`` for the lead, ``new`` for a new one."),
            string("sectiontitle", "Heading of a new section."),
            text("text", "Content of the page."),
            string("stashedtexthash", "Hash of a text stashed before, in place of the text."),
            string("summary", "Edit summary.", default=""),
            enum("contentmodel", choices=content_models, required=True,
                 help="Content model of the text."),
            enum("contentformat", choices=content_formats, required=True,
                 help="Serialisation of the text."),
            integer("baserevid", "Revision that the edit is based on.", required=True),
        ),
    ),
    Write(
        name="move",
        help="Move a page to another title.",
        manual="API:Move",
        params=(
            string("from", "Title of the page to move. Not together with ``fromid``."),
            integer("fromid", "Id of the page to move. Not together with ``from``."),
            string("to", "Title to move it to.", required=True),
            reason(),
            boolean("movetalk", "Move the talk page as well, if there is one."),
            boolean("movesubpages", "Move sub-pages as well."),
            boolean("noredirect", "Do not leave a redirect."),
            watchlist(),
            boolean("ignorewarnings", "Ignore all warnings."),
            tags(),
        ),
        examples=((("action=move&from=Badtitle&to=Goodtitle&token=123ABC&reason=Misspelled"
                   "&movetalk=&noredirect="), "Move a page and its talk without a redirect"),),
    ),
    Write(
        name="delete",
        help="Delete a page.",
        manual="API:Delete",
        params=(
            *_PAGE,
            reason("Why; one is made up from the text when none is given.", None),
            tags(),
            boolean("deletetalk", "Delete the talk page as well."),
            _WATCH,
            watchlist(),
            _UNWATCH,
            string("oldimage", "Name of the old version of a file to delete."),
        ),
        examples=(("action=delete&title=Main%20Page&token=123ABC&reason=Preparing%20for%20move",
                   "Delete a page with a reason"),),
    ),
    Write(
        name="undelete",
        help="Restore revisions of a deleted page.",
        manual="API:Undelete",
        params=(
            string("title", "Title of the page.", required=True),
            reason(),
            tags(),
            timestamp("timestamps", "Revisions to restore; all when none are given.", multi=True),
            integer("fileids", "File versions to restore; all when none are given.", multi=True),
            boolean("undeletetalk", "Restore the talk page as well."),
            watchlist(),
        ),
        examples=(("action=undelete&title=Main%20Page&token=123ABC&reason=Restoring",
                   "Restore a page"),),
    ),
    Write(
        name="protect",
        help="Change the protection of a page.",
        manual="API:Protect",
        params=(
            *_PAGE,
            string("protections", "Levels by action, such as ``edit=sysop``.", multi=True,
                   required=True),
            string("expiry", "When each of them ends.", multi=True, allow_duplicates=True,
                   default="infinite"),
            reason(),
            tags(),
            boolean("cascade", "Protect what is transcluded as well."),
            _WATCH,
            watchlist(),
        ),
        examples=((("action=protect&title=Main%20Page&token=123ABC&protections=edit=sysop|move=sysop"
                   "&cascade=&expiry=20070901163000|never"), "Protect a page"),),
    ),
    Write(
        name="mergehistory",
        help="Merge the history of one page into another.",
        manual="API:Mergehistory",
        params=(
            string("from", "Title of the page whose history is merged."),
            integer("fromid", "Id of that page."),
            string("to", "Title of the page it is merged into."),
            integer("toid", "Id of that page."),
            timestamp("timestamp", "Up to which moment revisions are moved."),
            reason(),
            string("starttimestamp", "From which moment revisions are moved."),
        ),
        examples=(("action=mergehistory&from=Oldpage&to=Newpage&token=123ABC&reason=Reason",
                   "Merge a whole history"),),
    ),
    Write(
        name="setpagelanguage",
        help="Change the language of a page.",
        manual="API:SetPageLanguage",
        params=(
            *_PAGE,
            enum("lang", choices=_languages, required=True,
                 help="Code of the language; ``default`` is the wiki's."),
            reason(default=None),
            tags(),
        ),
        examples=(("action=setpagelanguage&title=Main%20Page&lang=eu&token=123ABC",
                   "Change a language to Basque"),),
    ),
    Write(
        name="changecontentmodel",
        help="Change the content model of a page.",
        manual="Help:ChangeContentModel",
        params=(
            *_PAGE,
            string("summary", "Edit summary and log entry."),
            tags(),
            enum("model", choices=content_models, required=True, help="Model to change it to."),
            boolean("bot", "Mark the change as a bot's."),
        ),
        examples=(("action=changecontentmodel&title=Main%20Page&model=text&token=123ABC",
                   "Change a page to plain text"),),
    ),
    Write(
        name="purge",
        help="Clear the cache of pages.",
        manual="API:Purge",
        kind=None,
        params=(
            boolean("forcelinkupdate", "Update the link tables."),
            boolean("forcerecursivelinkupdate", "Update those of pages that transclude it too."),
            string("continue", "When more results are available, use this to continue."),
            *PAGE_SET,
        ),
        examples=(("action=purge&titles=Main_Page|API", "Purge two pages"),),
    ),
    Write(
        name="import",
        help="Import pages from another wiki or from an XML file.",
        manual="API:Import",
        params=(
            string("summary", "Summary of the log entry."),
            upload("xml", "The XML file."),
            string("interwikiprefix", "Prefix for names of users unknown here."),
            enum("interwikisource", choices=lambda _: (), help="Wiki to import from."),
            string("interwikipage", "Page to import from it."),
            boolean("fullhistory", "Import the whole history, not the current revision alone."),
            boolean("templates", "Import the templates that are used as well."),
            namespace("namespace", "Namespace to import to. Not together with ``rootpage``."),
            boolean("assignknownusers", "Give edits to local users of the same name."),
            string("rootpage", "Page to import below. Not together with ``namespace``."),
            tags("Change tags for the log entry and the null revisions."),
        ),
        examples=((("action=import&interwikisource=meta&interwikipage=Help:ParserFunctions"
                   "&namespace=100&fullhistory=&token=123ABC"), "Import a page with its history"),),
    ),
)  # fmt: skip
