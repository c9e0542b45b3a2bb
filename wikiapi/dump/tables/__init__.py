"""Wikimedia's table dumps: MySQL's INSERT statements into the tables they were made from."""
