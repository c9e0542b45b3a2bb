"""Batched queries, a module for each subject.

A function takes the database first and keys in any number; rows are never queried one by one.
"""
