"""Media files of a wiki: read from a folder, measured, and put into the store."""
