"""The preprocessor: wikitext to a tree of templates, arguments, tags, comments and headings."""
