"""``wikiapi doctor``: what is wrong with a configuration or a store. A file for each subject."""
