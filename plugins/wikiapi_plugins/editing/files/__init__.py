"""Uploading files: checking, stashing, publishing, deleting, restoring and moving them.

A file's data and its database rows change together. New data is first written beside the existing
files, and is moved into place when the transaction is committed: see
:mod:`wikiapi.filerepo.folder`.
"""
