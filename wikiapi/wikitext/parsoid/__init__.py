"""The HTML of a rendering after MediaWiki's DOM specification, as its parser Parsoid gives it.

There is one parser. For this form it puts marks around what comes from calls and tags of the
page's source (`expander`, `sources`, `marks`); its stages take no notice of them, or have them
moved out of their way (`clearing`). The finished HTML is read as a document (`outline`), in which
the marks become attributes (`ranges`); sections, kinds of links and element ids follow (`document`,
`links`).
"""
