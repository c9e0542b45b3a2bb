"""Verifies what a store holds; one file for each thing that can be wrong with it."""
