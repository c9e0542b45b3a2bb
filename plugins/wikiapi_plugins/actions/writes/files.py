"""Actions on files."""

from __future__ import annotations

from wikiapi.api.params.declaration import boolean, enum, integer, string, text
from wikiapi_plugins.actions.writes.declared import Write, tags, upload, watchlist
from wikiapi_plugins.families.pagesetparams import PAGE_SET

_LARGEST = 104_857_600

WRITES = (
    Write(
        name="upload",
        help="Upload a file.",
        manual="API:Upload",
        params=(
            string("filename", "Name of the file on the wiki."),
            string("comment", "Summary, and text of a new file page.", default=""),
            tags(),
            text("text", "Text of a new file page."),
            boolean("watch", "Watch the page; use ``watchlist`` instead.", deprecated=True),
            watchlist("watch", "preferences", "nochange"),
            boolean("ignorewarnings", "Ignore warnings."),
            upload("file", "The file."),
            string("url", "Address to take the file from."),
            string("filekey", "Key of a file that was stashed before."),
            string("sessionkey", "The same, as it was once called.", deprecated=True),
            boolean("stash", "Stash the file for now."),
            integer("filesize", "Size of the whole upload.", minimum=0, maximum=_LARGEST),
            integer("offset", "Where the chunk begins.", minimum=0),
            upload("chunk", "A part of the file."),
            boolean("async", "Do what takes long in the background."),
            boolean("checkstatus", "Only tell how far the upload of a file key has come."),
        ),
        examples=((("action=upload&filename=Wiki.png&filekey=filekey&ignorewarnings=1"
                   "&token=123ABC"), "Finish a stashed upload"),),
    ),
    Write(
        name="filerevert",
        help="Make an old version of a file the current one.",
        params=(
            string("filename", "Name of the file, without namespace.", required=True),
            string("comment", "Summary.", default=""),
            string("archivename", "Name of the old version.", required=True),
        ),
        examples=((("action=filerevert&filename=Wiki.png&comment=Revert"
                   "&archivename=20110305152740!Wiki.png&token=123ABC"), "Revert a file"),),
    ),
    Write(
        name="imagerotate",
        help="Rotate pictures.",
        params=(
            enum("rotation", "90", "180", "270", required=True, help="Degrees, clockwise."),
            string("continue", "When more results are available, use this to continue."),
            tags(),
            *PAGE_SET,
        ),
        examples=(("action=imagerotate&titles=File:Example.jpg&rotation=90&token=123ABC",
                   "Rotate a picture by 90 degrees"),),
    ),
)  # fmt: skip
