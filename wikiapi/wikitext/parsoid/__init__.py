"""HTML that follows MediaWiki's DOM specification, like that of its parser Parsoid.

It is produced by the same pipeline as other HTML. The expander puts marks around the results of
calls and tags in the page's source (`expander`, `sources`, `marks`). The stages of the pipeline
ignore the marks at the ends of lines; those that would be in their way are moved (`clearing`). The
finished HTML is then parsed (`outline`), and the marks are converted to attributes (`ranges`).
Finally, sections, types of links and element ids are added (`document`, `links`).
"""
