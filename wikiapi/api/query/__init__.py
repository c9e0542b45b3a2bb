"""``action=query``: page sets, generators, continuation and the bases of query modules."""
