"""`wikiapi serve`: waitress, the connections that it accepts, and how it ends."""
