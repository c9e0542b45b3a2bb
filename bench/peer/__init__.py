"""The same pages through wikiapi and through Debian's own MediaWiki: ``make bench-peer``."""
