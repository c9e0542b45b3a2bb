"""Files in wikitext: options of images, links to files, and the HTML they become.

What is shown depends on files that may lie elsewhere, so each is held back under a strip marker
(:mod:`~wikiapi.wikitext.media.holders`) until all files of a page are known, and looked up at once.
"""
