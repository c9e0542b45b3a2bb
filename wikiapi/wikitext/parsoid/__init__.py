"""The HTML of a rendering after MediaWiki's DOM specification, as its parser Parsoid gives it.

A serialising stage over the finished HTML of the one parser there is: sections, kinds of links,
element ids, page properties. What only the source knows is not there: ``data-mw`` of
transclusions, extensions and media, and where in the text a category was named.
"""
