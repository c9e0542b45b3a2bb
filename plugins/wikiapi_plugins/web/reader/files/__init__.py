"""Serving the wiki's own files: originals, thumbnails, and icons for other file types."""
