"""The writing side: batches into a store of wikiapi, by one writer at a time.

The writers keep caches of ids. After a transaction that was rolled back make new ones: an id in a
cache may never have come to be.
"""
