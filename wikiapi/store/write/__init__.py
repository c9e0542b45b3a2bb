"""Writes batches to a store of wikiapi, by one writer at a time.

Writers have caches of ids. After a transaction is rolled back, new writers must be created, because
their caches may contain ids of rows that were not saved.
"""
