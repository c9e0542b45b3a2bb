"""Files: the wiki's own, those of other wikis, their addresses and their thumbnails."""
