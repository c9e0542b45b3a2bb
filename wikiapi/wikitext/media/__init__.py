"""Files in wikitext: options of images, links to files, and their HTML.

The HTML depends on the files, which may be in a remote repository. A strip marker therefore stands
for each (:mod:`~wikiapi.wikitext.media.holders`) until all files of a page are looked up together.
"""
