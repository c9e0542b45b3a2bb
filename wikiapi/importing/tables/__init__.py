"""Loads Wikimedia's table dumps, which are SQL files with the rows of one table each."""
