"""Uploading files: checking them, stashing, publishing, deleting, restoring and moving them.

A file's data and its rows change together. Data is written beside what is there, and takes its
place once the transaction is committed: see :mod:`wikiapi_plugins.editing.files.folder`.
"""
