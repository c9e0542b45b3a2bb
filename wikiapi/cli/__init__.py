"""The wikiapi command line."""
