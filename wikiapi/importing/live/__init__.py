"""Follows a live wiki: reads its changes by its API and writes them to a store."""
