"""Imports media files from a folder, an archive or other wikis."""
