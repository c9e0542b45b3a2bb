"""The server of `wikiapi serve`: waitress, its connections, its processes and its shutdown."""
