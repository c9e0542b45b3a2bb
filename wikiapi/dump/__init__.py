"""Import of XML dumps, folders of wikitext and media files into a store."""
