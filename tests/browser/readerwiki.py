"""A wiki whose pages hold all kinds of wikitext, served with its pictures."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from PIL import Image

from wikiapi.filerepo.paths import hash_path
from wikiapi.http.app import make_app
from wikiapi.testing import live_server, make_site
from wikiapi.testing.declaration import DeclaredFile, Edit, History

WORDS = "Leaves are dried, rolled and sorted before anybody pours water on them. " * 12
SINK = f"""'''Tea''' is a ''drink''. {WORDS}<ref>A note with [[Main Page|a link]].</ref>
[[File:Wide.png|thumb|A wide picture with a caption]]
[[File:Wide.png|thumb|left|300px|On the other side]]
{{| class="infobox"
|+ Tea
|-
| colspan="2" | [[File:Wide.png|200px]]
|-
! Colour
| style="background:#ffd; border:1px solid #999" | pale [[Main Page]] [[Nowhere]]
|}}
== Lists ==
* one
** two
# three
; term
: meaning
:: more
== Tables ==
{{| class="wikitable sortable" style="width: 900px"
! Name !! Number !! Text
|-
| Beta || 10 || {WORDS[:200]}
|-
| Alpha || 9 || x
|-
| Gamma || 200 || y
|}}
{{| class="wikitable mw-collapsible mw-collapsed"
! Folded
|-
| inside
|}}
<div class="mw-collapsible">Title<div class="mw-collapsible-content">below</div></div>
== Pictures ==
<gallery>
File:Wide.png|a caption
File:Wide.png
</gallery>
[[File:Nowhere.png|thumb|500px|missing]]
[[File:Wide.png|center|thumb|middle]]
== Code ==
<syntaxhighlight lang="python" line>
import os  # a comment

@decorated
class Thing(Base):
    '''What it is.'''
    limit = 10 + 0x1F

    def run(self, name="x"):
        return f"{{name}}" if name is not None else {{1.5: None}}
</syntaxhighlight>
<code>averyveryveryveryveryveryveryveryveryveryverylongnamewithoutanyspaces</code>
 preformatted {"wide " * 40}
<div style="width: 700px; background: #eee">A box of 700 pixels</div>
<span style="background-color: #fc0">marked</span> <div style="color:#006400">green</div>
https://example.org/{"long/" * 40}
== Quotes ==
<blockquote>Said somebody.</blockquote>
<poem>
one
two
</poem>
<inputbox>
type=search
</inputbox>
== Sources ==
<references />
[[Category:Drinks]][[de:Tee]]
"""
SIZES_OF_FILES = {"Wide.png": (1200, 500), "Icon.png": (48, 48)}
SIZES = """
html { font-size: 62.5%; overflow: hidden }
body { width: 600px !important; margin: 3em 10em; font-size: .8em; zoom: .7 }
#content { margin-left: 11em; width: 400px; max-width: 30em !important; float: left }
"""
PAGES: Mapping[str, History] = {
    "Main Page": "Welcome to [[Tea]].",
    "Tea": [Edit("Tea was '''here'''.", comment="[[Tea]] /* x */"), Edit(SINK, user="Ada")],
    "Tea ceremony": "Slow.",
    "Template:Pale/styles.css": Edit(
        ".pale { background: #fdfdea; border: 1px solid } .deep { background: #222; color: #fff }"
        "@media print { .plain { background: #fff } }",
        model="sanitized-css",
    ),
    "Styled": "<templatestyles src='Pale/styles.css' /><div class='pale'>On pale, [[Tea]] and "
    "[[Nowhere]].</div><div class='deep'>On deep.</div><div class='plain'>Plain.</div>",
    "MediaWiki:Common.css": Edit(SIZES, model="css"),
    "Icons": f"{{|\n| [[File:Icon.png]] || [[File:Unknown.png]] || {WORDS}\n|}}\n"
    '{| class="infobox" style="width: 15em"\n| In a box\n|}\n' + WORDS,
    "Notices": '<div style="margin: 1em 7em; padding: 0.5em 2em">A notice with margins.</div>\n'
    'Green<sup class="noprint">[<i>which?</i>]</sup> tea.',
    "Lost": "[[File:No.png|900x600px]]",
    "Ceremony": "#REDIRECT [[Tea ceremony]]",
    "Links": "[[Ceremony]] and [[Nowhere]]",
    "Category:Drinks": "Wet.",
    "File:Wide.png": "A picture. [[Category:Drinks]]",
}


@contextmanager
def served(folder: Path, language: str = "en") -> Iterator[str]:
    """Serve the wiki, with its pictures in a folder; gives ``http://HOST:PORT``."""
    for name, size in SIZES_OF_FILES.items():
        place = folder / hash_path(name, 2)
        place.mkdir(parents=True)
        Image.new("RGB", size, "#7a9").save(place / name)
    with socket.create_server(("127.0.0.1", 0)) as probe:
        host = f"127.0.0.1:{probe.getsockname()[1]}"
    site = make_site(
        PAGES,
        config={
            "site": {"server": f"http://{host}", "language": language, "rights_text": "CC0"},
            "files": {"folder": str(folder)},
            "extensions": {"reader": {"thumbnail_folder": str(folder / "made")}},
        },
        users=["Ada"],
        files=[DeclaredFile(name, width=w, height=h) for name, (w, h) in SIZES_OF_FILES.items()],
        interwiki={"de": "https://de.example/wiki/$1"},
    )
    with closing(site.db), live_server(make_app(site), host) as server:
        yield server
