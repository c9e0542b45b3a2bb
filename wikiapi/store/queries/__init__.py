"""Batched queries, with a module for each subject.

Functions take the database as their first argument, and any number of keys; rows are never queried
one at a time.
"""
