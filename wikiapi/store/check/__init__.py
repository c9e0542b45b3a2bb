"""Verifies the contents of a store, with one file for each kind of problem."""
