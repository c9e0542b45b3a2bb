"""The comparison of wikiapi with Debian's MediaWiki on the same pages: ``make bench-peer``."""
