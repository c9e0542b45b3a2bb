"""``action=query``: page set, generators, continuation and the modules that use them."""
