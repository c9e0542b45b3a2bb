"""Bases shared by query modules of one kind."""
